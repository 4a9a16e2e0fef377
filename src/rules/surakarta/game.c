// Surakarta's entry in the table of games.
#include "rules/game.h"

#include "base/minmax.h"
#include "rules/surakarta/text.h"

// docs/rules-surakarta.md says where each of them is played.
static const rules_named_set sets[] = {
    {"icga", {3, 50, END_COUNT, END_COUNT, END_COUNT, END_LOSS}, "Computer Olympiad (ICGA)"},
    {"olympiad2023", {2, 50, END_COUNT, END_COUNT, END_COUNT, END_LOSS}, "Computer Olympiad 2023"},
    {"ccgc", {0, 0, END_COUNT, END_COUNT, END_COUNT, END_COUNT}, "Chinese contest"},
    {"traditional", {3, 0, END_DRAW, END_DRAW, END_DRAW, END_LOSS}, "Traditional"},
    {0},
};

static bool parse_fen(rules_pos *pos, text fen, fault *why) {
    return sk_parse_fen(&pos->sk, fen, why);
}

static void format_fen(const rules_pos *pos, writer *out) { sk_format_fen(&pos->sk, out); }

static int side_to_move(const rules_pos *pos) { return pos->sk.stm; }

static int no_capture_plies(const rules_pos *pos) { return pos->sk.quiet; }

static uint64_t key(const rules_pos *pos) { return pos->sk.key; }

static int piece_count(const rules_pos *pos, int side) { return bits_count(pos->sk.pieces[side]); }

static char piece_at(const rules_pos *pos, int point) {
    if (pos->sk.pieces[SK_BLACK] >> point & 1)
        return 'b';
    return pos->sk.pieces[SK_WHITE] >> point & 1 ? 'w' : '.';
}

static bool in_check(const rules_pos *pos) {
    (void)pos; // there is nothing to check
    return false;
}

static int legal_moves(const rules_pos *pos, rules_move moves[RULES_MAX_MOVES]) {
    return sk_generate(&pos->sk, moves);
}

static bool is_legal(const rules_pos *pos, rules_move move) { return sk_is_legal(&pos->sk, move); }

static int capture_routes(const rules_pos *pos, rules_move move, rules_route routes[4]) {
    return sk_capture_routes(&pos->sk, move, routes);
}

static void make(rules_pos *pos, rules_move move, rules_past *past) {
    past->move = move;
    past->quiet = pos->sk.quiet;
    past->captured = sk_make(&pos->sk, move);
}

static void undo(rules_pos *pos, const rules_past *past) {
    sk_undo(&pos->sk, past->move, past->captured, past->quiet);
}

// --- results ------------------------------------------------------------------------------------

static rules_outcome win_of(int side) {
    return side == SK_BLACK ? RULES_FIRST_WINS : RULES_SECOND_WINS;
}

static rules_verdict cut_off(const rules_pos *pos, rules_end how, rules_reason reason,
                             const char *words) {
    rules_verdict v = {.outcome = RULES_DRAW, .reason = reason};
    writer w = writer_on(v.words, sizeof v.words);
    int black = piece_count(pos, SK_BLACK), white = piece_count(pos, SK_WHITE);
    write_string(&w, words);
    if (how == END_COUNT && black == white) {
        write_format(&w, ": equal pieces, %d each", black);
    } else if (how == END_COUNT) {
        int winner = black > white ? SK_BLACK : SK_WHITE;
        v.outcome = win_of(winner);
        write_format(&w, ": %s has more pieces, %d to %d", sk_side_name(winner),
                     max_int(black, white), min_int(black, white));
    } else if (how == END_LOSS) {
        v.outcome = win_of(pos->sk.stm ^ 1);
        write_format(&w, ": %s loses", sk_side_name(pos->sk.stm));
    }
    return v;
}

static rules_verdict board_result(const rules_pos *pos, const rules_set *set) {
    rules_verdict v = {.outcome = RULES_ONGOING};
    char words[64];
    writer w = writer_on(words, sizeof words);
    for (int side = 0; side < 2; side++)
        if (pos->sk.pieces[side] == 0) {
            v = (rules_verdict){.outcome = win_of(side ^ 1), .reason = REASON_WIPED_OUT};
            w = writer_on(v.words, sizeof v.words);
            write_format(&w, "%s has no pieces left", sk_side_name(side));
            return v;
        }
    if (sk_count_moves(&pos->sk) > 0)
        return v;
    write_format(&w, "%s has no legal move", sk_side_name(pos->sk.stm));
    return cut_off(pos, set->no_move_end, REASON_NO_MOVE, words);
}

// What was played in between does not matter: the pieces are counted, or nobody wins.
static rules_verdict judge_cycle(const rules_pos *pos, const rules_past *moves, int n,
                                 rules_end how) {
    (void)moves, (void)n;
    return cut_off(pos, how, REASON_REPETITION, "the position repeats");
}

// --- text ---------------------------------------------------------------------------------------

static bool parse_move(const rules_pos *pos, int notation, text word, rules_move *move,
                       fault *why) {
    return sk_parse_move(&pos->sk, notation, word, move, why);
}

static void format_move(const rules_pos *pos, rules_move move, rules_notation notation,
                        writer *out) {
    sk_format_move(&pos->sk, move, notation, out);
}

static void draw(const rules_pos *pos, const rules_drawing *how, writer *out) {
    sk_draw(&pos->sk, how, out);
}

// --- random openings ----------------------------------------------------------------------------

static bool has_equal_men(const rules_pos *pos) {
    return piece_count(pos, SK_BLACK) == piece_count(pos, SK_WHITE);
}

// What a capture brings when both sides go on taking on its target as long as they like.
static int exchange(const sk_pos *pos, rules_move capture) {
    sk_pos after = *pos;
    sk_make(&after, capture);
    rules_move answers[SK_MAX_CAPTURES];
    int n = sk_generate_captures(&after, answers), best = 0;
    for (int i = 0; i < n; i++)
        if (move_to(answers[i]) == move_to(capture))
            best = max_int(best, exchange(&after, answers[i]));
    return 1 - best;
}

static bool has_winning_capture(const rules_pos *pos) {
    rules_move captures[SK_MAX_CAPTURES];
    int n = sk_generate_captures(&pos->sk, captures);
    for (int i = 0; i < n; i++)
        if (exchange(&pos->sk, captures[i]) > 0)
            return true;
    return false;
}

static void pass(rules_pos *pos) {
    pos->sk.stm ^= 1;
    pos->sk.key ^= sk_white_key;
}

static void reset_counters(rules_pos *pos) {
    pos->sk.quiet = 0;
    pos->sk.number = 1;
}

const rules_game rules_surakarta = {
    .properties =
        {
            .name = "surakarta",
            .title = "Surakarta",
            .choice = "Surakarta",
            .engine = "kraton-surakarta",
            .side = {"Black", "White"},
            .side_characters = {"黑", "白"},
            .start_fen = SK_START_FEN,
            .files = 6,
            .ranks = 6,
            .first_rank = 1,
            .from_top = true,
            .images = 8,
            .has_circuits = true,
            .notation_count = 2,
            .notations = {NOTATION_NATIVE, NOTATION_SAU},
            .squares_example = "c2 c3",
            .moves_help = "c2-c3, c2c3, c2xf4 and CECD are moves as well",
            .moves_help_unicode = "c2-c3, c2c3, c2xf4 and CECD are moves as well",
            .pgn_game = "Surakarta",
            .pgn_notation = NOTATION_NATIVE,
            .xboard_letters = "",
            .has_tables = true,
            // Measured: a search of 7 plies finds a man to be won in one position of twenty. With 6
            // plies there are too few positions.
            .random_opening_plies = 8,
            .even_within = 15, // the side ahead scores 58 % in self-play
        },
    .sets = sets,
    .ends = {1u << END_DRAW | 1u << END_COUNT, 1u << END_DRAW | 1u << END_COUNT,
             1u << END_DRAW | 1u << END_COUNT | 1u << END_LOSS,
             1u << END_DRAW | 1u << END_COUNT | 1u << END_LOSS},
    .parse_fen = parse_fen,
    .format_fen = format_fen,
    .side_to_move = side_to_move,
    .no_capture_plies = no_capture_plies,
    .key = key,
    .piece_count = piece_count,
    .piece_at = piece_at,
    .in_check = in_check,
    .legal_moves = legal_moves,
    .is_legal = is_legal,
    .capture_routes = capture_routes,
    .make = make,
    .undo = undo,
    .board_result = board_result,
    .judge_cycle = judge_cycle,
    .cut_off = cut_off,
    .parse_move = parse_move,
    .format_move = format_move,
    .draw = draw,
    .has_equal_men = has_equal_men,
    .has_winning_capture = has_winning_capture,
    .pass = pass,
    .reset_counters = reset_counters,
};
