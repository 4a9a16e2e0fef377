// kraton play: a game in the terminal, against an engine or between two people at one keyboard. On
// a terminal the screen is drawn anew for every move; piped, everything is printed one below the
// other.
#include "base/suggest.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/games.h"
#include "cli/opponent.h"
#include "os/file.h"
#include "records/record.h"
#include "records/words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

// False at the end of the input; the game is left then.
static bool ask(play *p, const char *prompt, char line[PLAY_LINE_SIZE]) {
    answer a = screen_ask(prompt, line);
    p->noise = a == ANSWER_NOISE;
    p->left = a != ANSWER_LINE;
    return a == ANSWER_LINE;
}

static bool is_word(const char *line, const char *word) {
    text said = text_trim(text_of(line));
    return said.len == strlen(word) && strncasecmp(said.at, word, said.len) == 0;
}

static bool answered_yes(const char *line) { return is_word(line, "y") || is_word(line, "yes"); }

static bool answered_no(const char *line) {
    return is_word(line, "") || is_word(line, "n") || is_word(line, "no");
}

// Whether too many lines without meaning came from something that is no terminal. The game is left
// then.
static bool is_noise(play *p) {
    if (p->nonsense < SCREEN_NONSENSE || stdin_is_terminal())
        return false;
    return p->left = p->noise = true;
}

static bool is_computers_turn(const play *p) {
    return p->computer->side == rules_side_to_move(p->state) &&
           play_verdict(p).outcome == RULES_ONGOING;
}

// --- what people type: each action takes the rest of the line -----------------------------------

static void do_undo(play *p, const char *rest) {
    (void)rest;
    bool agreed = p->agreed.outcome != RULES_ONGOING;
    p->agreed.outcome = RULES_ONGOING;
    p->is_offered_draw = false;
    if (agreed || rules_undo(p->state))
        p->changed = p->unsaved = true;
    else
        play_say(p, "There is no move to take back.");
    // Take back the computer's move and the player's. A first move of the computer is played again.
    if (!agreed && is_computers_turn(p))
        rules_undo(p->state);
}

static void do_moves(play *p, const char *rest) { screen_list_moves(p, text_of(rest)); }

static void do_flip(play *p, const char *rest) {
    (void)rest;
    p->how.flipped = !p->how.flipped;
    p->changed = true;
}

static void do_fen(play *p, const char *rest) {
    (void)rest;
    writer w = writer_on(p->message, sizeof p->message);
    rules_format_fen(p->state, &w);
}

static bool save(const play *p, const char *path, fault *why) {
    char computer[OPPONENT_NAME_SIZE];
    opponent_write_name(p->computer, computer);
    const char *names[2] = {rules_side_name(p->game, 0), rules_side_name(p->game, 1)};
    if (p->computer->side != OPPONENT_NOBODY)
        names[p->computer->side] = computer;
    rules_verdict end = play_verdict(p);
    return game_save(p->state, p->start, names, &end, path, why);
}

static void do_save(play *p, const char *path) {
    fault why;
    if (!*path)
        play_say(p, "Under which name? save FILE (.pgn, .json, .moves, .txt)");
    else if (os_path_exists(path) && strcmp(path, p->saved_as) != 0)
        play_say(p, "There is a file %s already: choose another name.", path);
    else if (!save(p, path, &why))
        play_say(p, "Not saved: %s", why.line);
    else {
        p->unsaved = false;
        writer w = writer_on(p->saved_as, sizeof p->saved_as);
        write_string(&w, path);
        play_say(p, "Saved as %s.", path);
    }
}

// Ends the game by agreement, unless it is over.
static void agree(play *p, rules_outcome outcome, const char *words) {
    p->agreed = (rules_verdict){.outcome = outcome};
    writer w = writer_on(p->agreed.words, sizeof p->agreed.words);
    write_string(&w, words);
    p->changed = p->unsaved = true;
}

static bool is_over(play *p) {
    if (play_verdict(p).outcome == RULES_ONGOING)
        return false;
    play_say(p, "The game is over: new, undo, save FILE or quit.");
    return true;
}

void play_resign(play *p, int side) {
    char words[64];
    writer w = writer_on(words, sizeof words);
    write_format(&w, "%s resigned", rules_side_name(p->game, side));
    agree(p, side ? RULES_FIRST_WINS : RULES_SECOND_WINS, words);
}

static void do_resign(play *p, const char *rest) {
    (void)rest;
    if (!is_over(p))
        play_resign(p, rules_side_to_move(p->state));
}

static void do_draw(play *p, const char *rest) {
    (void)rest;
    if (is_over(p))
        return;
    if (p->computer->side != OPPONENT_NOBODY) {
        if (opponent_accepts_draw(p->computer, p))
            agree(p, RULES_DRAW, "by agreement");
        else
            play_say(p, "The computer plays on.");
        return;
    }
    char prompt[128], line[PLAY_LINE_SIZE];
    writer w = writer_on(prompt, sizeof prompt);
    write_format(&w, "%s offers a draw. %s, do you agree? (yes or no)", play_mover(p),
                 rules_side_name(p->game, !rules_side_to_move(p->state)));
    if (!ask(p, prompt, line))
        return;
    if (answered_yes(line))
        agree(p, RULES_DRAW, "by agreement");
    else
        play_say(p, "No draw: the game goes on.");
}

// Asks for a file name and saves; an empty name cancels. False at the end of the input.
static bool save_as(play *p) {
    char line[PLAY_LINE_SIZE];
    if (!ask(p, "Under which name? (.pgn, .json, .moves, .txt)", line))
        return false;
    text name = text_trim(text_of(line));
    if (!name.len)
        return true;
    line[name.at + name.len - line] = '\0';
    do_save(p, name.at);
    screen_show(p);
    return true;
}

// Asks whether to save an unsaved game, until it is saved or the answer is no. False at the end of
// the input. The caller then replaces the game.
static bool offer_save(play *p) {
    char line[PLAY_LINE_SIZE];
    while (p->unsaved && rules_ply(p->state)) {
        if (!ask(p, "Save the game first? (yes or no; just Enter is no)", line))
            return false;
        if (answered_no(line))
            break;
        if (answered_yes(line)) {
            if (!save_as(p))
                return false;
            continue;
        }
        p->nonsense++;
        if (is_noise(p))
            return false;
        play_say(p, "Please answer yes or no: %s is neither.", fault_quote(text_of(line)).shown);
        screen_show(p);
    }
    return true;
}

static void do_new(play *p, const char *rest) {
    (void)rest;
    fault why;
    if (!offer_save(p))
        return;
    if (!rules_set_fen(p->state, text_of(p->start), &why))
        play_say(p, "%s", why.line);
    p->agreed.outcome = RULES_ONGOING;
    p->is_offered_draw = p->unsaved = false;
    p->saved_as[0] = '\0';
    p->changed = true;
    opponent_forget(p->computer);
}

static bool play_record(rules_state *state, const record *r, fault *why) {
    const char *start = r->fen[0] ? r->fen : rules_start_fen(r->game);
    if (!rules_set_fen(state, text_of(start), why))
        return false;
    for (uint32_t i = 0; i < r->count; i++)
        if (!rules_play(state, r->moves[i], why))
            return false;
    return true;
}

// Whether a record's game is legal by the rules of this one. The game on the board stays as it is.
static bool can_play(const play *p, const record *r, fault *why) {
    void *memory = malloc(rules_state_size(r->count));
    if (!memory)
        return fault_set(why, "out of memory");
    bool good =
        play_record(rules_state_new(memory, p->game, rules_set_of(p->state), r->count), r, why);
    free(memory);
    return good;
}

// Takes over the rule set that the record names, if it is known.
static bool take_rules(play *p, const record *r) {
    const char *spec = record_find_tag(r, "Rules");
    rules_set set, ours = *rules_set_of(p->state);
    if (!spec || !rules_set_parse(p->game, text_of(spec), &set, NULL) ||
        memcmp(&set, &ours, sizeof set) == 0)
        return false;
    rules_change_set(p->state, &set);
    opponent_learn_rules(p->computer, p);
    return true;
}

// Takes over an end that does not follow from the rules, such as a resignation. `undo` removes it.
static bool take_end(play *p, const record *r) {
    const char *words = record_find_tag(r, "Verdict");
    p->agreed.outcome = RULES_ONGOING;
    if (r->result == RULES_ONGOING || rules_result(p->state).outcome != RULES_ONGOING)
        return false;
    agree(p, r->result, words && *words ? words : "by the record");
    return true;
}

static void take_record(play *p, const record *r, const char *path) {
    bool has_rules = take_rules(p, r), good = play_record(p->state, r, NULL);
    (void)good; // it was a moment ago
    while (rules_undo(p->state))
        continue;
    writer start = writer_on(p->start, sizeof p->start);
    rules_format_fen(p->state, &start);
    good = play_record(p->state, r, NULL);
    bool has_ended = take_end(p, r);
    p->is_offered_draw = p->unsaved = false;
    p->changed = true;
    writer saved = writer_on(p->saved_as, sizeof p->saved_as);
    write_string(&saved, path);
    opponent_forget(p->computer);
    play_say(p, "Loaded %s: %u moves.%s%s%s%s", path, (unsigned)rules_ply(p->state),
             has_rules ? " Its rules: " : "", has_rules ? p->computer->rules : "",
             has_rules ? "." : "", has_ended ? " It is over; undo to play on." : "");
}

static void do_load(play *p, const char *path) {
    fault why = {"there is no game in it"};
    text bytes = {NULL, 0};
    record r;
    if (!*path) {
        play_say(p, "Which file? load FILE");
        return;
    }
    record_init(&r, p->game);
    bool good = file_read(path, &bytes, &why);
    record_reader reader = record_read(bytes, record_detect(bytes), p->game);
    good = good && record_next(&reader, &r, &why) == RECORD_OK && can_play(p, &r, &why);
    if (!good)
        play_say(p, "Not loaded: %s", why.line);
    else if (offer_save(p))
        take_record(p, &r, path);
    record_close(&reader);
    record_free(&r);
    free((char *)(uintptr_t)bytes.at);
}

static void do_hint(play *p, const char *rest) {
    (void)rest;
    if (!is_over(p))
        opponent_hint(p);
}

static void do_level(play *p, const char *rest) {
    int64_t level;
    fault why;
    if (!*rest && p->computer->level)
        play_say(p, "The computer plays at level %d.", p->computer->level);
    else if (p->computer->side == OPPONENT_NOBODY)
        play_say(p, "No computer plays.");
    else if (!text_to_int(text_of(rest), 1, OPPONENT_LEVELS, &level))
        play_say(p, "level takes a number from 1 to %d.", OPPONENT_LEVELS);
    else if (!opponent_set_level(p->computer, (int)level, &why))
        play_say(p, "%s", why.line);
    else
        play_say(p, "Level %d from here on.", (int)level);
}

static void do_switch(play *p, const char *rest) {
    (void)rest;
    if (is_over(p))
        return;
    if (p->computer->side == OPPONENT_NOBODY) {
        play_say(p, "No computer plays.");
        return;
    }
    p->computer->side = rules_side_to_move(p->state);
    p->how.flipped = p->computer->side == 0;
    p->changed = true;
}

static void do_quit(play *p, const char *rest) {
    (void)rest;
    if (!offer_save(p))
        return; // it is left already
    p->left = true;
    p->unsaved = false;
}

static void do_help(play *p, const char *rest);

typedef struct {
    const char *name, *arguments, *help;
    void (*act)(play *p, const char *rest);
} action;

static const action actions[] = {
    {"moves", "", "all legal moves", do_moves},
    {"hint", "", "a good move", do_hint},
    {"undo", "", "take your last move back", do_undo},
    {"level", " N", "how strong the computer plays: 1 to 10", do_level},
    {"switch", "", "have the computer move for you, and change sides", do_switch},
    {"flip", "", "turn the board round", do_flip},
    {"fen", "", "the position as one line", do_fen},
    {"save", " FILE", "write the game to a file: .pgn, .json, .moves, .txt", do_save},
    {"load", " FILE", "go on with a game from a file", do_load},
    {"resign", "", "give the game up", do_resign},
    {"draw", "", "offer a draw", do_draw},
    {"new", "", "begin again", do_new},
    {"quit", "", "leave", do_quit},
    {"help", "", "this list", do_help},
};
enum { ACTIONS = sizeof actions / sizeof actions[0] };

static void do_help(play *p, const char *rest) {
    (void)rest;
    writer w = writer_on(p->message, sizeof p->message);
    const rules_properties *game = rules_properties_of(p->game);
    write_format(&w, "  %-11s a move; %s\n", game->squares_example,
                 p->how.unicode ? game->moves_help_unicode : game->moves_help);
    text squares = text_of(game->squares_example), square = text_next_word(&squares);
    write_format(&w, "  %-11.*s the moves of the piece that stands there\n", (int)square.len,
                 square.at);
    for (int i = 0; i < ACTIONS; i++) {
        char name[32];
        writer n = writer_on(name, sizeof name);
        write_format(&n, "%s%s", actions[i].name, actions[i].arguments);
        write_format(&w, "  %-11s %s%s", name, actions[i].help, i + 1 < ACTIONS ? "\n" : "");
    }
}

static const action *find_action(text word) {
    if (text_is(word, "q") || text_is(word, "exit"))
        word = text_of("quit");
    if (text_is(word, "?"))
        word = text_of("help");
    for (int i = 0; i < ACTIONS; i++)
        if (text_is(word, actions[i].name))
            return &actions[i];
    return NULL;
}

// The word that a line was probably meant to begin with.
static suggestion suggest_action(text line) {
    suggestion near = suggest_for(text_next_word(&line));
    for (int i = 0; i < ACTIONS; i++)
        suggest_offer(&near, actions[i].name);
    return near;
}

// --- moves --------------------------------------------------------------------------------------

// A rank of 10, in a legal move or as a square, shows that the players count ranks from 1.
static int reading(const play *p, text line) {
    return p->notation == NOTATION_UCI1 ? WORDS_ANY_FROM_1 : words_settle(p->game, line);
}

static void settle_ranks(play *p, int how) {
    if (how != WORDS_ANY_FROM_1 || p->notation == NOTATION_UCI1)
        return;
    p->notation = NOTATION_UCI1;
    p->changed = true; // the board's ranks
    play_say(p, "Ranks count from 1 to 10 from here on.");
}

// A remark on an illegal move: it may be legal where ranks count from 1.
static const char *advice(const play *p, text word) {
    rules_move move;
    if (rules_has_notation(p->game, NOTATION_UCI1) && p->notation != NOTATION_UCI1 &&
        words_parse_move(p->state, WORDS_ANY_FROM_1, word, &move, NULL))
        return " (ranks count from 0 here; with --notation uci1 they count from 1)";
    return p->nonsense > 2 ? " (help says what can be typed)" : "";
}

static void play_move(play *p, text line) {
    if (is_over(p))
        return;
    char joined[WORDS_JOINED_SIZE];
    text rest = line, word = words_next_move(&rest, joined);
    if (word.len == 0)
        word = line; // a number only
    rules_move move;
    fault why;
    int how = reading(p, line);
    if (text_trim(rest).len) {
        suggestion near = suggest_action(line);
        play_say(p, "One move at a time, please%s", near.best ? suggest_hint(&near).shown : ".");
        p->nonsense++;
    } else if (!words_parse_move(p->state, how, word, &move, &why) ||
               !rules_play(p->state, move, &why)) {
        p->nonsense++;
        suggestion near = suggest_action(line);
        if (near.best)
            play_say(p, "%s%s", why.line, suggest_hint(&near).shown);
        else
            play_say(p, "%s%s", why.line, advice(p, word));
    } else {
        p->nonsense = 0;
        p->changed = p->unsaved = true;
        settle_ranks(p, how);
    }
}

static void obey(play *p, char *line) {
    text rest = text_trim(text_of(line));
    if (rest.len == 0) {
        p->nonsense++;
        return;
    }
    text all = rest, word = text_next_word(&rest);
    const action *a = find_action(word);
    if (a) {
        p->nonsense = 0;
        rest = text_trim(rest);
        line[rest.at + rest.len - line] = '\0';
        a->act(p, rest.at);
        return;
    }
    if (words_is_square(word) && rest.len == 0) {
        settle_ranks(p, reading(p, all));
        line[word.at - line] = (char)tolower((unsigned char)word.at[0]);
        screen_list_moves(p, word);
    } else {
        play_move(p, all);
    }
}

// --- the command --------------------------------------------------------------------------------

// Prints the moves of an unsaved game, so that it can be copied from the terminal.
static void print_unsaved(play *p) {
    uint32_t n = rules_ply(p->state);
    rules_move *moves = malloc((n + 1) * sizeof *moves);
    if (!p->unsaved || !n || !moves) {
        free(moves);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        moves[i] = rules_move_at(p->state, i);
    while (rules_undo(p->state))
        continue;
    printf("Not saved:");
    if (strcmp(p->start, rules_start_fen(p->game)) != 0)
        printf(" fen %s moves", p->start);
    fault why;
    for (uint32_t i = 0; i < n; i++) {
        char shown[RULES_MOVE_SIZE];
        writer w = writer_on(shown, sizeof shown);
        rules_format_move(p->state, moves[i], NOTATION_NATIVE, &w);
        printf(" %s", shown);
        if (!rules_play(p->state, moves[i], &why))
            break;
    }
    putchar('\n');
    free(moves);
}

static int play_on(play *p) {
    play_say(p, "Type a move, or help.");
    p->changed = true;
    while (!p->left) {
        screen_show(p);
        if (is_computers_turn(p)) {
            opponent_move(p);
            continue;
        }
        char prompt[64], line[PLAY_LINE_SIZE];
        writer w = writer_on(prompt, sizeof prompt);
        if (play_verdict(p).outcome == RULES_ONGOING)
            write_format(&w, "%s to move", play_mover(p));
        else
            write_string(&w, "Game over");
        if (ask(p, prompt, line))
            obey(p, line);
        is_noise(p);
    }
    print_unsaved(p);
    return p->noise ? screen_complain_noise() : STATUS_OK;
}

static int play_game(play *p, opponent *o, const rules_set *set, const char *fen) {
    fault why;
    p->computer = o;
    p->state = new_game(p->game, set, fen);
    if (!p->state)
        return STATUS_BAD;
    writer w = writer_on(p->start, sizeof p->start);
    rules_format_fen(p->state, &w);
    p->how.flipped = o->side == 0;
    int status = opponent_start(o, p, &why) ? play_on(p) : complain("kraton play: %s", why.line);
    opponent_close(o);
    free(p->state);
    return status;
}

int cmd_play(const command *self, int argc, char **argv) {
    const char *rules = NULL, *fen = NULL, *notation_name = "native";
    opponent_options said = {0};
    bool ascii = false, no_colour = false;
    const option table[] = {
        {"level", 0, "N", "level of the computer, 1 to 10 (4)", .string = &said.level},
        {"depth", 0, "N", "search so many plies, at full strength", .string = &said.depth},
        {"time", 0, "SECONDS", "think so long about a move, at full strength",
         .string = &said.time},
        {"side", 0, "SIDE", "the side you play: first (default), second, or its colour",
         .string = &said.side},
        {"engine", 0, "CMD", "another engine than Kraton's own", .string = &said.engine},
        {"two", 0, NULL, "two people play at one keyboard", .flag = &said.two},
        {"rules", 0, "RULES", "a rule set: NAME, or NAME,field=value,...", .string = &rules},
        {"fen", 0, "FEN", "from this position instead of the start", .string = &fen},
        {"notation", 0, "NOTATION", "notation of moves shown; with uci1 squares are a1 to i10",
         .string = &notation_name},
        {"ascii", 0, NULL, "plain ASCII whatever the locale", .flag = &ascii},
        {"no-color", 0, NULL, "no colours; NO_COLOR in the environment does the same",
         .flag = &no_colour},
        {"no-colour", 0, NULL, NULL, .flag = &no_colour},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    screen_catch_interrupt();
    opponent_choice choice = {.game = argc ? find_game(argv[0]) : NULL};
    if (argc && !choice.game)
        return STATUS_USAGE;
    opponent o = {0};
    bool is_settled = argc || said.two || said.level || said.depth || said.time || said.engine;
    if (!argc)
        status = opponent_choose(&choice, is_settled);
    rules_notation notation;
    rules_set set;
    if (!choice.game)
        return status;
    if (!find_notation(choice.game, notation_name, &notation) ||
        !find_rules(choice.game, rules, &set) || !opponent_read(self, &said, choice.game, &o))
        return STATUS_USAGE;
    if (!is_settled) {
        o.level = choice.level;
        o.side = choice.level ? o.side : OPPONENT_NOBODY;
    }
    terminal term = terminal_look();
    play p = {.game = choice.game,
              .notation = notation,
              .term = term,
              .how = {.unicode = term.unicode && !ascii, .colour = term.colour && !no_colour}};
    return play_game(&p, &o, &set, fen);
}
