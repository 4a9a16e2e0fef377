#include "lab/puzzles/maker.h"

#include "base/rng.h"
#include "games/tables.h"
#include "lab/data/packed.h"
#include "lab/data/positions.h"
#include "lab/puzzles/prover.h"
#include "os/clock.h"
#include "search/types.h"

#include <errno.h>
#include <stdlib.h>

enum {
    TABLE_CHOICE = 8,   // so many times the number wanted are collected from tables, to choose from
    GAME_CHOICE = 5,    // and so many quarters of it from games: they take longer to prove
    FEWEST_PIECES = 5,  // in a position of the tables
    TRIES = 400000,     // positions of the tables that are looked at, at most
    FOUND_IN_GAMES = 2, // puzzles of one game, so that they differ
    REPORT_US = 5000000,
    REPORT_LOG_US = 60000000,
};

typedef struct {
    const maker_terms *terms;
    prover *prover;
    rules_state *state;
    packed_game *game;
    puzzle *list;
    int count, capacity;
    // Centipawns: what a move must have lost before its punishment is looked at, and how much ahead
    // the other side must be then.
    int swing;
    bool wants_mates; // in this pass; other positions come in the next
    keyset seen;
    int64_t start_us, reported_us, report_us;
    uint64_t games, all_games;
} maker;

static bool is_stopped(const maker *m) {
    return m->terms->stop && atomic_load_explicit(m->terms->stop, memory_order_relaxed);
}

static bool has_room(const maker *m) { return m->count < m->capacity && !is_stopped(m); }

static void report(maker *m, bool now) {
    int64_t at = clock_us();
    if (!now && at - m->reported_us < m->report_us)
        return;
    m->reported_us = at;
    double done = (double)m->games / (double)(m->all_games ? m->all_games : 1);
    double by_count = (double)m->count / (double)m->capacity;
    done = done > by_count ? done : by_count;
    double seconds = (double)(at - m->start_us) / 1e6;
    int64_t left = done > 0 ? (int64_t)(seconds * (1 - done) / done) : 0;
    fprintf(stderr, "%llu games, %d puzzles to choose from", (unsigned long long)m->games,
            m->count);
    fprintf(stderr, now ? "\n" : ", left %lld:%02lld\n", (long long)(left / 60),
            (long long)(left % 60));
}

// Whether this position, in the mirror or not, comes up for the first time.
static bool is_new(maker *m) {
    bool fresh = false;
    return keyset_add(&m->seen, position_key(m->state), &fresh) && fresh;
}

// --- from games ---------------------------------------------------------------------------------

// Whether the game is won by force now and was not before; or, where mates are not asked for,
// whether the move before this ply was a mistake. Scores are each for its side to move.
static bool is_promising(const maker *m, const packed_game *g, int ply) {
    const packed_ply *before = &g->plies[ply - 1], *now = &g->plies[ply];
    if (now->score == PACKED_NO_SCORE || before->score == PACKED_NO_SCORE)
        return false;
    if (m->wants_mates)
        return now->score > SCORE_MATE_BOUND && now->score >= SCORE_MATE - PUZZLE_MAX_MOVES &&
               before->score > -SCORE_MATE_BOUND;
    return now->score < SCORE_DECIDED && now->score >= m->swing &&
           now->score + before->score >= m->swing;
}

// The FEN of the state without the counters of its game.
static bool plain_fen(maker *m, char fen[RULES_FEN_SIZE], fault *why) {
    char whole[RULES_FEN_SIZE], start[RULES_FEN_SIZE];
    writer w = writer_on(whole, sizeof whole), cut = writer_on(start, sizeof start);
    rules_format_fen(m->state, &w);
    text rest = text_of(whole), board = text_next_word(&rest), side = text_next_word(&rest);
    write_format(&cut, "%.*s %.*s", (int)board.len, board.at, (int)side.len, side.at);
    void *memory = malloc(rules_state_size(1));
    if (!memory)
        return fault_set(why, "out of memory");
    rules_set set = rules_default_set(m->terms->game);
    rules_state *fresh = rules_state_new(memory, m->terms->game, &set, 1);
    bool good = rules_set_fen(fresh, text_of(start), why);
    writer out = writer_on(fen, RULES_FEN_SIZE);
    rules_format_fen(fresh, &out);
    free(memory);
    return good;
}

// Replays the game just read and looks at its promising positions.
static bool look_through(maker *m, fault *why) {
    const packed_game *g = m->game;
    int found = 0, from = g->opening_plies + 1;
    text fen = text_of(g->fen[0] ? g->fen : rules_start_fen(m->terms->game));
    if (!rules_set_fen(m->state, fen, why))
        return false;
    for (int ply = 0; ply < g->ply_count && found < FOUND_IN_GAMES && has_room(m); ply++) {
        if (ply >= from && is_promising(m, g, ply) && is_new(m)) {
            puzzle *next = &m->list[m->count];
            char plain[RULES_FEN_SIZE];
            if (!plain_fen(m, plain, why))
                return false;
            if (prover_try(m->prover, plain, g->plies[ply - 1].move, next)) {
                m->count++;
                found++;
                from = ply + next->count; // the rest of the line is the same idea
            }
            report(m, false);
        }
        if (!rules_play(m->state, g->plies[ply].move, why))
            return false;
    }
    m->games++;
    return true;
}

static bool read_file(maker *m, const char *path, fault *why) {
    packed_file file;
    fault inner;
    if (!packed_open(&file, path, why))
        return false;
    bool good = packed_check_game(&file, path, m->terms->game, why);
    size_t place = file.first;
    for (int n = 0; good && n < m->terms->games && has_room(m); n++) {
        if (packed_next(&file, &place, m->game) != PACKED_GAME)
            break;
        if (!look_through(m, &inner))
            good = fault_set(why, "%s, game %u: %s", path, m->game->number, inner.line);
    }
    packed_close(&file);
    return good;
}

// --- from tables --------------------------------------------------------------------------------

// A random position of so many pieces, each side with at least two.
static void random_fen(const rules_game *game, rng *random, int pieces, char fen[RULES_FEN_SIZE]) {
    const rules_properties *properties = rules_properties_of(game);
    int points = properties->files * properties->ranks;
    char board[RULES_MAX_POINTS];
    memset(board, 0, sizeof board);
    int first = 2 + (int)rng_below(random, (uint32_t)(pieces - 3));
    for (int i = 0; i < pieces;) {
        int point = (int)rng_below(random, (uint32_t)points);
        if (!board[point])
            board[point] = i++ < first ? 'b' : 'w';
    }
    writer w = writer_on(fen, RULES_FEN_SIZE);
    for (int row = 0; row < properties->ranks; row++) {
        int empty = 0;
        for (int file = 0; file < properties->files; file++) {
            char piece = board[row * properties->files + file];
            empty += !piece;
            if (piece && empty)
                write_number(&w, empty);
            if (piece) {
                write_char(&w, piece);
                empty = 0;
            }
        }
        if (empty)
            write_number(&w, empty);
        write_string(&w, row + 1 < properties->ranks ? "/" : rng_below(random, 2) ? " b" : " w");
    }
    write_string(&w, " 0 1");
}

// Endgames in which one move alone keeps the value.
static bool ask_tables(maker *m, fault *why) {
    rng random = {m->terms->seed};
    int most = m->terms->path_count ? m->capacity / 2 : m->capacity,
        pieces = game_tables_pieces(m->terms->tables);
    for (int i = 0; pieces >= FEWEST_PIECES && i < TRIES && m->count < most && has_room(m); i++) {
        char fen[RULES_FEN_SIZE];
        int count = FEWEST_PIECES + (int)rng_below(&random, (uint32_t)(pieces - FEWEST_PIECES + 1));
        random_fen(m->terms->game, &random, count, fen);
        if (!rules_set_fen(m->state, text_of(fen), why))
            return false;
        if (is_new(m) && prover_try_tables(m->prover, fen, &m->list[m->count]))
            m->count++;
        report(m, false);
    }
    return true;
}

// --- the file -----------------------------------------------------------------------------------

static bool write_all(maker *m, fault *why) {
    const maker_terms *t = m->terms;
    int chosen = puzzles_choose(m->list, m->count, t->wanted);
    FILE *to = fopen(t->out, "w");
    bool good = to != NULL;
    if (good)
        fprintf(to, "# Puzzles of %s: NUMBER | KIND | RATING | FEN | MOVES. Made by:\n# %s\n",
                rules_name(t->game), t->command);
    for (int i = 0; good && i < chosen; i++)
        good = puzzle_write(to, i + 1, &m->list[i], m->state);
    if (to && fclose(to) != 0)
        good = false;
    if (!good)
        return fault_set(why, "%s: %s", t->out, strerror(errno));
    if (chosen < t->wanted && !is_stopped(m))
        return fault_set(why, "only %d puzzles of %d in these games; play more of them", chosen,
                         t->wanted);
    return true;
}

// How many of games are collected.
static int of_games(const maker_terms *t) { return (t->wanted * GAME_CHOICE + 3) / 4; }

// Mates first, up to three quarters of the puzzles of games: they are proved quickly.
static bool read_all(maker *m, fault *why) {
    const maker_terms *t = m->terms;
    int all = m->count + of_games(t);
    bool good = true;
    bool has_mates = rules_properties_of(t->game)->has_check;
    for (int pass = has_mates ? 0 : 1; pass < 2 && good; pass++) {
        m->wants_mates = pass == 0;
        m->capacity = pass == 0 ? m->count + of_games(t) * 3 / 4 : all;
        for (int i = 0; good && i < t->path_count; i++)
            good = read_file(m, t->paths[i], why);
    }
    return good;
}

// Long work must not find out at its end that it has nowhere to go.
static bool check_output(const char *path, fault *why) {
    FILE *file = fopen(path, "a");
    return (file && fclose(file) == 0) || fault_set(why, "%s: %s", path, strerror(errno));
}

bool puzzles_make(const maker_terms *terms, fault *why) {
    bool is_plain = rules_properties_of(terms->game)->has_circuits; // a piece is about a hundred
    maker m = {.terms = terms,
               .swing = is_plain ? 70 : 150,
               .capacity = terms->wanted * TABLE_CHOICE + of_games(terms)};
    rules_set set = rules_default_set(terms->game);
    prover_terms proof = {.game = terms->game, .nodes = terms->nodes, .tables = terms->tables};
    void *memory = malloc(rules_state_size(PACKED_MAX_PLIES));
    m.prover = prover_new(&proof);
    m.game = malloc(sizeof *m.game);
    m.list = malloc(((size_t)m.capacity + 1) * sizeof *m.list);
    bool good = ((memory && m.prover && m.game && m.list) || fault_set(why, "out of memory")) &&
                check_output(terms->out, why);
    if (good) {
        os_file errors = os_standard_error();
        m.state = rules_state_new(memory, terms->game, &set, PACKED_MAX_PLIES);
        m.report_us = os_file_is_terminal(&errors) ? REPORT_US : REPORT_LOG_US;
        m.start_us = m.reported_us = clock_us();
        m.all_games = (uint64_t)terms->games * (uint64_t)terms->path_count;
        good = !terms->tables || ask_tables(&m, why);
        good = good && read_all(&m, why);
        report(&m, true);
        good = good && write_all(&m, why);
    }
    keyset_free(&m.seen);
    prover_free(m.prover);
    free(m.list);
    free(m.game);
    free(memory);
    return good;
}
