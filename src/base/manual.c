#include "base/manual.h"

#include "base/version.h"

#include <ctype.h>

// Hyphens stay hyphens, and no line begins with a request.
static void add_words(buffer *out, text words, bool is_line_start) {
    for (size_t i = 0; i < words.len; i++) {
        char c = words.at[i];
        if (is_line_start && (c == '.' || c == '\''))
            buffer_string(out, "\\&");
        if (c == '\\')
            buffer_string(out, "\\e");
        else if (c == '-')
            buffer_string(out, "\\-");
        else
            buffer_char(out, c);
        is_line_start = c == '\n';
    }
}

void manual_begin(buffer *out, const char *name, const char *summary) {
    text short_summary = text_of(summary);
    if (short_summary.len && short_summary.at[short_summary.len - 1] == '.')
        short_summary.len--;
    buffer_string(out, ".TH \"");
    for (const char *at = name; *at; at++)
        buffer_char(out, (char)toupper((unsigned char)*at));
    buffer_format(out, "\" 1 \"\" \"Kraton %s\" \"Kraton\"\n.SH NAME\n%s \\- ", version_number,
                  name);
    add_words(out, short_summary, false);
    buffer_char(out, '\n');
}

void manual_line(buffer *out, const char *words) {
    add_words(out, text_of(words), true);
    buffer_char(out, '\n');
}

void manual_text(buffer *out, const char *lines) {
    bool is_example = false, is_new = true;
    for (text rest = text_of(lines); rest.len;) {
        text line = text_next_line(&rest);
        bool indented = text_starts(line, "  ");
        if (indented != is_example)
            buffer_string(out, indented ? ".PP\n.nf\n" : ".fi\n.PP\n");
        else if (!line.len && !is_new && rest.len && !text_starts(rest, "  "))
            buffer_string(out, ".PP\n");
        is_example = indented;
        is_new = !line.len;
        if (line.len) {
            add_words(out, line, true);
            buffer_char(out, '\n');
        }
    }
    if (is_example)
        buffer_string(out, ".fi\n");
}

void manual_item(buffer *out, const char *name, const char *help) {
    buffer_string(out, ".TP\n.B ");
    manual_line(out, name);
    manual_line(out, help);
}

void manual_option(buffer *out, char letter, const char *name, const char *value,
                   const char *help) {
    buffer_string(out, ".TP\n.B ");
    if (letter)
        buffer_format(out, "\\-%c, ", letter);
    buffer_string(out, "\\-\\-");
    add_words(out, text_of(name), false);
    if (value) {
        buffer_string(out, " \\fI");
        add_words(out, text_of(value), false);
        buffer_string(out, "\\fR");
    }
    buffer_char(out, '\n');
    manual_line(out, help);
}
