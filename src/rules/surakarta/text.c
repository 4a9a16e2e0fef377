// Positions as text.
#include "rules/surakarta/text.h"

#include "rules/game.h"

const char *sk_side_name(int side) { return side == SK_BLACK ? "Black" : "White"; }

sk_point_name sk_name_point(int point) {
    return (sk_point_name){{(char)('a' + point % 6), (char)('6' - point / 6), '\0'}};
}

// --- reading ------------------------------------------------------------------------------------

static bool parse_row(uint64_t boards[2], int row, text letters, fault *why) {
    int column = 0, rank = 6 - row;
    for (size_t i = 0; i < letters.len; i++) {
        char c = letters.at[i];
        if (c >= '1' && c <= '6') {
            column += c - '0';
        } else if (c == 'b' || c == 'w') {
            if (column < 6)
                boards[c == 'w'] |= sk_bit(row * 6 + column);
            column++;
        } else {
            return fault_set(why, "FEN: %s is no piece, on rank %d",
                             fault_quote((text){&c, 1}).shown, rank);
        }
        if (column > 6)
            break;
    }
    if (column != 6)
        return fault_set(why, "FEN: rank %d has %s than 6 points", rank,
                         column > 6 ? "more" : "fewer");
    return true;
}

static bool parse_board(uint64_t boards[2], text rows, fault *why) {
    for (int row = 0; row < 6; row++) {
        const char *slash = rows.len ? memchr(rows.at, '/', rows.len) : NULL;
        if (!slash && row < 5)
            return fault_set(why, "FEN: the board has %d rank%s, not 6", row + 1, row ? "s" : "");
        if (slash && row == 5)
            return fault_set(why, "FEN: the board has more than 6 ranks");
        text letters = {rows.at, slash ? (size_t)(slash - rows.at) : rows.len};
        if (!parse_row(boards, row, letters, why))
            return false;
        rows = text_skip(rows, letters.len + 1);
    }
    for (int side = 0; side < 2; side++)
        if (bits_count(boards[side]) > SK_MAX_PIECES)
            return fault_set(why, "FEN: %s has %d pieces, more than %d", sk_side_name(side),
                             bits_count(boards[side]), SK_MAX_PIECES);
    if (boards[SK_BLACK] == 0 && boards[SK_WHITE] == 0)
        return fault_set(why, "FEN: the board is empty");
    return true;
}

bool sk_parse_fen(sk_pos *pos, text fen, fault *why) {
    uint64_t boards[2] = {0, 0};
    text rows = text_next_word(&fen), side = text_next_word(&fen);
    if (rows.len == 0)
        return fault_set(why, "FEN: empty");
    if (!parse_board(boards, rows, why))
        return false;
    if (side.len == 0)
        return fault_set(why, "FEN: no side to move behind the board (b or w)");
    if (!text_is(side, "b") && !text_is(side, "w"))
        return fault_set(why, "FEN: the side to move is b or w, not %s", fault_quote(side).shown);
    sk_pos p =
        sk_set_up(boards[SK_BLACK], boards[SK_WHITE], text_is(side, "b") ? SK_BLACK : SK_WHITE);
    if (!rules_parse_counters(fen, &p.quiet, &p.number, why))
        return false;
    *pos = p;
    return true;
}

// --- writing ------------------------------------------------------------------------------------

void sk_format_fen(const sk_pos *pos, writer *out) {
    for (int point = 0, empty = 0; point < SK_POINTS; point++) {
        bool black = pos->pieces[SK_BLACK] >> point & 1, white = pos->pieces[SK_WHITE] >> point & 1;
        bool row_ends = point % 6 == 5;
        empty += !black && !white;
        if (empty && (black || white || row_ends)) {
            write_char(out, (char)('0' + empty));
            empty = 0;
        }
        if (black || white)
            write_char(out, black ? 'b' : 'w');
        if (row_ends && point != SK_POINTS - 1)
            write_char(out, '/');
    }
    write_format(out, " %c %d %d", pos->stm == SK_BLACK ? 'b' : 'w', pos->quiet, pos->number);
}

// --- routes -------------------------------------------------------------------------------------

// The way of a capture, station by station: for those who draw it, and to say why there is none.

static int place_of(int circuit, int station) {
    return circuit * 32 + station / 6 * 8 + station % 6;
}

// Goes from a station (as a bit number of the rings) one way along its circuit to the first piece
// that is not the one setting out, or once round to the start.
static void follow(const sk_pos *pos, int place, int step, rules_route *route) {
    int circuit = place / 32, station = place % 32 / 8 * 6 + place % 8;
    uint64_t others = sk_occupied(pos) & ~sk_bit(sk_ring_point[place]);
    *route = (rules_route){.circuit = circuit};
    for (int steps = 0; steps <= SK_STATIONS; steps++) {
        int point = sk_ring_point[place_of(circuit, station)];
        route->station[route->count] = (uint8_t)station;
        route->point[route->count++] = (uint8_t)point;
        if (others >> point & 1)
            return;
        int next = (station + step + SK_STATIONS) % SK_STATIONS;
        route->loops += station / 6 != next / 6;
        station = next;
    }
}

static int end_of(const rules_route *route) { return route->point[route->count - 1]; }

static void insert(rules_route routes[4], int n, const rules_route *route) {
    while (n > 0 && routes[n - 1].count > route->count) {
        routes[n] = routes[n - 1];
        n--;
    }
    routes[n] = *route;
}

int sk_capture_routes(const sk_pos *pos, rules_move move, rules_route routes[4]) {
    int n = 0, from = move_from(move), to = move_to(move);
    if (!sk_is_legal(pos, move) || !(sk_occupied(pos) >> to & 1))
        return 0;
    for (uint64_t stations = sk_ring_bits[from]; stations;) {
        int place = bits_pop(&stations);
        for (int step = -1; step <= 1; step += 2) {
            rules_route route;
            follow(pos, place, step, &route);
            if (end_of(&route) == to && route.loops > 0)
                insert(routes, n++, &route);
        }
    }
    return n;
}

static unsigned circuits_of(int point) {
    uint64_t stations = sk_ring_bits[point];
    return (unsigned)((stations & 0xffffffff) != 0) | (unsigned)(stations >> 32 != 0) << 1;
}

static bool explain_capture(const sk_pos *pos, int from, int to, fault *why) {
    if (!circuits_of(from))
        return fault_set(why, "no circuit passes %s: a piece there cannot capture",
                         sk_name_point(from).name);
    if (!circuits_of(to))
        return fault_set(why, "no circuit passes %s: a piece there cannot be captured",
                         sk_name_point(to).name);
    if (!(circuits_of(from) & circuits_of(to)))
        return fault_set(why, "no circuit passes both %s and %s", sk_name_point(from).name,
                         sk_name_point(to).name);
    for (uint64_t stations = sk_ring_bits[from]; stations;) {
        int place = bits_pop(&stations);
        for (int step = -1; step <= 1; step += 2) {
            rules_route route;
            follow(pos, place, step, &route);
            if (end_of(&route) == to)
                return fault_set(why, "the way from %s to %s passes no loop, as a capture must",
                                 sk_name_point(from).name, sk_name_point(to).name);
        }
    }
    return fault_set(why, "every way from %s to %s along a circuit is blocked",
                     sk_name_point(from).name, sk_name_point(to).name);
}

bool sk_explain_move(const sk_pos *pos, int from, int to, fault *why) {
    int us = pos->stm, them = us ^ 1;
    if (from == to)
        return fault_set(why, "the move goes nowhere");
    if (!(sk_occupied(pos) >> from & 1))
        return fault_set(why, "no piece on %s", sk_name_point(from).name);
    if (pos->pieces[them] >> from & 1)
        return fault_set(why, "the piece on %s is %s's, and %s is to move",
                         sk_name_point(from).name, sk_side_name(them), sk_side_name(us));
    if (pos->pieces[us] >> to & 1)
        return fault_set(why, "%s's own piece stands on %s", sk_side_name(us),
                         sk_name_point(to).name);
    if (pos->pieces[them] == 0)
        return fault_set(why, "the game is over: %s has no pieces left", sk_side_name(them));
    if (pos->pieces[them] >> to & 1)
        return explain_capture(pos, from, to, why);
    return fault_set(why, "%s is empty and more than one step from %s", sk_name_point(to).name,
                     sk_name_point(from).name);
}
