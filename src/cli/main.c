// kraton: the command line. The commands are in the table below and in cmd_*.c.
#include "base/minmax.h"
#include "cli/cli.h"
#include "match/program.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>

static const command commands[] = {
    {"play", "[GAME] [--level N|--depth N|--time SECONDS] [--side first|second] [--two]",
     "A game in the terminal, against the computer or for two people.",
     "Type moves in any notation the game knows, or `help`. Without GAME it asks which one.\n"
     "Squares are a0 to i9 in Xiangqi, and a1 to i10 once a rank of 10 is typed or with\n"
     "--notation uci1.\n\n"
     "  kraton play xiangqi --level 6 --side second\n"
     "  kraton play surakarta --two --rules traditional\n",
     0, 1, cmd_play},
    {"analyse", "GAME FEN|FILE [--depth N|--time SECONDS|--nodes N] [--lines N] [-o FILE]",
     "Analyses a position, or every move of a game, with an engine.",
     "A position is a FEN or `start`: depth, score and line as it looks deeper. The moves of a\n"
     "record (`-`: standard input) are annotated: what each loses, the best one instead, and "
     "marks\n"
     "for mistakes: ?! from half a pawn, ? from one, ?? from two and a half. Ctrl-C keeps what is\n"
     "done.\n\n"
     "  kraton analyse xiangqi start --depth 10 --lines 3\n"
     "  kraton analyse surakarta game.txt --time 0.2 -o annotated.pgn\n",
     2, 2, cmd_analyse},
    {"judge", "GAME [--rules SPEC] [--fen FEN] [--notation NAME] [--file FILE] [MOVE...]",
     "Plays moves and prints the state of the game and the reason.",
     "Moves are read in any notation of the game, one or several in an argument; a rank of 10\n"
     "among them makes their squares a1 to i10. Moves behind an end by repetition or by the limit\n"
     "without captures are played too, and the first end stands. Where the last position repeats\n"
     "an earlier one, the verdict on that cycle alone follows; it looks back over as many\n"
     "occurrences as would end the game. With --file, or without moves, it reads records or lists\n"
     "of moves, a game a line, from the file or from standard input. Status 1 where a move is\n"
     "illegal or a game cannot be read.\n\n"
     "  kraton judge xiangqi h2e2 h9g7 h0g2\n",
     1, -1, cmd_judge},
    {"moves", "GAME [--fen FEN] [--notation NAME]", "The legal moves, one a line, captures first.",
     "\n  kraton moves xiangqi --notation wxf\n", 1, 1, cmd_moves},
    {"show", "GAME [--fen FEN] [--flip] [--ascii]", "Draws the board.",
     "Box-drawing characters where the locale is UTF-8, plain ASCII elsewhere.\n\n"
     "  kraton show surakarta --ascii\n",
     1, 1, cmd_show},
    {"convert", "FROM TO FILE [-o OUT] [--game GAME] [--notation NAME] [--read-as NAME]",
     "Converts game records between formats.",
     "Formats: contest (Surakarta, GBK), dhtmlxq (Xiangqi, read only), pgn, json and moves. FROM\n"
     "may be `auto`. FILE may be `-`. Where OUT is a folder, every game goes to a file of its own\n"
     "there.\n\n"
     "  kraton convert pgn moves game.pgn\n",
     3, 3, cmd_convert},
    {"perft", "GAME DEPTH [--fen FEN] [--reference] [--divide]",
     "Counts the lines of play to a depth: `depth nodes captures seconds`.",
     "\n  kraton perft surakarta 5\n", 2, 2, cmd_perft},
    {"match", "GAME --engine SPEC --engine SPEC [...] [--out NAME]",
     "Engines play each other unattended: tournaments, matches, SPRT.",
     "Engines speak UCI, UCCI, CECP (xboard) or SAU. Every move is checked, every result has its\n"
     "reason, and an interrupted run goes on with --resume. docs/match.md says more.\n\n"
     "  kraton match xiangqi --engine 'hoixiangqi --xboard' --engine fairy-stockfish \\\n"
     "      --each tc=10+0.1 --rounds 10 --out first\n",
     1, 1, cmd_match},
    {"sprt", "--pairs P0,P1,P2,P3,P4|--games W,D,L [--bounds ELO0,ELO1] [--model NAME]",
     "Statistics of results: likelihood ratio, verdict, Elo.",
     "A pair is two games from one opening with colours changed; P0 counts the pairs without a\n"
     "point, P4 those won twice. Prints the exact log-likelihood ratio of the generalised SPRT, "
     "the\n"
     "bounds where the test ends, the verdict (H0 accepted, H1 accepted, running), Elo and\n"
     "normalised Elo with their 95 % errors, and the likelihood of superiority.\n"
     "docs/statistics.md says how to read them.\n\n"
     "  kraton sprt --pairs 4,30,87,132,47 --bounds=0,5 --model normalised\n",
     0, 0, cmd_sprt},
    {"engine", "GAME [ARGUMENT...]", "Runs Kraton's engine, for programs that manage games.",
     "Becomes kraton-surakarta or kraton-xiangqi, which speak UCI, UCCI, CECP (xboard) and SAU on\n"
     "standard input and output; docs/engines.md says more. --help as an argument lists theirs.\n\n"
     "  kraton engine xiangqi\n",
     1, -1, cmd_engine},
    {"engine-check", "GAME COMMAND [--dialect NAME]", "Checks that an engine follows its protocol.",
     "Starts it, plays short games with it, and lists what is wrong. Status 1 if anything is.\n\n"
     "  kraton engine-check xiangqi 'hoixiangqi --xboard'\n",
     2, 2, cmd_engine_check},
    {"tb", "COMMAND [ARGUMENT...]", "Surakarta's endgame tables.", "", 0, -1, cmd_tb},
    {"tune", "GAME FILE... [--out FILE]", "Fits the weights of an evaluation to finished games.",
     "", 2, -1, cmd_lab},
    {"openings", "[GAME] [CODE | FEN | MOVE...] [--notation NAME]",
     "The openings and their names, or those of a position.",
     "All of them with their ECCO codes, in Chinese and English; with a code or the start of one\n"
     "those; with a position, its opening and those the next move leads to.\n\n"
     "  kraton openings xiangqi h2e2 h9g7\n",
     0, -1, cmd_openings},
    {"book", "build|grow|merge|show|lines ...", "Builds, merges and shows opening books.",
     "  book build --game GAME --from FILE... --out BOOK [--plies N] [--min-games N] [--weight N]\n"
     "  book grow --game GAME --out BOOK [--from FILE] [--positions N] [--nodes N] [--engine CMD]\n"
     "  book merge BOOK... --out BOOK\n"
     "  book show BOOK|GAME [FEN] [MOVE...] [--notation NAME]\n"
     "  book lines BOOK|GAME [--plies N] [--notation NAME]\n\n"
     "GAME in place of a book is the one that comes with the program. docs/books.md has the\n"
     "format and how the program's own books were made.\n\n"
     "  kraton book show xiangqi h2e2\n",
     1, -1, cmd_book},
    {"serve", "[--port N] [--bot-port N] [--data DIR] [--tls-cert FILE --tls-key FILE]",
     "The battle server, for programs and people, over the network.",
     "HTTP and WebSocket on one port, a line protocol for programs on the other. Everything is\n"
     "kept in one file of the data folder; a server that was killed goes on where it was.\n"
     "docs/protocol.md and docs/api.md describe its interfaces.\n\n"
     "  kraton serve --data games\n"
     "  kraton serve --data games --backup copy.db\n",
     0, 0, cmd_serve},
    {"join", "HOST:PORT --engine CMD --token T [--dialect NAME] [--seek FIELDS] [--tournament N]",
     "Puts an engine online at a battle server.",
     "Takes up challenges, seeks games of its own with --seek, plays a tournament with\n"
     "--tournament; each game has a process of its own. A lost connection is made again by\n"
     "itself and the games go on. tools/kraton_join.py does the same anywhere Python runs.\n\n"
     "  kraton join localhost:8601 --engine 'hoixiangqi --xboard' --token krt_... \\\n"
     "      --seek 'game=xiangqi tc=60+1'\n",
     1, 1, cmd_join},
    {"bench", "[signature|rules|papers|tables|match|serve]",
     "Benchmarks, each next to something to compare with.",
     "`signature`, the default, has the engines search fixed positions: the same number of nodes\n"
     "everywhere, as long as the search is the same. `rules` compares the generators with slower\n"
     "ones and with Fairy-Stockfish, `papers` shows what each idea of the papers is worth, "
     "`tables`\n"
     "compares indexes for endgame tables; `match` measures the match runner against bare pipes, "
     "`serve`\n"
     "the battle server under a thousand games at once.\n\n"
     "  kraton bench rules\n",
     0, 1, cmd_bench},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const command *find_command(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static void print_commands(FILE *to) {
    fputs("usage: kraton COMMAND [ARGUMENT...]\n\n", to);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-12s %s\n", commands[i].name, commands[i].summary);
    fputs("  help         This list, or the help of a command: kraton help judge\n"
          "  version      Prints the version.\n\n"
          "GAME is surakarta or xiangqi.\n",
          to);
}

// Edit distance of two words. Words are compared up to 15 letters; no command has more.
static int edit_distance(const char *a, const char *b) {
    int row[16];
    int n = min_int((int)strlen(b), 15);
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = min_int(change, min_int(row[j], row[j - 1]) + 1);
        }
    }
    return row[n];
}

static int complain_unknown(const char *name) {
    const command *nearest = NULL;
    int least = 3; // suggest a command only for at most two typing mistakes
    for (int i = 0; i < COMMANDS; i++) {
        int distance = edit_distance(name, commands[i].name);
        if (distance < least) {
            least = distance;
            nearest = &commands[i];
        }
    }
    if (nearest)
        complain("kraton: no command %s; did you mean %s?", fault_quote(text_of(name)).shown,
                 nearest->name);
    else
        complain("kraton: no command %s (kraton help lists them)",
                 fault_quote(text_of(name)).shown);
    return STATUS_USAGE;
}

static int print_help_of(const char *name) {
    const command *c = find_command(name);
    char *only[] = {(char[]){"--help"}};
    return c ? c->run(c, 1, only) : complain_unknown(name);
}

static bool is_word(const char *argument, const char *word) {
    return strcmp(argument, word) == 0 ||
           (strncmp(argument, "--", 2) == 0 && !strcmp(argument + 2, word));
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        print_commands(stderr);
        return STATUS_USAGE;
    }
    if (strcmp(argv[1], "limit") == 0 && argc > 2) // how house bots are limited
        return program_limit_main(argc - 2, argv + 2);
    if (is_word(argv[1], "version")) {
        puts("kraton " KRATON_VERSION);
        return STATUS_OK;
    }
    if (is_word(argv[1], "help")) {
        if (argc > 2)
            return print_help_of(argv[2]);
        print_commands(stdout);
        return STATUS_OK;
    }
    const command *c = find_command(argv[1]);
    return c ? c->run(c, argc - 2, argv + 2) : complain_unknown(argv[1]);
}

int main(int argc, char **argv) {
    setlocale(LC_CTYPE, "");
    int status = run(argc, argv);
    // Errors of a full disk or a closed pipe may appear only now.
    bool failed = ferror(stdout) != 0;
    if (failed)
        putchar('\n'); // fail again, to set errno
    errno = 0;
    if (fclose(stdout) != 0 || failed)
        status = complain("kraton: cannot write the output%s%s", errno ? ": " : "",
                          errno ? strerror(errno) : "");
    return status;
}
