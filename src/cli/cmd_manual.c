// kraton man and kraton completion: manual pages, and completion for shells. Both are made from the
// tables of commands and options, so they cannot differ from what the program does.
#include "base/manual.h"
#include "cli/cli.h"
#include "cli/cmd_tb.h"
#include "cli/files.h"
#include "os/file.h"
#include "records/record.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>

// --- pieces -------------------------------------------------------------------------------------

// Adds a text with backslashes before the characters named.
static void add_escaped(buffer *out, const char *words, const char *special) {
    for (; *words; words++) {
        if (strchr(special, *words))
            buffer_char(out, '\\');
        buffer_char(out, *words);
    }
}

// Adds a text within '...' of a shell.
static void add_quoted(buffer *out, const char *words) {
    buffer_char(out, '\'');
    for (; *words; words++)
        if (*words == '\'')
            buffer_string(out, "'\\''");
        else
            buffer_char(out, *words);
    buffer_char(out, '\'');
}

// What a shell offers for a value.
typedef enum { VALUE_ANY, VALUE_FILE, VALUE_FOLDER, VALUE_WORDS } value_kind;

static void add_word(buffer *out, const char *word) { buffer_format(out, "%s ", word); }

static void add_games(buffer *out) {
    for (int i = 0; rules_nth(i); i++)
        add_word(out, rules_name(rules_nth(i)));
}

static void add_rules(buffer *out) {
    for (int i = 0; rules_nth(i); i++)
        for (int n = 0; rules_set_name(rules_nth(i), n); n++)
            add_word(out, rules_set_name(rules_nth(i), n));
}

// Those of endgame tables, and the rule sets that imply one.
static void add_conventions(buffer *out) {
    for (int i = 0; i < TB_CONVENTIONS; i++)
        add_word(out, tb_rules_name((tb_rules)i));
    for (int n = 0; rules_set_name(tb_game(), n); n++)
        if (!is_word_of(rules_set_name(tb_game(), n), "traditional|count"))
            add_word(out, rules_set_name(tb_game(), n));
}

static void add_notations(buffer *out) {
    for (int i = 0; rules_nth(i); i++)
        for (int n = 0; n < rules_properties_of(rules_nth(i))->notation_count; n++)
            add_word(out, rules_notation_name(rules_properties_of(rules_nth(i))->notations[n]));
}

static void add_formats(buffer *out) {
    for (int i = 0; i < RECORD_FORMATS; i++)
        add_word(out, record_format_name((record_format)i));
}

static void add_sides(buffer *out) {
    add_word(out, "first");
    add_word(out, "second");
    for (int i = 0; rules_nth(i); i++)
        for (int side = 0; side < 2; side++)
            add_word(out, rules_side_name(rules_nth(i), side));
}

// Names of values that stand for a list of words.
static const struct {
    const char *value;
    void (*add)(buffer *out);
} lists[] = {{"GAME", add_games},         {"RULES", add_rules},    {"CONVENTION", add_conventions},
             {"NOTATION", add_notations}, {"FORMAT", add_formats}, {"FROM", add_formats},
             {"TO", add_formats},         {"SIDE", add_sides}};
enum { LISTS = sizeof lists / sizeof lists[0] };

static bool is_one_of(const char *value, const char *const *names) {
    while (*names && strcmp(*names, value) != 0)
        names++;
    return *names != NULL;
}

static value_kind kind_of(const char *value) {
    static const char *const files[] = {"FILE", "BOOK", "OUT", "CMD", NULL};
    static const char *const folders[] = {"FOLDER", "DIR", NULL};
    if (strchr(value, '|') && islower((unsigned char)value[0]))
        return VALUE_WORDS;
    for (int i = 0; i < LISTS; i++)
        if (strcmp(value, lists[i].value) == 0)
            return VALUE_WORDS;
    if (is_one_of(value, folders))
        return VALUE_FOLDER;
    return is_one_of(value, files) ? VALUE_FILE : VALUE_ANY;
}

// The words of a value, blanks between them: of a list, or of first|second.
static void add_values(buffer *out, const char *value) {
    for (int i = 0; i < LISTS; i++)
        if (strcmp(value, lists[i].value) == 0) {
            lists[i].add(out);
            return;
        }
    for (; *value; value++)
        buffer_char(out, *value == '|' ? ' ' : *value);
}

// The name of a command's n-th argument, from 0, as its usage line has it: "GAME" of "[GAME] ...".
// False where there is none or options come before it.
static bool name_argument(const command *c, int n, char name[128]) {
    text rest = text_of(c->arguments), word = text_next_word(&rest);
    for (; n > 0 && word.len && !text_starts(word, "-") && !text_starts(word, "[-"); n--)
        word = text_next_word(&rest);
    if (!word.len || text_starts(word, "-") || text_starts(word, "[-"))
        return false;
    writer w = writer_on(name, 128);
    for (size_t i = 0; i < word.len && word.at[i] != '.'; i++)
        if (!strchr("[]", word.at[i]))
            write_char(&w, word.at[i]);
    return !w.overflow;
}

// Where a command's name ends in the line: `kraton tb build` is three words.
static int words_of(const command *c) { return strchr(c->name, ' ') ? 3 : 2; }

enum { ARGUMENTS_OFFERED = 2 };

static void add_commands(buffer *out, const command *c, bool parts) {
    const char *between = "";
    for (; c->name; c++, between = " ")
        buffer_format(out, "%s%s", between, parts ? strchr(c->name, ' ') + 1 : c->name);
}

// --- manual pages -------------------------------------------------------------------------------

// Writes the name of a command's page: "kraton-tb-build" for "tb build", "kraton" for "".
static void write_page_name(writer *w, const char *name) {
    write_format(w, "kraton%s", *name ? "-" : "");
    for (; *name; name++)
        write_char(w, *name == ' ' ? '-' : *name);
}

static void begin_page(buffer *out, const char *name, const char *summary) {
    char page[64];
    writer w = writer_on(page, sizeof page);
    write_page_name(&w, name);
    manual_begin(out, page, summary);
}

static void add_statuses(buffer *out) {
    buffer_string(out, ".SH EXIT STATUS\n");
    manual_item(out, "0", "done");
    manual_item(out, "1", "bad input, a failure, or a check that found something wrong");
    manual_item(out, "2", "wrong usage");
    manual_item(out, "141", "whoever read the output has gone");
    manual_item(out, "130, 143", "a match was interrupted by SIGINT or SIGTERM");
}

static void add_options(buffer *out, const option *table) {
    for (const option *o = table; o->name; o++)
        if (o->help)
            manual_option(out, o->letter, o->name, o->value, o->help);
}

// The parts of a command, or all commands.
static void add_list(buffer *out, const command *list) {
    for (const command *c = list; c && c->name; c++) {
        const char *blank = strchr(c->name, ' ');
        manual_item(out, blank ? blank + 1 : c->name, c->summary);
    }
}

static void add_page(buffer *out, const command *c, const option *table) {
    begin_page(out, c->name, c->summary);
    buffer_format(out, ".SH SYNOPSIS\n.B kraton %s\n", c->name);
    manual_line(out, c->arguments);
    buffer_string(out, ".SH DESCRIPTION\n");
    manual_line(out, c->summary);
    manual_text(out, c->details);
    if (c->parts)
        buffer_string(out, ".SH COMMANDS\n");
    add_list(out, c->parts);
    if (table->name)
        buffer_string(out, ".SH OPTIONS\n");
    add_options(out, table);
    add_statuses(out);
    buffer_string(out, ".SH SEE ALSO\n.BR kraton (1)\n");
}

static void add_main_page(buffer *out) {
    begin_page(out, "", "rules, records, matches, endgame tables and a server for two games");
    buffer_string(out, ".SH SYNOPSIS\n.B kraton\n.I COMMAND\n[\\fIARGUMENT\\fR...]\n"
                       ".SH COMMANDS\nEach has a page of its own:\n"
                       ".BR kraton\\-play (1)\nand so on.\n");
    add_list(out, all_commands);
    add_statuses(out);
    buffer_string(out, ".SH ENVIRONMENT\n");
    manual_item(out, "NO_COLOR", "no colours, if it is set and not empty");
    manual_item(out, "KRATON_TABLES", "folder of endgame tables for engines that kraton starts");
    buffer_string(out, ".SH SEE ALSO\n");
    for (int i = 0; rules_nth(i); i++) {
        char line[64];
        writer w = writer_on(line, sizeof line);
        write_format(&w, "%s (1),", rules_properties_of(rules_nth(i))->engine);
        buffer_string(out, ".BR ");
        manual_line(out, line);
    }
    buffer_string(out, ".BR kraton\\-tables (1)\n");
}

// kraton-tables may be alone on a machine, so its page has all its commands.
static const char tables_page[] = "tables";

static void visit_tables(const command *c, const option *table, void *context) {
    buffer *out = context;
    if (strncmp(c->name, "tb ", 3) != 0)
        return;
    buffer_format(out, ".SS \"%s\"\n.B kraton\\-tables %s\n", c->name + 3, c->name + 3);
    manual_line(out, c->arguments);
    buffer_string(out, ".PP\n");
    manual_line(out, c->summary);
    manual_text(out, c->details);
    add_options(out, table);
}

static void add_tables_page(buffer *out) {
    begin_page(out, tables_page, "endgame tables: builder, prober and verifier");
    buffer_string(out, ".SH SYNOPSIS\n.B kraton\\-tables\n.I COMMAND\n[\\fIARGUMENT\\fR...]\n"
                       ".SH DESCRIPTION\nThis is the command \\fBkraton tb\\fR as a program of its "
                       "own: type kraton\\-tables where an example says \\(lqkraton tb\\(rq.\n"
                       ".SH COMMANDS\n");
    commands_visit(visit_tables, out);
    add_statuses(out);
    buffer_string(out, ".SH SEE ALSO\n.BR kraton (1)\n");
}

typedef struct {
    buffer out;
    const char *wanted; // a command's name; NULL: all of them, to a folder
    const char *folder;
    bool is_found;
    int status;
} pages;

static void write_page(pages *p, const char *name) {
    char path[4096];
    writer w = writer_on(path, sizeof path);
    fault why = {"the file name is too long"};
    write_format(&w, "%s/", p->folder);
    write_page_name(&w, name);
    write_string(&w, ".1");
    if (w.overflow || p->out.failed || !file_write(path, buffer_text(&p->out), &why))
        p->status = complain("kraton man: %s", why.line);
    buffer_clear(&p->out);
}

// A page is done: to its file, or kept for standard output.
static void end_page(pages *p, const char *name) {
    p->is_found = true;
    if (!p->wanted && p->status == STATUS_OK)
        write_page(p, name);
}

static bool is_wanted(const pages *p, const char *name) {
    return !p->wanted || strcmp(p->wanted, name) == 0;
}

static void visit_page(const command *c, const option *table, void *context) {
    pages *p = context;
    if (!is_wanted(p, c->name))
        return;
    add_page(&p->out, c, table);
    end_page(p, c->name);
}

int cmd_man(const command *self, int argc, char **argv) {
    pages p = {.status = STATUS_OK};
    const option table[] = {
        {"out", 'o', "FOLDER", "write the pages of all commands there", .string = &p.folder},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    char name[64] = "";
    writer w = writer_on(name, sizeof name);
    for (int i = 0; i < argc; i++)
        write_format(&w, "%s%s", i ? " " : "", argv[i]);
    if (p.folder && argc)
        return misuse("kraton man: --out writes all pages, not that of one command");
    if (p.folder && !os_folder_make(p.folder))
        return complain("kraton man: %s: %s", p.folder, strerror(errno));
    p.wanted = p.folder ? NULL : name;
    if (is_wanted(&p, "")) {
        add_main_page(&p.out);
        end_page(&p, "");
    }
    if (is_wanted(&p, tables_page)) {
        add_tables_page(&p.out);
        end_page(&p, tables_page);
    }
    commands_visit(visit_page, &p);
    if (!p.is_found)
        p.status = commands_complain(name);
    else if (!p.folder)
        fwrite(p.out.bytes, 1, p.out.len, stdout);
    buffer_free(&p.out);
    return p.status;
}

// --- bash ---------------------------------------------------------------------------------------

// A case for each command: its options, and what follows those that take a value.
static void visit_bash(const command *c, const option *table, void *context) {
    buffer *out = context;
    buffer_format(out, "    '%s')\n        options='", c->name);
    for (const option *o = table; o->name; o++)
        if (o->help)
            buffer_format(out, "--%s ", o->name);
    buffer_string(out, "--help'\n        case $previous in\n");
    for (const option *o = table; o->name; o++) {
        if (!o->help || !o->value)
            continue;
        buffer_format(out, "        --%s", o->name);
        if (o->letter)
            buffer_format(out, "|-%c", o->letter);
        buffer_string(out, ") ");
        switch (kind_of(o->value)) {
        case VALUE_FILE:
            buffer_string(out, "COMPREPLY=($(compgen -f -- \"$current\"))");
            break;
        case VALUE_FOLDER:
            buffer_string(out, "COMPREPLY=($(compgen -d -- \"$current\"))");
            break;
        case VALUE_WORDS:
            buffer_string(out, "COMPREPLY=($(compgen -W '");
            add_values(out, o->value);
            buffer_string(out, "' -- \"$current\"))");
            break;
        case VALUE_ANY:
            buffer_string(out, "COMPREPLY=()");
            break;
        }
        buffer_string(out, "; return ;;\n");
    }
    buffer_string(out, "        esac\n");
    char name[128];
    for (int n = 0; n < ARGUMENTS_OFFERED; n++)
        if (name_argument(c, n, name) && kind_of(name) == VALUE_WORDS) {
            buffer_format(out, "        ((COMP_CWORD == %d)) && words='", words_of(c) + n);
            add_values(out, name);
            buffer_string(out, "'\n");
        }
    buffer_string(out, "        ;;\n");
}

static void write_bash(buffer *out) {
    buffer_string(out, "# bash completion for kraton; made by `kraton completion bash`\n"
                       "_kraton() {\n"
                       "    local current=${COMP_WORDS[COMP_CWORD]}\n"
                       "    local previous=${COMP_WORDS[COMP_CWORD-1]}\n"
                       "    local command=${COMP_WORDS[1]} options= words=\n"
                       "    COMPREPLY=()\n"
                       "    if ((COMP_CWORD == 1)); then\n"
                       "        COMPREPLY=($(compgen -W '");
    add_commands(out, all_commands, false);
    buffer_string(out, " help version --help --version' -- \"$current\"))\n        return\n    fi\n"
                       "    case $command in\n");
    for (const command *c = all_commands; c->name; c++)
        if (c->parts) {
            buffer_format(out, "    %s)\n        if ((COMP_CWORD == 2)); then words='", c->name);
            add_commands(out, c->parts, true);
            buffer_format(out, "'; else command=\"%s ${COMP_WORDS[2]}\"; fi ;;\n", c->name);
        }
    buffer_string(out, "    help|man)\n        words='");
    add_commands(out, all_commands, false);
    buffer_string(out, "' ;;\n    esac\n    case $command in\n");
    commands_visit(visit_bash, out);
    buffer_string(out, "    esac\n"
                       "    if [[ $current == -* ]]; then\n"
                       "        COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
                       "    elif [[ $words ]]; then\n"
                       "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                       "    else\n"
                       "        COMPREPLY=($(compgen -W '");
    add_games(out);
    buffer_string(out, "' -f -- \"$current\"))\n"
                       "    fi\n"
                       "}\n"
                       "complete -o filenames -F _kraton kraton\n");
}

// --- zsh ----------------------------------------------------------------------------------------

static void add_zsh_value(buffer *out, const char *value) {
    buffer_char(out, ':');
    add_escaped(out, value, ":\\");
    buffer_char(out, ':');
    switch (kind_of(value)) {
    case VALUE_FILE:
        buffer_string(out, "_files");
        break;
    case VALUE_FOLDER:
        buffer_string(out, "_files -/");
        break;
    case VALUE_WORDS:
        buffer_char(out, '(');
        add_values(out, value);
        buffer_char(out, ')');
        break;
    case VALUE_ANY:
        buffer_char(out, ' ');
        break;
    }
}

static void add_zsh_option(buffer *out, const option *o, const char *dashes, const char *name) {
    buffer line = {0};
    buffer_format(&line, "%s%s[", dashes, name);
    add_escaped(&line, o->help, "[]:\\");
    buffer_char(&line, ']');
    if (o->value)
        add_zsh_value(&line, o->value);
    buffer_char(&line, '\0');
    buffer_string(out, " \\\n            ");
    add_quoted(out, line.failed ? "" : line.bytes);
    buffer_free(&line);
}

static void visit_zsh(const command *c, const option *table, void *context) {
    buffer *out = context;
    buffer_format(out, "    ('%s')\n        _arguments", c->name);
    for (const option *o = table; o->name; o++) {
        if (!o->help)
            continue;
        char letter[2] = {o->letter, '\0'};
        if (o->letter)
            add_zsh_option(out, o, "-", letter);
        add_zsh_option(out, o, "--", o->name);
    }
    buffer_string(out, " \\\n            '--help[this text]' \\\n            ");
    char name[128];
    for (int n = 0; n < ARGUMENTS_OFFERED; n++)
        if (name_argument(c, n, name) && kind_of(name) == VALUE_WORDS) {
            buffer_format(out, "'%d: :(", n + 1);
            add_values(out, name);
            buffer_string(out, ")' \\\n            ");
        }
    buffer_string(out, "'*: :_kraton_arguments' ;;\n");
}

static void add_zsh_list(buffer *out, const command *c, bool parts) {
    for (; c->name; c++) {
        buffer line = {0};
        add_escaped(&line, parts ? strchr(c->name, ' ') + 1 : c->name, ":\\");
        buffer_char(&line, ':');
        add_escaped(&line, c->summary, "\\");
        buffer_char(&line, '\0');
        buffer_string(out, " \\\n            ");
        add_quoted(out, line.failed ? "" : line.bytes);
        buffer_free(&line);
    }
}

static void write_zsh(buffer *out) {
    buffer_string(out, "#compdef kraton\n"
                       "# zsh completion for kraton; made by `kraton completion zsh`\n"
                       "_kraton_arguments() {\n"
                       "    _alternative 'games:game:(");
    add_games(out);
    buffer_string(out, ")' 'files:file:_files'\n}\n"
                       "_kraton_commands() {\n    local -a list\n    list=(");
    add_zsh_list(out, all_commands, false);
    buffer_string(out, ")\n    _describe command list\n}\n"
                       "_kraton() {\n"
                       "    if ((CURRENT == 2)); then\n"
                       "        _kraton_commands\n"
                       "        return\n"
                       "    fi\n"
                       "    local name=${words[2]}\n"
                       "    local -a list\n"
                       "    shift words\n    ((CURRENT--))\n"
                       "    case $name in\n");
    for (const command *c = all_commands; c->name; c++)
        if (c->parts) {
            buffer_format(out, "    (%s)\n        if ((CURRENT == 2)); then\n            list=(",
                          c->name);
            add_zsh_list(out, c->parts, true);
            buffer_format(out,
                          ")\n            _describe command list\n            return\n"
                          "        fi\n        name=\"%s ${words[2]}\"\n"
                          "        shift words\n        ((CURRENT--)) ;;\n",
                          c->name);
        }
    buffer_string(out, "    (help|man)\n        _kraton_commands\n        return ;;\n    esac\n"
                       "    case $name in\n");
    commands_visit(visit_zsh, out);
    buffer_string(out, "    esac\n}\n_kraton \"$@\"\n");
}

// --- fish ---------------------------------------------------------------------------------------

// The condition under which a command's options are offered.
static void add_fish_condition(buffer *out, const char *name) {
    const char *blank = strchr(name, ' ');
    buffer_string(out, "complete -c kraton -n '");
    buffer_format(out, "__fish_seen_subcommand_from %.*s",
                  blank ? (int)(blank - name) : (int)strlen(name), name);
    if (blank)
        buffer_format(out, "; and __fish_seen_subcommand_from %s", blank + 1);
    buffer_string(out, "'");
}

static void visit_fish(const command *c, const option *table, void *context) {
    buffer *out = context;
    for (const command *part = c->parts; part && part->name; part++) {
        add_fish_condition(out, c->name);
        buffer_format(out, " -f -a %s -d ", strchr(part->name, ' ') + 1);
        add_quoted(out, part->summary);
        buffer_string(out, "\n");
    }
    for (const option *o = table; o->name; o++) {
        if (!o->help)
            continue;
        add_fish_condition(out, c->name);
        buffer_format(out, " -l %s", o->name);
        if (o->letter)
            buffer_format(out, " -s %c", o->letter);
        if (o->value) {
            value_kind kind = kind_of(o->value);
            buffer_string(out, kind == VALUE_FILE || kind == VALUE_FOLDER ? " -r" : " -x");
            if (kind == VALUE_WORDS) {
                buffer_string(out, " -a '");
                add_values(out, o->value);
                buffer_string(out, "'");
            }
        }
        buffer_string(out, " -d ");
        add_quoted(out, o->help);
        buffer_string(out, "\n");
    }
    char name[128];
    for (int n = 0; n < ARGUMENTS_OFFERED; n++)
        if (name_argument(c, n, name) && kind_of(name) == VALUE_WORDS) {
            add_fish_condition(out, c->name);
            out->len--; // the quote at the end of the condition
            buffer_format(out, "; and test (count (commandline -opc)) -eq %d' -f -a '",
                          words_of(c) + n);
            add_values(out, name);
            buffer_string(out, "'\n");
        }
}

static void write_fish(buffer *out) {
    buffer_string(out, "# fish completion for kraton; made by `kraton completion fish`\n");
    for (const command *c = all_commands; c->name; c++) {
        buffer_format(out, "complete -c kraton -n __fish_use_subcommand -f -a %s -d ", c->name);
        add_quoted(out, c->summary);
        buffer_string(out, "\n");
    }
    buffer_string(out, "complete -c kraton -n __fish_use_subcommand -l help\n"
                       "complete -c kraton -n __fish_use_subcommand -l version\n");
    commands_visit(visit_fish, out);
}

int cmd_completion(const command *self, int argc, char **argv) {
    static const char *const shells[] = {"bash", "zsh", "fish", NULL};
    static void (*const writers[])(buffer *) = {write_bash, write_zsh, write_fish};
    const option table[] = {{.name = NULL}};
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    for (int i = 0; shells[i]; i++)
        if (strcmp(argv[0], shells[i]) == 0) {
            buffer out = {0};
            writers[i](&out);
            if (out.failed)
                return complain("kraton completion: out of memory");
            fwrite(out.bytes, 1, out.len, stdout);
            buffer_free(&out);
            return STATUS_OK;
        }
    return misuse_word("kraton completion", argv[0], self->arguments);
}
