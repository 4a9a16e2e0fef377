// A client for Kraton's battle server that plays random moves: client HOST PORT TOKEN GAME
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The value of a field of the line, "" where it has none; good until the next call of its slot.
static const char *field(const char *line, const char *key, int slot) {
    static char values[2][4096];
    char wanted[32];
    snprintf(wanted, sizeof wanted, " %s=", key);
    const char *at = strstr(line, wanted);
    at = at ? at + strlen(wanted) : "";
    snprintf(values[slot], sizeof values[slot], "%.*s", (int)strcspn(at, " \n"), at);
    return values[slot];
}

// One of the words between commas, by chance.
static const char *choose(char *list) {
    const char *chosen = NULL;
    int n = 0;
    for (char *word = list, *end; word; word = end ? end + 1 : NULL) {
        if ((end = strchr(word, ',')))
            *end = '\0';
        if (rand() % ++n == 0)
            chosen = word;
    }
    return chosen;
}

int main(int argc, char **argv) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    if (argc != 5 || getaddrinfo(argv[1], argv[2], &hints, &found) != 0)
        return fprintf(stderr, "usage: client HOST PORT TOKEN GAME\n"), 2;
    int fd = socket(found->ai_family, found->ai_socktype, 0);
    if (connect(fd, found->ai_addr, found->ai_addrlen) != 0)
        return perror("client"), 1;
    FILE *in = fdopen(fd, "r");
    static char line[65536], moves[8192];
    srand((unsigned)time(NULL) ^ (unsigned)getpid());
    dprintf(fd, "login token=%s\n", argv[3]);
    while (fgets(line, sizeof line, in)) {
        if (strncmp(line, "welcome ", 8) == 0)
            dprintf(fd, "seek tc=60+1 game=%s\n", argv[4]);
        else if (strncmp(line, "turn ", 5) == 0) // a real program has a board and thinks here
            dprintf(fd, "legal game=%s\n", field(line, "game", 0));
        else if (strncmp(line, "legal ", 6) == 0) {
            snprintf(moves, sizeof moves, "%s", field(line, "moves", 0));
            dprintf(fd, "move game=%s ply=%s move=%s\n", field(line, "game", 0), field(line, "ply", 1), choose(moves));
        } else if (strncmp(line, "ping", 4) == 0)
            dprintf(fd, "pong\n");
        else if (strncmp(line, "result ", 7) == 0)
            dprintf(fd, "quit\n"), puts(field(line, "outcome", 0));
    }
}
