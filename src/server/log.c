#include "server/log.h"

#include "server/server.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static const char *const level_names[] = {"info", "warning", "error"};

// Written before threads start, and by SIGHUP on the loop.
static bool writes_json;
static log_level least_level;
static FILE *access_file;

void log_set(bool as_json, log_level least) {
    writes_json = as_json;
    least_level = least;
}

bool log_level_find(text name, log_level *level) {
    for (int i = LEVEL_INFO; i <= LEVEL_ERROR; i++)
        if (text_is(name, level_names[i])) {
            *level = (log_level)i;
            return true;
        }
    return false;
}

bool log_open_access(const char *path, fault *why) {
    FILE *opened = fopen(path, "ae");
    if (!opened)
        return fault_set(why, "cannot write to the log %s: %s", path, strerror(errno));
    setvbuf(opened, NULL, _IOLBF, BUFSIZ);
    if (access_file)
        fclose(access_file);
    access_file = opened;
    return true;
}

// A string of JSON; control characters become ?.
static void write_quoted(writer *w, const char *words) {
    write_char(w, '"');
    for (; *words; words++) {
        if (*words == '"' || *words == '\\')
            write_char(w, '\\');
        write_char(w, (unsigned char)*words < ' ' ? '?' : *words);
    }
    write_char(w, '"');
}

static void write_key(writer *w, const char *key, const char *words) {
    write_format(w, ",\"%s\":", key);
    write_quoted(w, words);
}

void log_write(log_level level, const char *format, ...) {
    char words[512], line[1200], moment[32];
    va_list args;
    if (level < least_level)
        return;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    writer w = writer_on(moment, sizeof moment), out = writer_on(line, sizeof line);
    server_write_moment(&w, server_wall());
    if (writes_json) {
        write_format(&out, "{\"time\":\"%s\"", moment);
        write_key(&out, "level", level_names[level]);
        write_key(&out, "message", words);
        write_char(&out, '}');
        fprintf(stderr, "%s\n", line);
        return;
    }
    for (char *c = words; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = '?';
    fprintf(stderr, "%s %s%s%s\n", moment, level == LEVEL_INFO ? "" : level_names[level],
            level == LEVEL_INFO ? "" : ": ", words);
}

// Text is the Common Log Format with the time taken behind it.
void log_request(const logged_request *r) {
    char line[1200], moment[32];
    if (!access_file)
        return;
    writer w = writer_on(moment, sizeof moment), out = writer_on(line, sizeof line);
    server_write_moment(&w, server_wall());
    if (writes_json) {
        write_format(&out, "{\"time\":\"%s\"", moment);
        write_key(&out, "address", r->address);
        if (r->name)
            write_key(&out, "name", r->name);
        write_key(&out, "method", r->method);
        write_key(&out, "path", r->path);
        write_format(&out, ",\"status\":%d,\"bytes\":%zu,\"us\":%lld}", r->status, r->bytes,
                     (long long)r->us);
    } else {
        write_format(&out, "%s - %s [%s] ", r->address, r->name ? r->name : "-", moment);
        write_format(&out, "\"%s ", r->method);
        for (const char *c = r->path; *c; c++)
            write_char(&out, (unsigned char)*c < ' ' || *c == '"' ? '?' : *c);
        write_format(&out, "\" %d %zu %lld", r->status, r->bytes, (long long)r->us);
    }
    fprintf(access_file, "%s\n", line);
}
