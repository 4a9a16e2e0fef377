// Links every object of a room that must do without the search, and whatever those need: a call of
// the search from there would be an undefined name.
int main(void) { return 0; }
