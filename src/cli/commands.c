// The table of all commands of `kraton`.
#include "base/suggest.h"
#include "cli/cli.h"

static const command book_commands[] = {
    {"book build", "--game GAME --from FILE... --out BOOK [--plies N] [--min-games N] [--weight N]",
     "Makes a book from games and lines.",
     "\n  kraton book build --game xiangqi --from games.pgn --out my.book\n", 0, -1,
     .run = cmd_book_build},
    {"book grow", "--game GAME --out BOOK [--from FILE] [--positions N] [--nodes N] [--engine CMD]",
     "Makes a book from what an engine says.",
     "Asks about the positions most likely to be reached. Ctrl-C keeps what is done.\n\n"
     "  kraton book grow --game surakarta --positions 100 --out my.book\n",
     0, -1, .run = cmd_book_grow},
    {"book merge", "BOOK... --out BOOK", "Merges books of one game.",
     "The name of a game stands for the book inside the program.\n\n"
     "  kraton book merge xiangqi my.book --out both.book\n",
     0, -1, .run = cmd_book_merge},
    {"book show", "BOOK|GAME [FEN] [MOVE...] [--notation NOTATION]",
     "Shows the moves of a book in a position.",
     "The name of a game stands for the book inside the program.\n\n"
     "  kraton book show xiangqi h2e2\n",
     0, -1, .run = cmd_book_show},
    {"book lines", "BOOK|GAME [--plies N] [--notation NOTATION]", "Lists the lines of a book.",
     "\n  kraton book lines surakarta --plies 6\n", 0, -1, .run = cmd_book_lines},
    {.name = NULL},
};

static const command archive_commands[] = {
    {"archive import", "PATH... [--data DIR] [--game GAME]",
     "Adds recorded games to the archive and the explorer of a server.",
     "PATH is a file in any record format, a folder, or an archive of files (zip, tar, tar.gz).\n"
     "Games imported before are recognised, so an import that was interrupted goes on when it is\n"
     "started again. The server must not run meanwhile.\n\n"
     "  kraton archive import games.pgn more/ --data games\n",
     1, -1, .run = cmd_archive_import},
    {.name = NULL},
};

static const command store_commands[] = {
    {"store copy", "FROM TO", "Copies a whole server from one database to another.",
     "FROM and TO are sqlite:DIR or postgresql://...; TO is empty, and neither is in use. Every "
     "row\n"
     "is compared before anything is kept. A copy that is interrupted leaves TO empty.\n\n"
     "  kraton store copy sqlite:kraton-data postgresql://kraton@db.example.org/kraton\n",
     2, 2, .run = cmd_store_copy},
    {.name = NULL},
};

const command all_commands[] = {
    {"play", "[GAME] [--level N|--depth N|--time SECONDS] [--side first|second] [--two]",
     "A game in the terminal, against the computer or for two people.",
     "Type moves in any notation the game knows, or `help`. Without GAME it asks which one.\n"
     "Squares are a0 to i9 in Xiangqi, and a1 to i10 once a rank of 10 is typed or with\n"
     "--notation uci1.\n\n"
     "  kraton play xiangqi --level 6 --side second\n"
     "  kraton play surakarta --two --rules traditional\n",
     0, 1, .run = cmd_play},
    {"analyse", "GAME FEN|FILE [--depth N|--time SECONDS|--nodes N] [--lines N] [-o FILE]",
     "Analyses a position, or every move of a game, with an engine.",
     "A position is a FEN or `start`; depth, score and best line are shown as the search gets\n"
     "deeper. FILE is a record (`-`: standard input); each of its moves is annotated with its\n"
     "score, what it lost and a better move. Marks for mistakes are ?!, ? and ??. Ctrl-C ends the\n"
     "search and keeps what is done.\n\n"
     "  kraton analyse xiangqi start --depth 10 --lines 3\n"
     "  kraton analyse surakarta game.txt --time 0.2 -o annotated.pgn\n",
     2, 2, .run = cmd_analyse},
    {"judge", "GAME [--rules RULES] [--fen FEN] [--notation NOTATION] [--file FILE] [MOVE...]",
     "Plays moves and prints the state of the game and the reason.",
     "Moves may be in any notation of the game, one or several in an argument. If one has a rank\n"
     "of 10, squares are a1 to i10. Moves after an end by repetition or by the limit without\n"
     "captures are played too; the first end counts. If the last position repeats an earlier one,\n"
     "the verdict on that cycle is printed as well. With --file, or without moves, records or\n"
     "lists of moves, one game a line, are read from the file or from standard input. The exit\n"
     "status is 1 if a move is illegal or a game cannot be read.\n\n"
     "Rule sets: icga, olympiad2023, ccgc, traditional of Surakarta; wxf, asian, cxa, simple of\n"
     "Xiangqi.\n\n"
     "  kraton judge xiangqi h2e2 h9g7 h0g2\n",
     1, -1, .run = cmd_judge},
    {"moves", "GAME [--fen FEN] [--notation NOTATION]",
     "The legal moves, one a line, captures first.", "\n  kraton moves xiangqi --notation wxf\n", 1,
     1, .run = cmd_moves},
    {"show", "GAME [--fen FEN] [--flip] [--ascii]", "Draws the board.",
     "Box-drawing characters where the locale is UTF-8, plain ASCII elsewhere.\n\n"
     "  kraton show surakarta --ascii\n",
     1, 1, .run = cmd_show},
    {"convert", "FROM TO FILE [-o OUT] [--game GAME] [--notation NOTATION] [--read-as NOTATION]",
     "Converts game records between formats.",
     "Formats: pgn, json and moves of both games; contest of Surakarta; dhtmlxq, xqf, cbr, wxf "
     "and,\n"
     "to be read only, cbl and dpxq of Xiangqi. FROM may be `auto`. FILE may be `-`, a folder or "
     "an\n"
     "archive (zip, tar, tar.gz). Where OUT is a folder, every game goes to a file of its own "
     "there.\n\n"
     "  kraton convert pgn moves game.pgn\n",
     3, 3, .run = cmd_convert},
    {"perft", "GAME DEPTH [--fen FEN] [--reference] [--divide]",
     "Counts the lines of play to a depth: `depth nodes captures seconds`.",
     "\n  kraton perft surakarta 5\n", 2, 2, .run = cmd_perft},
    {"match", "GAME --engine SPEC --engine SPEC [...] [--out NAME]",
     "Engines play each other unattended: tournaments, matches, SPRT.",
     "Engines speak UCI, UCCI, CECP (xboard) or SAU. Every move is checked, every result has its\n"
     "reason, and an interrupted run goes on with --resume. docs/match.md says more.\n\n"
     "  kraton match xiangqi --engine 'hoixiangqi --xboard' --engine fairy-stockfish \\\n"
     "      --each tc=10+0.1 --rounds 10 --out first\n",
     1, 1, .run = cmd_match},
    {"sprt", "--pairs P0,P1,P2,P3,P4|--games W,D,L [--bounds ELO0,ELO1] [--model NAME]",
     "Statistics of results: likelihood ratio, verdict, Elo.",
     "A pair is two games from one opening with colours changed; P0 counts the pairs without a\n"
     "point, P4 those won twice. Prints the exact log-likelihood ratio of the generalised SPRT, "
     "the\n"
     "bounds where the test ends, the verdict (H0 accepted, H1 accepted, running), Elo and\n"
     "normalised Elo with their 95 % errors, and the likelihood of superiority.\n"
     "docs/statistics.md says how to read them.\n\n"
     "  kraton sprt --pairs 4,30,87,132,47 --bounds=0,5 --model normalised\n",
     0, 0, .run = cmd_sprt},
    {"rate", "FILE... [--average ELO] [--anchor NAME=ELO] [--pairs]",
     "Ratings of all players from the results of their games.",
     "FILE is PGN of any game (only its tags are read), a journal or JSON of `kraton match`, a\n"
     "record, or lines `first,second,1-0`; `-` is standard input. Prints maximum-likelihood\n"
     "ratings with their 95 % errors, the likelihood of being stronger than the next player "
     "(LOS),\n"
     "the first-move advantage and the draw rate. docs/ratings.md says how to read them.\n\n"
     "  kraton rate games.pgn --anchor Kraton=2000\n",
     1, -1, .run = cmd_rate},
    {"engine", "GAME [ARGUMENT...]", "Runs Kraton's engine, for programs that manage games.",
     "Becomes kraton-surakarta or kraton-xiangqi, which speak UCI, UCCI and CECP (xboard), the\n"
     "first also SAU, on standard input and output; docs/engines.md says more. --help as an "
     "argument lists theirs.\n\n"
     "  kraton engine xiangqi\n",
     1, -1, .run = cmd_engine, .is_passed_on = true},
    {"engine-check", "GAME COMMAND [--dialect NAME] [--json]",
     "Checks that an engine follows its protocol.",
     "Starts it, plays short games with it, and lists what is wrong. Status 1 if anything is.\n\n"
     "  kraton engine-check xiangqi 'hoixiangqi --xboard'\n",
     2, 2, .run = cmd_engine_check},
    {"tb", "COMMAND [ARGUMENT...]", "Surakarta's endgame tables.", "", 0, -1, .run = run_part,
     .parts = tb_commands},
    {"tune", "GAME FILE... [--out FILE]", "Fits the weights of an evaluation to finished games.",
     "", 2, -1, .run = cmd_lab, .is_passed_on = true},
    {"openings", "[GAME] [CODE | FEN | MOVE... | FILE...] [--notation NOTATION]",
     "The openings and their names, those of a position or of a collection.",
     "Lists all openings with their ECCO codes, in Chinese and English. With a code, or the start\n"
     "of one, it lists those; with a position, its opening and those that the next move leads\n"
     "to; with records (files, folders, archives), how often each was played and who won.\n\n"
     "  kraton openings xiangqi h2e2 h9g7\n"
     "  kraton openings games/\n",
     0, -1, .run = cmd_openings},
    {"book", "COMMAND [ARGUMENT...]", "Builds, merges and shows opening books.",
     "docs/books.md has the format and says how the books inside the program were made.\n", 0, -1,
     .run = run_part, .parts = book_commands},
    {"serve", "[--port N] [--bot-port N] [--data DIR] [--tls-cert FILE --tls-key FILE]",
     "The battle server, for programs and people, over the network.",
     "HTTP and WebSocket on one port, a line protocol for programs on the other. Everything is\n"
     "kept in one file of the data folder; a server that was killed goes on where it was.\n"
     "docs/protocol.md and docs/api.md describe its interfaces.\n\n"
     "  kraton serve --data games\n"
     "  kraton serve --data games --backup copy.db\n",
     0, 0, .run = cmd_serve},
    {"archive", "COMMAND [ARGUMENT...]", "The finished games of a battle server.",
     "docs/running-a-server.md says more.\n", 0, -1, .run = run_part, .parts = archive_commands},
    {"store", "COMMAND [ARGUMENT...]", "The database of a battle server.",
     "docs/beyond-one-machine.md says more.\n", 0, -1, .run = run_part, .parts = store_commands},
    {"join",
     "HOST:PORT --engine CMD [--token-file FILE] [--dialect NAME] [--seek FIELDS] [--tournament N]",
     "Puts an engine online at a battle server.",
     "Accepts challenges, seeks games with --seek, enters a tournament with --tournament. Never\n"
     "runs more engine processes than --at-once; a tournament with more games at a time shares\n"
     "them. After a lost connection it connects again and the games go on. tools/kraton_join.py\n"
     "does the same anywhere Python runs.\n\n"
     "  kraton join localhost:8601 --engine 'hoixiangqi --xboard' --token-file token \\\n"
     "      --seek 'game=xiangqi tc=60+1'\n",
     1, 1, .run = cmd_join},
    {"bench", "[signature|rules|papers|tables|records|match|serve|archive]",
     "Benchmarks, each next to something to compare with.",
     "`signature`, the default, has the engines search fixed positions: the same number of nodes\n"
     "everywhere, as long as the search is the same. `rules` compares the generators with slower\n"
     "ones and with Fairy-Stockfish, `papers` shows what each idea of the papers is worth, "
     "`tables`\n"
     "compares indexes for endgame tables, `records` measures how fast records are read, `match` "
     "the\n"
     "match runner against bare pipes, `serve` the battle server under a thousand games at "
     "once,\n`archive` searches in an archive of a million games.\n\n"
     "  kraton bench rules\n",
     0, 1, .run = cmd_bench},
    {"doctor", "[--tables FOLDER] [--data DIR] [--port N]", "Checks this installation.",
     "Processor, engines, endgame tables, page, disk, ports, encodings and fonts, a line each: "
     "ok,\n"
     "warning or FAILED with the remedy. The exit status is 1 if anything failed.\n\n"
     "  kraton doctor\n",
     0, 0, .run = cmd_doctor},
    {"man", "[COMMAND] [--out FOLDER]", "Prints a manual page.",
     "The page of kraton, or of a command; --out writes all of them. `cmake --install` puts them\n"
     "where man finds them.\n\n"
     "  kraton man tb build | man -l -\n",
     0, 2, .run = cmd_man},
    {"completion", "bash|zsh|fish", "Prints completions of commands and options for a shell.",
     "`cmake --install` puts them where shells find them.\n\n"
     "  source <(kraton completion bash)\n",
     1, 1, .run = cmd_completion},
    {.name = NULL},
};

static void visit_one(const command *c, void (*visit)(const command *, const option *, void *),
                      void *context) {
    static const option none[] = {{.name = NULL}};
    command shown = *c;
    shown.visit = visit;
    shown.context = context;
    char *arguments[] = {NULL};
    if (c->is_passed_on || c->parts)
        visit(c, none, context);
    else
        (void)shown.run(&shown, 0, arguments);
}

void commands_visit(void (*visit)(const command *c, const option *table, void *context),
                    void *context) {
    for (const command *c = all_commands; c->name; c++) {
        visit_one(c, visit, context);
        for (const command *part = c->parts; part && part->name; part++)
            visit_one(part, visit, context);
    }
}

int commands_complain(const char *name) {
    suggestion near = suggest_for(text_of(name));
    for (const command *c = all_commands; c->name; c++)
        for (const command *part = c; part && part->name; part = part == c ? c->parts : part + 1)
            suggest_offer(&near, part->name);
    static const char *const others[] = {"help", "version", "--help", "--version", "-h", "-V"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        suggest_offer(&near, others[i]);
    return misuse("kraton: no command %s%s", fault_quote(text_of(name)).shown,
                  near.best ? suggest_hint(&near).shown : " (kraton help lists them)");
}
