#include "engine/arguments.h"

#include "base/manual.h"
#include "engine/settings.h"

#include <stdio.h>

typedef struct {
    argument_kind kind;
    char letter;
    const char *name, *value, *help; // value NULL: it takes none
} argument;

static const argument table[] = {
    {ARGUMENT_OPTION, 0, "--option", "NAME=VALUE",
     "set an option, as the protocols do; may be given again"},
    {ARGUMENT_RULES, 0, "--rules", "RULES", "the rule set where the protocol tells none"},
    {ARGUMENT_DEPTH, 0, "--depth", "N", "look no further than N plies"},
    {ARGUMENT_PLAYER, 0, "--player", "NAME", "another player in its place: paper3, paper4"},
    {ARGUMENT_TIME, 0, "--time", "TIME",
     "15:00 or seconds: for a whole game, where the protocol has no clock"},
    {ARGUMENT_VERSION, 'V', "--version", NULL, "version, commit, compiler, instruction set"},
    {ARGUMENT_MAN, 0, "--man", NULL, "the manual page, for `man -l -`"},
    {ARGUMENT_HELP, 'h', "--help", NULL, "this text"},
};
enum { ARGUMENTS = sizeof table / sizeof table[0] };

// The other ways to start it.
static const char *const ways[] = {"[OPTION...]", "bench [DEPTH [NETWORK]]", "bench tables FOLDER",
                                   "selfplay --out FILE [OPTION...]",
                                   "puzzles FILE... --out FILE [OPTION...]"};
enum { WAYS = sizeof ways / sizeof ways[0] };

static const char summary[] =
    "An engine for programs that manage games: it speaks UCI, UCCI, CECP (xboard) and, where the\n"
    "game has it, SAU on standard input and output, whichever its first line is in.\n";
static const char on_commands[] =
    "bench searches fixed positions and prints the number of nodes, the same everywhere.\n"
    "NETWORK is default, none (the evaluation made by hand) or the file of one.\n"
    "bench tables, selfplay and puzzles are the lab's, a program of the checkout: the speed\n"
    "of the search with endgame tables; games against itself, for kraton tune; positions of\n"
    "such games with one best move.\n";

argument_kind argument_find(const char *given) {
    text word = text_of(given);
    for (int i = 0; i < ARGUMENTS; i++)
        if (text_is(word, table[i].name) || (table[i].letter && word.len == 2 &&
                                             word.at[0] == '-' && word.at[1] == table[i].letter))
            return table[i].kind;
    return ARGUMENT_NONE;
}

void arguments_suggest(suggestion *near) {
    static const char *const commands[] = {"bench", "selfplay", "puzzles"};
    for (int i = 0; i < ARGUMENTS; i++)
        suggest_offer(near, table[i].name);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        suggest_offer(near, commands[i]);
}

void arguments_print_help(const char *program) {
    for (int i = 0; i < WAYS; i++)
        printf("%s %s %s\n", i ? "      " : "usage:", program, ways[i]);
    printf("\n%s\n", summary);
    for (int i = 0; i < ARGUMENTS; i++) {
        const argument *a = &table[i];
        char shown[64];
        writer w = writer_on(shown, sizeof shown);
        if (a->letter)
            write_format(&w, "-%c, ", a->letter);
        write_format(&w, "%s%s%s", a->name, a->value ? " " : "", a->value ? a->value : "");
        printf("  %-22s %s\n", shown, a->help);
    }
    printf("\n%s", on_commands);
}

// An option of the protocols: its name in UCI, its default and range, and what it means.
static void add_setting(buffer *out, const dialect_option *o) {
    buffer help = {0};
    buffer_string(&help, settings_help(o->name));
    if (o->type == OPTION_SPIN)
        buffer_format(&help, "; %s, from %lld to %lld", o->initial, (long long)o->low,
                      (long long)o->high);
    else if (o->initial && *o->initial)
        buffer_format(&help, "; %s", o->initial);
    buffer_char(&help, '\0');
    manual_item(out, o->name, help.failed ? "" : help.bytes);
    out->failed |= help.failed;
    buffer_free(&help);
}

bool arguments_print_manual(const char *program, const rules_game *game) {
    engine_settings settings;
    dialect_option options[SETTINGS_OPTIONS];
    buffer out = {0};
    settings_init(&settings, game, options);
    manual_begin(&out, program, "an engine that speaks UCI, UCCI and CECP");
    buffer_string(&out, ".SH SYNOPSIS\n");
    for (int i = 0; i < WAYS; i++) {
        buffer_string(&out, i ? ".br\n.B " : ".B ");
        manual_line(&out, program);
        manual_line(&out, ways[i]);
    }
    buffer_string(&out, ".SH DESCRIPTION\n");
    manual_text(&out, summary);
    buffer_string(&out, ".PP\n");
    manual_text(&out, on_commands);
    buffer_string(&out, ".SH OPTIONS\n");
    for (int i = 0; i < ARGUMENTS; i++)
        manual_option(&out, table[i].letter, table[i].name + 2, table[i].value, table[i].help);
    buffer_string(&out, ".SH OPTIONS OF THE PROTOCOLS\n"
                        "With their defaults. Managers of games show them; \\-\\-option sets "
                        "them, too.\n");
    for (const dialect_option *o = options; o->name; o++)
        add_setting(&out, o);
    buffer_string(&out, ".SH EXIT STATUS\n");
    manual_item(&out, "0", "done");
    manual_item(&out, "1", "the output could not be written");
    manual_item(&out, "2", "wrong usage: an option or a value that there is not");
    buffer_string(&out, ".SH SEE ALSO\n.BR kraton (1)\n");
    bool is_done = !out.failed && fwrite(out.bytes, 1, out.len, stdout) == out.len;
    buffer_free(&out);
    return is_done;
}
