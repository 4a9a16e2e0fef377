// Links every object of the match runner and whatever they need, so that a call of the search from
// there would be an undefined name.
int main(void) { return 0; }
