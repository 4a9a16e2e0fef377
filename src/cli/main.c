// kraton: the command line. The commands are in commands.c and cmd_*.c.
#include "cli/cli.h"
#include "match/program.h"
#include "os/process.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>

static const command *find_command(const char *name) {
    for (const command *c = all_commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static void print_commands(FILE *to) {
    fputs("usage: kraton COMMAND [ARGUMENT...]\n\n", to);
    for (const command *c = all_commands; c->name; c++)
        fprintf(to, "  %-12s %s\n", c->name, c->summary);
    fputs("  help         This list, or the help of a command: kraton help judge\n"
          "  version      Prints version, commit, compiler and instruction set.\n\n"
          "GAME is ",
          to);
    for (int i = 0; rules_nth(i); i++)
        fprintf(to, "%s%s", i ? " or " : "", rules_name(rules_nth(i)));
    fputs(".\nDocuments (docs/...) are in share/doc/kraton where Kraton is installed.\n", to);
}

// The help of a command, or of its subcommand if one is named.
static int print_help_of(int argc, char **argv) {
    const command *c = find_command(argv[0]);
    char help[] = "--help", *arguments[] = {help, NULL, NULL};
    if (!c)
        return commands_complain(argv[0]);
    bool is_part = c->parts && argc > 1;
    if (is_part) {
        arguments[0] = argv[1];
        arguments[1] = help;
    }
    return c->run(c, is_part ? 2 : 1, arguments);
}

// Whether an argument is `word`, `--word` or its letter.
static bool is_word(const char *argument, const char *word, const char *letter) {
    return strcmp(argument, word) == 0 || strcmp(argument, letter) == 0 ||
           (strncmp(argument, "--", 2) == 0 && !strcmp(argument + 2, word));
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        print_commands(stderr);
        return STATUS_USAGE;
    }
    if (strcmp(argv[1], "limit") == 0 && argc > 2) // how house bots are limited
        return program_limit_main(argc - 2, argv + 2);
    if (is_word(argv[1], "version", "-V"))
        return argc > 2 ? misuse("kraton %s: one argument too many: %s", argv[1],
                                 fault_quote(text_of(argv[2])).shown)
                        : print_version("kraton");
    if (is_word(argv[1], "help", "-h")) {
        if (argc > 2)
            return print_help_of(argc - 2, argv + 2);
        print_commands(stdout);
        return STATUS_OK;
    }
    const command *c = find_command(argv[1]);
    return c ? c->run(c, argc - 2, argv + 2) : commands_complain(argv[1]);
}

int main(int argc, char **argv) {
    os_process_begin(&argc, &argv);
    setlocale(LC_CTYPE, "");
    int status = run(argc, argv);
    // Errors of a full disk or a closed pipe may appear only now.
    bool failed = ferror(stdout) != 0;
    if (failed)
        putchar('\n'); // fail again, to set errno
    errno = 0;
    if (fclose(stdout) == 0 && !failed)
        return status;
    if (errno == EPIPE) // the reader has seen enough, as `| head` has
        return STATUS_UNREAD;
    return complain("kraton: cannot write the output%s%s", errno ? ": " : "",
                    errno ? strerror(errno) : "");
}
