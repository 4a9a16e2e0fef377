#include "match/output.h"

#include "os/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

// A file of the run. The transcript and the events are logs: they begin with the run. The files of
// games keep what they hold until the first game is over, so that a run that cannot start does not
// destroy the one before it.
typedef struct {
    FILE *file;
    const char *path;
    bool is_created; // by this run
    bool is_emptied; // before the first write
    bool has_failed; // and the caller knows it
    int error;       // of the first write that failed; 0: none, or not known
} output_file;

enum { JSON, PGN, TRANSCRIPT, EVENTS, FILES };

struct match_output {
    output_file files[FILES];
    const char *records;
};

// Opens a device or a named pipe. A pipe without a reader would keep us waiting, perhaps for ever.
static FILE *open_special(const char *path, os_kind kind, fault *why) {
    uv_fs_t request;
    int first = uv_fs_open(NULL, &request, path, UV_FS_O_WRONLY | UV_FS_O_NONBLOCK, 0, NULL);
    uv_fs_req_cleanup(&request);
    if (kind == OS_KIND_PIPE && first == UV_ENXIO) {
        fault_set(why, "%s is a pipe that nobody reads: start its reader first", path);
        return NULL;
    }
    FILE *file = fopen(path, "we"); // does not wait: the pipe has a reader
    if (!file)
        fault_set(why, "%s: %s", path, strerror(errno));
    if (first >= 0) {
        uv_fs_close(NULL, &request, first, NULL);
        uv_fs_req_cleanup(&request);
    }
    return file;
}

// What a killed run left of its last line must not become the head of ours.
static void end_last_line(FILE *file) {
    if (fseek(file, -1, SEEK_END) == 0 && fgetc(file) != '\n') {
        fseek(file, 0, SEEK_END); // between reading and writing
        fputc('\n', file);
    }
}

static bool open_file(output_file *f, const char *path, match_output_mode mode, fault *why) {
    if (!path)
        return true;
    f->path = path;
    os_file_status status;
    bool is_standard = strcmp(path, "-") == 0,
         is_there = !is_standard && os_path_get_status(path, &status),
         is_special = is_standard || (is_there && status.kind != OS_KIND_FILE);
    if (is_special) {
        f->file = is_standard ? stdout : open_special(path, status.kind, why);
        if (f->file) // so that after a failure nothing waits to be written
            setvbuf(f->file, NULL, _IONBF, 0);
        return f->file != NULL;
    }
    if (is_there && mode != OUTPUT_NEW) {
        f->is_emptied = mode == OUTPUT_REPLACE;
        f->file = fopen(path, mode == OUTPUT_REPLACE ? "r+e" : "a+e");
        if (f->file && mode == OUTPUT_APPEND)
            end_last_line(f->file);
    } else {
        f->file = fopen(path, "wxe");
        f->is_created = f->file != NULL;
    }
    if (f->file)
        return true;
    return errno == EEXIST
               ? fault_set(why, "%s exists already (--append adds to it, --overwrite replaces it)",
                           path)
               : fault_set(why, "%s: %s", path, strerror(errno));
}

static bool empty_file(output_file *f, fault *why) {
    if (!f->is_emptied)
        return true;
    f->is_emptied = false;
    os_file file = {fileno(f->file)};
    if (!os_file_truncate(&file, 0))
        return fault_set(why, "%s: %s", f->path, strerror(errno));
    rewind(f->file);
    return true;
}

bool match_output_begin(match_output *o, fault *why) {
    return empty_file(&o->files[JSON], why) && empty_file(&o->files[PGN], why);
}

match_output *match_output_open(const match_output_plan *plan, match_output_mode mode, fault *why) {
    const char *const paths[FILES] = {plan->json, plan->pgn, plan->transcript, plan->events};
    // A run that is taken up again writes its games anew from the journal.
    match_output_mode games = mode == OUTPUT_RESUME ? OUTPUT_REPLACE : mode,
                      logs = mode == OUTPUT_RESUME ? OUTPUT_APPEND : mode;
    match_output *o = calloc(1, sizeof *o);
    if (!o) {
        fault_set(why, "out of memory");
        return NULL;
    }
    o->records = plan->records;
    for (int i = 0; i < FILES; i++) {
        if (!open_file(&o->files[i], paths[i], i == JSON || i == PGN ? games : logs, why)) {
            match_output_abandon(o);
            return NULL;
        }
    }
    if (!empty_file(&o->files[TRANSCRIPT], why) || !empty_file(&o->files[EVENTS], why)) {
        match_output_abandon(o);
        return NULL;
    }
    if (o->files[TRANSCRIPT].file) // the last line before a hang must be there
        setvbuf(o->files[TRANSCRIPT].file, NULL, _IOLBF, 0);
    if (o->files[PGN].file)
        fseek(o->files[PGN].file, 0, SEEK_END); // ftell tells if there is a game before the first
    return o;
}

void match_output_close(match_output *o) {
    if (!o)
        return;
    for (int i = 0; i < FILES; i++)
        if (o->files[i].file && o->files[i].file != stdout)
            fclose(o->files[i].file);
    free(o);
}

void match_output_abandon(match_output *o) {
    os_file_status status;
    for (int i = 0; o && i < FILES; i++)
        if (o->files[i].is_created && fflush(o->files[i].file) == 0 &&
            os_path_get_status(o->files[i].path, &status) && status.size == 0)
            os_path_remove(o->files[i].path);
    match_output_close(o);
}

static bool write_file(FILE *file, const char *path, const buffer *b, fault *why) {
    if (b->failed)
        return fault_set(why, "out of memory");
    if (fwrite(b->bytes, 1, b->len, file) != b->len)
        return fault_set(why, "%s: %s", path, strerror(errno));
    return true;
}

// Each contest record is a file of its own. Its name is the game's number and the name that the
// contest prescribes. The format cannot hold a game that the second side begins.
static bool write_contest(match_output *o, const match_game *g, const record *r, fault *why) {
    if (g->begins != 0)
        return true;
    char name[512], path[1024];
    writer w = writer_on(name, sizeof name);
    record_write_file_name(r, RECORD_CONTEST, 0, &w);
    w = writer_on(path, sizeof path);
    write_format(&w, "%s/%05" PRIu32 "-%s", o->records, g->pairing.index + 1, name);
    buffer b = {0};
    bool good = record_write(r, RECORD_CONTEST, &b, why);
    FILE *file = good ? fopen(path, "we") : NULL;
    if (good && !file)
        good = fault_set(why, "%s: %s", path, strerror(errno));
    good = good && write_file(file, path, &b, why);
    if (file && fclose(file) != 0 && good)
        good = fault_set(why, "%s: %s", path, strerror(errno));
    buffer_free(&b);
    return good;
}

static bool write_output(output_file *f, const buffer *b, fault *why) {
    f->has_failed |= !write_file(f->file, f->path, b, why);
    return !f->has_failed;
}

static bool write_records(match_output *o, const match_game *g, const match_game_style *style,
                          fault *why) {
    record r;
    bool good = match_game_record(g, style, &r);
    if (!good)
        fault_set(why, "out of memory");
    if (good && o->files[PGN].file) {
        buffer b = {0};
        if (ftell(o->files[PGN].file) > 0)
            fputc('\n', o->files[PGN].file); // a blank line between games
        good = record_write(&r, RECORD_PGN, &b, why) && write_output(&o->files[PGN], &b, why);
        buffer_free(&b);
    }
    if (good && o->records)
        good = write_contest(o, g, &r, why);
    record_free(&r);
    return good;
}

bool match_output_game(match_output *o, const match_game *g, const match_game_style *style,
                       fault *why) {
    if (!match_output_begin(o, why))
        return false;
    if (o->files[JSON].file) {
        buffer b = {0};
        match_game_write(g, style, &b);
        bool good = write_output(&o->files[JSON], &b, why);
        buffer_free(&b);
        if (!good)
            return false;
    }
    return (!o->files[PGN].file && !o->records) || write_records(o, g, style, why);
}

void match_output_talk(match_output *o, uint32_t index, const char *engine, bool to_engine,
                       text line, int64_t at_us) {
    output_file *f = &o->files[TRANSCRIPT];
    int written =
        fprintf(f->file, "%" PRId64 ".%06" PRId64 " game %" PRIu32 " %s %s %.*s\n", at_us / 1000000,
                at_us % 1000000, index + 1, engine, to_engine ? "<" : ">", (int)line.len, line.at);
    if (written < 0 && !f->error)
        f->error = errno; // match_output_sync tells
}

bool match_output_wants_events(const match_output *o) { return o->files[EVENTS].file != NULL; }

bool match_output_event(match_output *o, const buffer *line, fault *why) {
    if (!o->files[EVENTS].file)
        return true;
    if (!write_output(&o->files[EVENTS], line, why))
        return false;
    return fflush(o->files[EVENTS].file) == 0 ||
           fault_set(why, "%s: %s", o->files[EVENTS].path, strerror(errno));
}

int match_output_error_fd(const match_output *o) {
    return o->files[TRANSCRIPT].file ? fileno(o->files[TRANSCRIPT].file) : -1;
}

bool match_output_sync(match_output *o, fault *why) {
    for (int i = 0; i < FILES; i++) {
        output_file *f = &o->files[i];
        if (f->file && !f->error && fflush(f->file) != 0)
            f->error = errno;
        if (f->file && !f->has_failed && (f->error || ferror(f->file)))
            return fault_set(why, "%s: %s", f->path, strerror(f->error ? f->error : EIO));
    }
    return true;
}

// --- events -------------------------------------------------------------------------------------

// `{"event":"NAME"`
static void open_event(buffer *out, const char *name) {
    buffer_format(out, "{\"event\":\"%s\"", name);
}

static void close_event(buffer *out) { buffer_add(out, text_of("}\n")); }

void events_start(buffer *out, const char *game, const char *const *names, int count,
                  uint32_t games) {
    open_event(out, "start");
    match_write_string(out, "game", game);
    buffer_format(out, ",\"games\":%" PRIu32 ",\"engines\":[", games);
    for (int i = 0; i < count; i++) {
        buffer_add(out, text_of(i ? ",{\"number\":" : "{\"number\":"));
        buffer_format(out, "%d", i + 1);
        match_write_string(out, "name", names[i]);
        buffer_char(out, '}');
    }
    buffer_char(out, ']');
    close_event(out);
}

void events_begin(buffer *out, const match_game *g, const match_game_style *style) {
    open_event(out, "begin");
    buffer_format(out, ",\"number\":%" PRIu32 ",\"round\":%d,\"opening\":%" PRIu32,
                  g->pairing.index + 1, g->pairing.round + 1, g->pairing.opening + 1);
    match_write_string(out, "first", style->first);
    match_write_string(out, "second", style->second);
    if (g->fen[0])
        match_write_string(out, "fen", g->fen);
    close_event(out);
}

void events_move(buffer *out, uint32_t index, uint32_t ply, int side, const match_move *move,
                 bool times) {
    open_event(out, "move");
    buffer_format(out, ",\"number\":%" PRIu32 ",\"ply\":%" PRIu32 ",\"side\":%d,", index + 1, ply,
                  side);
    match_move_write(move, times, out);
    close_event(out);
}

void events_warning(buffer *out, uint32_t index, uint32_t ply, const char *engine,
                    const char *words) {
    open_event(out, "warning");
    buffer_format(out, ",\"number\":%" PRIu32, index + 1);
    if (ply)
        buffer_format(out, ",\"ply\":%" PRIu32, ply);
    match_write_string(out, "engine", engine);
    match_write_string(out, "words", words);
    close_event(out);
}

void events_result(buffer *out, const match_game *g, const match_game_style *style) {
    open_event(out, "result");
    buffer_format(out, ",\"number\":%" PRIu32, g->pairing.index + 1);
    match_write_string(out, "first", style->first);
    match_write_string(out, "second", style->second);
    match_write_string(out, "result", rules_outcome_name(g->verdict.outcome));
    match_write_string(out, "reason", referee_reason_name(g->verdict.reason));
    match_write_string(out, "words", g->verdict.words);
    buffer_format(out, ",\"plies\":%" PRIu32, g->count);
    close_event(out);
}

void events_score(buffer *out, const match_tally *t, const char *const *names, const double *llr) {
    open_event(out, "score");
    buffer_format(out, ",\"games\":%" PRId64 ",\"engines\":[", t->games);
    for (int i = 0; i < t->engines; i++) {
        const match_account *a = &t->accounts[i];
        buffer_format(out, "%s{\"number\":%d", i ? "," : "", i + 1);
        match_write_string(out, "name", names[i]);
        buffer_format(out,
                      ",\"games\":%" PRId64 ",\"wins\":%" PRId64 ",\"draws\":%" PRId64
                      ",\"losses\":%" PRId64 "}",
                      a->games, a->wins, a->draws, a->losses);
    }
    buffer_char(out, ']');
    if (llr)
        buffer_format(out, ",\"llr\":%.4f", *llr);
    close_event(out);
}

void events_end(buffer *out, const char *how) {
    open_event(out, "end");
    match_write_string(out, "how", how);
    close_event(out);
}
