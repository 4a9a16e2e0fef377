#include "cli/cli.h"
#include "base/encoding.h"
#include "base/suggest.h"
#include "base/version.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

// Length of the printable character at the start of t, or 0. ASCII's control characters are not
// printable, nor are those of U+0080 to U+009F, which terminals obey as well.
static size_t printable_length(text t) {
    unsigned char c = (unsigned char)t.at[0];
    if (c < 0x20 || c == 0x7f)
        return 0;
    if (c == 0xc2 && t.len > 1 && (unsigned char)t.at[1] < 0xa0)
        return 0;
    return (size_t)utf8_length(t);
}

static struct {
    const char *words, *program; // NULL: as they are
} spoken;

void speak_as(const char *words, const char *program) {
    spoken.words = words;
    spoken.program = program;
}

// Prints the program's name and goes behind the words where they stand for it.
static bool print_program(FILE *to, text *rest) {
    if (!spoken.words || !text_starts(*rest, spoken.words))
        return false;
    fputs(spoken.program, to);
    *rest = text_skip(*rest, strlen(spoken.words));
    return true;
}

static void print_help_line(FILE *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void print_help_line(FILE *to, const char *format, ...) {
    char lines[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(lines, sizeof lines, format, args);
    va_end(args);
    for (text rest = text_of(lines); rest.len;)
        if (!print_program(to, &rest)) {
            fputc(rest.at[0], to);
            rest = text_skip(rest, 1);
        }
}

static void print_complaint(const char *format, va_list args) {
    char line[1024];
    vsnprintf(line, sizeof line, format, args);
    for (text rest = text_of(line); rest.len;) {
        if (print_program(stderr, &rest))
            continue;
        size_t n = printable_length(rest);
        if (n)
            fwrite(rest.at, 1, n, stderr);
        else
            fputc('?', stderr);
        rest = text_skip(rest, n ? n : 1);
    }
    fputc('\n', stderr);
}

int complain(const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_complaint(format, args);
    va_end(args);
    return STATUS_BAD;
}

int misuse(const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_complaint(format, args);
    va_end(args);
    return STATUS_USAGE;
}

int print_version(const char *program) {
    char lines[VERSION_SIZE];
    writer w = writer_on(lines, sizeof lines);
    version_write(program, &w);
    fputs(lines, stdout);
    return STATUS_OK;
}

// The next of words with | between them, without it; empty after the last one.
static text next_choice(text *words) {
    text word = {words->at, text_find(*words, "|")};
    *words = text_skip(*words, word.len);
    *words = text_skip(*words, words->len ? 1 : 0);
    return word;
}

bool is_word_of(const char *given, const char *words) {
    text rest = text_of(words);
    for (text word = next_choice(&rest); word.len; word = next_choice(&rest))
        if (word.len == strlen(given) && memcmp(word.at, given, word.len) == 0)
            return true;
    return false;
}

int misuse_word(const char *where, const char *given, const char *words) {
    enum { WORDS = 16, WORD_SIZE = 32 };
    char known[256], offered[WORDS][WORD_SIZE];
    writer w = writer_on(known, sizeof known);
    suggestion near = suggest_for(text_of(given));
    text rest = text_of(words);
    for (int i = 0; i < WORDS && rest.len; i++) {
        text word = next_choice(&rest);
        writer one = writer_on(offered[i], sizeof offered[i]);
        write_text(&one, word);
        write_format(&w, "%s%s", i ? ", " : "", offered[i]);
        suggest_offer(&near, offered[i]);
    }
    return misuse("%s: %s is none of %s%s", where, fault_quote(text_of(given)).shown, known,
                  suggest_hint(&near).shown);
}

int print_json(json_t *object) {
    char *line = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
    json_decref(object);
    if (!line)
        return complain("kraton: out of memory");
    puts(line);
    free(line);
    return STATUS_OK;
}

const rules_game *find_game(const char *name) {
    const rules_game *game = rules_find(text_of(name));
    if (game)
        return game;
    char known[64];
    writer w = writer_on(known, sizeof known);
    suggestion near = suggest_for(text_of(name));
    for (int i = 0; rules_nth(i); i++) {
        write_format(&w, "%s%s", i ? ", " : "", rules_name(rules_nth(i)));
        suggest_offer(&near, rules_name(rules_nth(i)));
    }
    complain("kraton: no game %s (%s)%s", fault_quote(text_of(name)).shown, known,
             suggest_hint(&near).shown);
    return NULL;
}

bool find_rules(const rules_game *game, const char *name, rules_set *set) {
    fault why;
    *set = rules_default_set(game);
    if (!name || rules_set_parse(game, text_of(name), set, &why))
        return true;
    complain("kraton: %s", why.line);
    return false;
}

rules_state *new_game(const rules_game *game, const rules_set *set, const char *fen) {
    fault why;
    rules_set usual = rules_default_set(game);
    void *memory = malloc(rules_state_size(RULES_MAX_PLIES));
    if (!memory) {
        complain("kraton: out of memory");
        return NULL;
    }
    rules_state *state = rules_state_new(memory, game, set ? set : &usual, RULES_MAX_PLIES);
    if (fen && !rules_set_fen(state, text_of(fen), &why)) {
        complain("kraton: %s", why.line);
        free(memory);
        return NULL;
    }
    return state;
}

bool find_notation(const rules_game *game, const char *name, rules_notation *notation) {
    fault why;
    if (rules_find_notation(game, text_of(name), notation, &why))
        return true;
    complain("kraton: %s", why.line);
    return false;
}

// --- options -------------------------------------------------------------------------------------

static void print_usage(const command *self, FILE *to) {
    print_help_line(to, "usage: kraton %s%s%s\n", self->name, *self->arguments ? " " : "",
                    self->arguments);
}

static void print_help(const command *self, const option *table) {
    print_usage(self, stdout);
    print_help_line(stdout, "\n%s\n%s\n", self->summary, self->details);
    printf("options:\n");
    for (const option *o = table; o->name; o++) {
        if (!o->help)
            continue;
        char shown[64];
        writer w = writer_on(shown, sizeof shown);
        if (o->letter)
            write_format(&w, "-%c, ", o->letter);
        write_format(&w, "--%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
        print_help_line(stdout, "  %-22s %s\n", shown, o->help);
    }
    printf("  %-22s %s\n", "-h, --help", "this text");
}

static const option *find_option(const option *table, text name) {
    for (const option *o = table; o->name; o++)
        if (text_is(name, o->name))
            return o;
    return NULL;
}

static const option *find_letter(const option *table, const char *argument) {
    if (argument[0] != '-' || argument[1] == '\0' || argument[2] != '\0')
        return NULL;
    for (const option *o = table; o->name; o++)
        if (o->letter && o->letter == argument[1])
            return o;
    return NULL;
}

static int complain_usage(const command *self, const char *what, const char *argument) {
    return misuse("kraton %s: %s %s (kraton help %s)", self->name, what,
                  fault_quote(text_of(argument)).shown, self->name);
}

static int complain_unknown(const command *self, const option *table, const char *argument,
                            text name) {
    suggestion near = suggest_for(name);
    for (const option *o = table; o->name; o++)
        suggest_offer(&near, o->name);
    suggest_offer(&near, "help");
    if (!near.best)
        return complain_usage(self, "no option", argument);
    return misuse("kraton %s: no option %s%s", self->name, fault_quote(text_of(argument)).shown,
                  suggest_hint_with(&near, "--").shown);
}

// A move may begin with two hyphens: --=4 is a pawn's move in WXF notation.
static bool looks_like_option(const char *argument) {
    return strncmp(argument, "--", 2) == 0 && isalpha((unsigned char)argument[2]);
}

// Reads the option in argv[*i] and, where it takes one from there, its value in the next argument.
static int read_option(const command *self, const option *table, int argc, char **argv, int *i) {
    const char *argument = argv[*i], *equals = NULL;
    const option *o = find_letter(table, argument);
    text name = text_of(argument + 2);
    if (!o) {
        equals = memchr(name.at, '=', name.len);
        if (equals)
            name.len = (size_t)(equals - name.at);
        o = find_option(table, name);
    }
    if (!o)
        return complain_unknown(self, table, argument, name);
    if (!o->value) {
        if (equals)
            return complain_usage(self, "this option takes no value:", argument);
        *o->flag = true;
        return STATUS_OK;
    }
    if (!equals && *i + 1 == argc)
        return complain_usage(self, "a value is missing after", argument);
    const char *value = equals ? equals + 1 : argv[++*i];
    if (!option_takes(self, o, value))
        return STATUS_USAGE;
    if (o->string)
        *o->string = value;
    else if (o->list->count < OPTION_LIST_MAX)
        o->list->values[o->list->count++] = value;
    else
        return complain_usage(self, "too often:", argument);
    return STATUS_OK;
}

void options_place(const option_row *rows, size_t count, void *base, option *table) {
    for (size_t i = 0; i < count; i++) {
        void *place = (char *)base + rows[i].place;
        table[i] =
            (option){rows[i].name, rows[i].letter, rows[i].value, rows[i].help, .flag = NULL};
        if (rows[i].is_list)
            table[i].list = place;
        else if (rows[i].value)
            table[i].string = place;
        else
            table[i].flag = place;
    }
    table[count] = (option){.name = NULL};
}

bool options_read(const command *self, const option *table, int *argc, char **argv, int *status) {
    int kept = 0, i = 0;
    *status = STATUS_OK;
    if (self->visit) {
        self->visit(self, table, self->context);
        return false;
    }
    for (; i < *argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help(self, table);
            return false;
        }
        if (!looks_like_option(argv[i]) && !find_letter(table, argv[i])) {
            argv[kept++] = argv[i];
            continue;
        }
        *status = read_option(self, table, *argc, argv, &i);
        if (*status != STATUS_OK)
            return false;
    }
    for (i++; i < *argc; i++)
        argv[kept++] = argv[i];
    if (kept < self->least) {
        print_usage(self, stderr);
        *status = STATUS_USAGE;
    } else if (self->most >= 0 && kept > self->most) {
        *status = complain_usage(self, "one argument too many:", argv[self->most]);
    }
    *argc = kept;
    return *status == STATUS_OK;
}

bool option_takes(const command *self, const option *o, const char *value) {
    char where[64];
    writer w = writer_on(where, sizeof where);
    if (!strchr(o->value, '|') || is_word_of(value, o->value))
        return true;
    write_format(&w, "kraton %s: --%s", self->name, o->name);
    misuse_word(where, value, o->value);
    return false;
}

bool option_number(const command *self, const char *name, const char *value, int64_t low,
                   int64_t high, int64_t *number) {
    if (!value || text_to_int(text_of(value), low, high, number))
        return true;
    complain("kraton %s: --%s takes a number from %lld to %lld, not %s", self->name, name,
             (long long)low, (long long)high, fault_quote(text_of(value)).shown);
    return false;
}

bool option_int(const command *self, const char *name, const char *value, int low, int high,
                int *number) {
    int64_t n = *number;
    bool good = option_number(self, name, value, low, high, &n);
    *number = (int)n;
    return good;
}

bool option_real(const command *self, const char *name, const char *value, double low, double high,
                 double *number) {
    char *end = NULL;
    double given = value ? strtod(value, &end) : *number;
    if (value && (end == value || *end || !(given >= low && given <= high))) {
        complain("kraton %s: --%s takes a number from %g to %g, not %s", self->name, name, low,
                 high, fault_quote(text_of(value)).shown);
        return false;
    }
    *number = given;
    return true;
}

// --- subcommands --------------------------------------------------------------------------------

// The name of a subcommand without that of its command.
static const char *part_name(const command *part) { return strchr(part->name, ' ') + 1; }

static void print_parts(const command *self, FILE *to) {
    print_help_line(to, "usage: kraton %s COMMAND [ARGUMENT...]\n\n%s\n%s\n", self->name,
                    self->summary, self->details);
    for (const command *c = self->parts; c->name; c++)
        fprintf(to, "  %-12s %s\n", part_name(c), c->summary);
    print_help_line(to, "\n`kraton %s COMMAND --help` says more.\n", self->name);
}

int run_part(const command *self, int argc, char **argv) {
    if (argc == 0 || strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        print_parts(self, argc ? stdout : stderr);
        return argc ? STATUS_OK : STATUS_USAGE;
    }
    suggestion near = suggest_for(text_of(argv[0]));
    for (const command *c = self->parts; c->name; c++) {
        if (strcmp(argv[0], part_name(c)) == 0)
            return c->run(c, argc - 1, argv + 1);
        suggest_offer(&near, part_name(c));
    }
    return misuse("kraton %s: no command %s%s (kraton %s --help lists them)", self->name,
                  fault_quote(text_of(argv[0])).shown, suggest_hint(&near).shown, self->name);
}
