#include "cli/options.h"

#include <ctype.h>
#include <stdio.h>

static void print_usage(const command *self, FILE *to) {
    fprintf(to, "usage: kraton %s%s%s\n", self->name, *self->arguments ? " " : "", self->arguments);
}

static void print_help(const command *self, const option *table) {
    print_usage(self, stdout);
    printf("\n%s\n%s\n", self->summary, self->details);
    printf("options:\n");
    for (const option *o = table; o->name; o++) {
        char shown[64];
        writer w = writer_on(shown, sizeof shown);
        if (o->letter)
            write_format(&w, "-%c, ", o->letter);
        write_format(&w, "--%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
        printf("  %-22s %s\n", shown, o->help);
    }
    printf("  %-22s %s\n", "--help", "this text");
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
    complain("kraton %s: %s %s (kraton help %s)", self->name, what,
             fault_quote(text_of(argument)).shown, self->name);
    return STATUS_USAGE;
}

// A move may begin with two hyphens, too: --=4 is a pawn's.
static bool looks_like_option(const char *argument) {
    return strncmp(argument, "--", 2) == 0 && isalpha((unsigned char)argument[2]);
}

// Reads the option in argv[*i] and, where it takes one from there, its value in the next argument.
static int read_option(const command *self, const option *table, int argc, char **argv, int *i) {
    const char *argument = argv[*i], *equals = NULL;
    const option *o = find_letter(table, argument);
    if (!o) {
        text name = text_of(argument + 2);
        equals = memchr(name.at, '=', name.len);
        if (equals)
            name.len = (size_t)(equals - name.at);
        o = find_option(table, name);
    }
    if (!o)
        return complain_usage(self, "no option", argument);
    if (!o->value) {
        if (equals)
            return complain_usage(self, "this option takes no value:", argument);
        *o->flag = true;
        return STATUS_OK;
    }
    if (!equals && *i + 1 == argc)
        return complain_usage(self, "a value is missing after", argument);
    const char *value = equals ? equals + 1 : argv[++*i];
    if (o->string)
        *o->string = value;
    else if (o->list->count < OPTION_LIST_MAX)
        o->list->values[o->list->count++] = value;
    else
        return complain_usage(self, "too often:", argument);
    return STATUS_OK;
}

bool options_read(const command *self, const option *table, int *argc, char **argv, int *status) {
    int kept = 0, i = 0;
    *status = STATUS_OK;
    for (; i < *argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0) {
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
