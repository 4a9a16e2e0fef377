#include "cli/screen.h"

#include "cli/files.h"
#include "os/process.h"
#include "records/opening_name.h"

#include <ctype.h>
#include <stdatomic.h>
#include <stdio.h>

enum { OPENING_PLIES = 24 }; // the name is of interest so long

static atomic_bool interrupted;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    interrupted = true;
}

void screen_catch_interrupt(void) {
    os_process_on_interrupt(on_interrupt); // a read that waits for a line returns
}

bool screen_is_interrupted(void) { return interrupted; }

static void skip_line(void) {
    int c;
    do
        c = getchar();
    while (c != EOF && c != '\n');
}

answer screen_ask(const char *prompt, char line[PLAY_LINE_SIZE]) {
    bool typed = stdin_is_terminal(), read, noise;
    do {
        printf("%s> ", prompt);
        fflush(stdout);
        read = !interrupted && file_read_line(stdin, line, PLAY_LINE_SIZE, &noise);
        if (read && noise && typed) { // somebody's slip
            skip_line();
            puts("That line is too long, or no text.");
        }
    } while (read && noise && typed);
    if (!read || interrupted || noise) {
        putchar('\n');
        return read && noise ? ANSWER_NOISE : ANSWER_END;
    }
    if (!typed)
        puts(line); // as it would stand there if it had been typed
    return ANSWER_LINE;
}

int screen_complain_noise(void) {
    return complain("kraton: standard input is no game: not read on");
}

rules_verdict play_verdict(const play *p) {
    return p->agreed.outcome == RULES_ONGOING ? rules_result(p->state) : p->agreed;
}

const char *play_mover(const play *p) {
    return rules_side_name(p->game, rules_side_to_move(p->state));
}

void play_say(play *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(p->message, sizeof p->message, format, args);
    va_end(args);
}

// "Red played h2e2 (炮二平五). Check!" Moves are written in the position they were played in.
static void print_last_move(const play *p, rules_move last) {
    char shown[RULES_MOVE_SIZE], chinese[RULES_MOVE_SIZE];
    writer n = writer_on(shown, sizeof shown), c = writer_on(chinese, sizeof chinese);
    rules_undo(p->state);
    const char *who = play_mover(p);
    rules_format_move(p->state, last, p->notation, &n);
    if (p->how.unicode && p->notation != NOTATION_CHINESE)
        rules_format_move(p->state, last, NOTATION_CHINESE, &c);
    fault why;
    if (!rules_play(p->state, last, &why))
        return;
    bool paired = *chinese != '\0';
    printf("%s played %s%s%s%s.%s\n", who, shown, paired ? " (" : "", chinese, paired ? ")" : "",
           rules_in_check(p->state) ? " Check!" : "");
}

// The opening's name, in the first plies only.
static void print_opening(const play *p) {
    const opening_name *name = opening_name_of(p->state);
    if (!name || rules_ply(p->state) > OPENING_PLIES)
        return;
    printf("Opening: %s ", name->code);
    if (p->how.unicode)
        printf("%s, ", name->chinese);
    printf("%s.\n", name->english);
}

// How near the game is to an end by repetition or without captures.
static void print_counters(const play *p) {
    const rules_set *set = rules_set_of(p->state);
    int times = rules_occurrences(p->state), quiet = rules_no_capture_plies(p->state);
    if (times > 1)
        printf("This position stands on the board for the %d%s time.\n", times,
               times == 2   ? "nd"
               : times == 3 ? "rd"
                            : "th");
    if (set->no_capture && 2 * quiet >= set->no_capture)
        printf("%d plies without a capture; the game ends at %d.\n", quiet, set->no_capture);
}

static void print_result(const play *p, const rules_verdict *v) {
    if (v->outcome == RULES_DRAW)
        printf("The game is drawn: %s.\n", v->words);
    else
        printf("%s wins: %s.\n", rules_side_name(p->game, v->outcome == RULES_SECOND_WINS),
               v->words);
}

static void print_board(play *p) {
    if (p->term.screen)
        fputs("\033[H\033[2J", stdout);
    uint32_t ply = rules_ply(p->state);
    p->how.from_1 = p->notation == NOTATION_UCI1;
    p->how.last = ply ? rules_move_at(p->state, ply - 1) : MOVE_NONE;
    char board[RULES_BOARD_SIZE];
    writer w = writer_on(board, sizeof board);
    rules_draw(p->state, &p->how, &w);
    printf("%s\n", board);
    terminal_warn_if_narrow(&p->term, p->state);
    if (ply) {
        print_last_move(p, p->how.last);
        print_opening(p);
    } else if (rules_in_check(p->state)) {
        printf("%s is in check.\n", play_mover(p));
    }
    rules_verdict v = play_verdict(p);
    if (v.outcome == RULES_ONGOING)
        print_counters(p);
    else
        print_result(p, &v);
}

void screen_show(play *p) {
    if (p->changed)
        print_board(p);
    p->changed = false;
    if (*p->message)
        puts(p->message);
    p->message[0] = '\0';
}

// Adds a word to a list that is broken into lines.
static void add_word(writer *out, size_t *line_start, const char *word) {
    size_t column = out->used - *line_start;
    if (column && column + strlen(word) > 76) {
        write_char(out, '\n');
        *line_start = out->used;
    } else if (column) {
        write_char(out, ' ');
    }
    write_string(out, word);
}

// Whether a move starts on the square that was typed, in the squares of the board as it is drawn.
static bool starts_on(const play *p, rules_move move, text square) {
    char word[RULES_MOVE_SIZE];
    writer w = writer_on(word, sizeof word);
    rules_format_move(p->state, move,
                      p->notation == NOTATION_UCI1 ? NOTATION_UCI1 : NOTATION_NATIVE, &w);
    return strncmp(word, square.at, square.len) == 0 && !isdigit((unsigned char)word[square.len]);
}

void screen_list_moves(play *p, text square) {
    rules_move moves[RULES_MAX_MOVES];
    int n = rules_legal_moves(p->state, moves), shown = 0;
    writer out = writer_on(p->message, sizeof p->message);
    size_t line_start = 0;
    for (int i = 0; i < n; i++) {
        char word[RULES_MOVE_SIZE];
        writer w = writer_on(word, sizeof word);
        rules_format_move(p->state, moves[i], p->notation, &w);
        if (square.len && !starts_on(p, moves[i], square))
            continue;
        add_word(&out, &line_start, word);
        shown++;
    }
    if (!shown && square.len)
        play_say(p, "%s has no move from %.*s.", play_mover(p), (int)square.len, square.at);
    else if (!shown)
        play_say(p, "%s has no move.", play_mover(p));
}
