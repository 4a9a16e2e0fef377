#include "cli/save.h"
#include "cli/files.h"
#include "records/record.h"

#include <time.h>

static record_format format_for(const rules_game *game, const char *path) {
    const char *dot = strrchr(path, '.');
    record_format format;
    if (dot && record_format_find(text_of(dot + 1), &format))
        return format;
    return record_format_for(game);
}

static void write_today(writer *out) {
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local))
        write_format(out, "%04d.%02d.%02d", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
}

// What PGN and JSON have a place for: the rules, and why the game is over.
static void set_tags(record *r, const rules_state *state, const rules_verdict *end) {
    char rules[RECORD_TAG_SIZE];
    writer w = writer_on(rules, sizeof rules);
    rules_set_format(r->game, rules_set_of(state), &w);
    if (!w.overflow)
        record_set_tag(r, text_of("Rules"), text_of(rules));
    if (end->outcome != RULES_ONGOING)
        record_set_tag(r, text_of("Verdict"), text_of(end->words));
}

static bool fill_record(record *r, const rules_state *state, const char *start,
                        const char *const names[2], const rules_verdict *end) {
    const rules_game *game = rules_game_of(state);
    writer w = writer_on(r->fen, sizeof r->fen);
    if (strcmp(start, rules_start_fen(game)) != 0)
        write_string(&w, start);
    w = writer_on(r->first, sizeof r->first);
    write_string(&w, names[0]);
    w = writer_on(r->second, sizeof r->second);
    write_string(&w, names[1]);
    w = writer_on(r->date, sizeof r->date);
    write_today(&w);
    r->result = end->outcome;
    set_tags(r, state, end);
    uint32_t ply = rules_ply(state);
    for (uint32_t i = 0; i < ply; i++)
        if (!record_add_move(r, rules_move_at(state, i)))
            return false;
    return true;
}

bool save_game(const rules_state *state, const char *start, const char *const names[2],
               const rules_verdict *end, const char *path, fault *why) {
    const rules_game *game = rules_game_of(state);
    record r;
    buffer out = {0};
    record_init(&r, game);
    bool saved = (fill_record(&r, state, start, names, end) || fault_set(why, "out of memory")) &&
                 record_write(&r, format_for(game, path), &out, why) &&
                 (!out.failed || fault_set(why, "out of memory")) &&
                 file_write(path, (text){out.bytes, out.len}, why);
    buffer_free(&out);
    record_free(&r);
    return saved;
}
