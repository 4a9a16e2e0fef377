#include "features/import.h"

#include "features/explorer.h"
#include "records/opening_name.h"
#include "referee/referee.h"
#include "store/archive.h"
#include "store/players.h"

#include <stdlib.h>

// --- players ------------------------------------------------------------------------------------

// Whether an account could have the name, today or later.
static bool may_be_account(text name) {
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '_')
            return false;
    }
    return true;
}

// The name a player of records has here. One that an account could have gets a star behind it, so
// that nobody is taken for somebody else. A long one is cut at the end of a character.
static void write_player_name(const char *recorded, char name[PLAYER_NAME_SIZE]) {
    text whole = text_trim(text_of(recorded));
    writer w = writer_on(name, PLAYER_NAME_SIZE);
    size_t len = whole.len;
    if (len > PLAYER_NAME_SIZE - 2) {
        len = PLAYER_NAME_SIZE - 2;
        while (len && ((unsigned char)whole.at[len] & 0xc0) == 0x80)
            len--;
    }
    text cut = {whole.at, len};
    write_text(&w, len ? cut : text_of("?"));
    if (len && may_be_account(cut))
        write_char(&w, '*');
}

static bool find_player(store *s, const char *name, int64_t now, int64_t *id) {
    stored_player p;
    if (!store_find_player_named(s, text_of(name), &p)) {
        p = (stored_player){.kind = PLAYER_RECORDED, .created = now};
        writer w = writer_on(p.name, sizeof p.name);
        write_string(&w, name);
        if (!store_add_player(s, &p))
            return false;
    }
    *id = p.id;
    return true;
}

// --- the date -----------------------------------------------------------------------------------

// Cuts the next number of at most so many digits off the text, whatever stands before it.
static bool next_number(text *rest, int digits, int *number) {
    while (rest->len && !(rest->at[0] >= '0' && rest->at[0] <= '9'))
        *rest = text_skip(*rest, 1);
    int found = 0;
    for (*number = 0; rest->len && found < digits && rest->at[0] >= '0' && rest->at[0] <= '9';
         found++) {
        *number = *number * 10 + (rest->at[0] - '0');
        *rest = text_skip(*rest, 1);
    }
    return found > 0;
}

// Days from 1970-01-01 to a day of the Gregorian calendar.
static int64_t days_to(int year, int month, int day) {
    int64_t y = year - (month <= 2), era = y / 400, of_era = y % 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

// The day of a date such as 2026.11.15, 2026-11-15 14:05 or 1998.??.??, in microseconds since 1970;
// 0: it names no year.
static int64_t moment_of(const char *date) {
    text rest = text_of(date);
    int year, month, day;
    if (!next_number(&rest, 4, &year) || year < 1000)
        return 0;
    if (!next_number(&rest, 2, &month) || month < 1 || month > 12)
        month = day = 1;
    else if (!next_number(&rest, 2, &day) || day < 1 || day > 31)
        day = 1;
    int64_t moment = days_to(year, month, day) * 86400 * 1000000;
    return moment ? moment : 1; // 0 stands for none
}

// --- the game -----------------------------------------------------------------------------------

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t hash_string(uint64_t hash, const char *s) {
    return hash_bytes(hash, s, strlen(s) + 1);
}

// FNV-1a over what makes two records the same game. The first record of a game is known by it,
// others by all their bytes.
static uint64_t fingerprint_of(const record *r, char names[2][PLAYER_NAME_SIZE]) {
    unsigned char result = (unsigned char)r->result;
    uint64_t hash = hash_string(0xcbf29ce484222325u, rules_name(r->game));
    hash = hash_string(hash, r->fen);
    hash = hash_string(hash_string(hash, names[0]), names[1]);
    hash = hash_bytes(hash, &result, 1);
    return hash_bytes(hash, r->moves, r->count * sizeof *r->moves);
}

// Plays the record: its moves as words, and how it ended. False where a move cannot be played.
static bool play(const record *r, stored_game *row, stored_move *moves, rules_state *s,
                 fault *why) {
    if (r->fen[0] && !rules_set_fen(s, text_of(r->fen), why))
        return false;
    for (uint32_t i = 0, node = 0; i < r->count; i++) {
        node = r->nodes[node].next;
        moves[i] = (stored_move){
            .nodes = -1, .used = r->nodes[node].used, .remaining = r->nodes[node].clock};
        writer w = writer_on(moves[i].move, sizeof moves[i].move);
        rules_format_move(s, r->moves[i], NOTATION_NATIVE, &w);
        if (!rules_play(s, r->moves[i], why))
            return false;
    }
    rules_verdict v = rules_result(s);
    bool agrees = v.outcome != RULES_ONGOING && v.outcome == r->result;
    writer reason = writer_on(row->reason, sizeof row->reason);
    writer words = writer_on(row->words, sizeof row->words);
    write_string(&reason, agrees ? referee_reason_name(referee_reason_for(v.reason)) : "record");
    write_string(&words, agrees ? v.words : "as the record says");
    return true;
}

static void fill_row(const record *r, int64_t now, int64_t begun, stored_game *row) {
    rules_set set = rules_default_set(r->game);
    int64_t played = moment_of(r->date);
    *row = (stored_game){.started = played,
                         .begun = begun,
                         .ended = played ? played : now,
                         .outcome = (int)r->result,
                         .side = -1,
                         .plies = (int)r->count};
    writer w = writer_on(row->game, sizeof row->game);
    write_string(&w, rules_name(r->game));
    w = writer_on(row->rules, sizeof row->rules);
    rules_set_format(r->game, &set, &w);
    w = writer_on(row->fen, sizeof row->fen);
    write_string(&w, r->fen);
    w = writer_on(row->control, sizeof row->control);
    write_string(&w, "inf");
}

static void keep(store *s, const record *r, uint64_t fingerprint, text whole, stored_game *row,
                 const stored_move *moves, const rules_state *end) {
    stored_import i = {.fingerprint = fingerprint};
    writer w = writer_on(i.event, sizeof i.event);
    write_string(&w, r->event);
    w = writer_on(i.site, sizeof i.site);
    write_string(&w, r->site);
    w = writer_on(i.date, sizeof i.date);
    write_string(&w, r->date);
    store_add_game(s, row);
    store_end_game(s, row, moves);
    store_add_import(s, row->id, &i, whole);
    explorer_take_in(s, row, moves, row->plies);
    explorer_name_opening(s, row->id, end);
}

static bool add(store *s, const record *r, uint64_t fingerprint, char names[2][PLAYER_NAME_SIZE],
                text whole, int64_t now, fault *why) {
    stored_game row;
    fill_row(r, now, store_heartbeat(s), &row);
    rules_set set = rules_default_set(r->game);
    void *memory = malloc(rules_state_size(r->count + 1));
    stored_move *moves = malloc((r->count + 1) * sizeof *moves);
    bool good = (memory && moves) || fault_set(why, "out of memory");
    rules_state *end = good ? rules_state_new(memory, r->game, &set, r->count + 1) : NULL;
    good = good && play(r, &row, moves, end, why) &&
           ((find_player(s, names[0], now, &row.players[0]) &&
             find_player(s, names[1], now, &row.players[1])) ||
            fault_set(why, "its players cannot be kept"));
    if (good)
        keep(s, r, fingerprint, whole, &row, moves, end);
    free(memory);
    free(moves);
    return good;
}

import_status import_record(store *s, const record *r, int64_t now, fault *why) {
    char names[2][PLAYER_NAME_SIZE];
    write_player_name(r->first, names[0]);
    write_player_name(r->second, names[1]);
    buffer json = {0};
    if (!record_write(r, RECORD_JSON, &json, why)) {
        buffer_free(&json);
        return IMPORT_FAILED;
    }
    text whole = buffer_text(&json);
    uint64_t fingerprint = fingerprint_of(r, names);
    stored_import_kind known = store_has_import(s, fingerprint, whole);
    if (known == STORED_IMPORT_OTHER) { // other comments, variations or headings: another record
        fingerprint = hash_bytes(fingerprint, whole.at, whole.len);
        known = store_has_import(s, fingerprint, whole);
    }
    bool good = true;
    if (known == STORED_IMPORT_BARE)
        store_complete_import(s, fingerprint, whole);
    else if (known == STORED_IMPORT_NONE)
        good = add(s, r, fingerprint, names, whole, now, why);
    buffer_free(&json);
    return !good ? IMPORT_FAILED : known == STORED_IMPORT_NONE ? IMPORT_NEW : IMPORT_KNOWN;
}
