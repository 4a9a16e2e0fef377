// Any bytes as lines a manager sends an engine, in the dialect of the first line. Whatever they
// are, the position stays one of the game, every answer fits and ends its line, and the moves to
// choose from are legal. Every request to think is answered by one of them.
#include "dialect/engine/engine.h"

#include <stdlib.h>

static const char *const styles[] = {"Calm", "Wild", NULL};
static const dialect_option options[] = {
    {.name = "Hash",
     .ucci = "hashsize",
     .type = OPTION_SPIN,
     .initial = "16",
     .low = 1,
     .high = 64},
    {.name = "Clear Hash", .type = OPTION_BUTTON},
    {.name = "Style", .type = OPTION_COMBO, .initial = "Calm", .choices = styles},
    {.name = "Ponder", .type = OPTION_CHECK, .initial = "false"},
    {.name = "Book", .type = OPTION_STRING, .initial = ""},
    {0},
};

static void check(bool good) {
    if (!good)
        abort();
}

static void think(dialect_engine *e, const dialect_command *c, writer *out) {
    rules_move moves[RULES_MAX_MOVES];
    int n = rules_legal_moves(e->state, moves);
    for (int i = 0; i < c->go.allowed_count; i++)
        check(rules_is_legal(e->state, e->allowed[i]));
    if (c->go.is_analysis)
        return;
    if (n == 0) {
        dialect_engine_write_no_move(e, out);
        return;
    }
    dialect_report report = {
        .depth = 1, .nodes = 1, .time_ms = 1, .hash_full = -1, .pv = moves, .pv_count = 1};
    dialect_engine_write_info(e, &report, out);
    dialect_engine_write_move(
        e, &(dialect_answer){.move = c->go.allowed_count ? e->allowed[0] : moves[0]}, out);
}

static void feed(dialect_engine *e, text line) {
    static char buffer[DIALECT_TEXT_MAX];
    writer out = writer_on(buffer, sizeof buffer);
    dialect_command c = dialect_engine_read(e, line, &out);
    if (c.kind == COMMAND_OPTION)
        check(c.name != NULL);
    if (c.kind == COMMAND_GO)
        think(e, &c, &out);
    check(!out.overflow && (out.used == 0 || buffer[out.used - 1] == '\n'));
    rules_result(e->state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    const dialect_identity identity = {
        .name = "F", .author = "F", .options = options, .has_variant = data[0] & 2};
    const rules_game *game = rules_nth(data[0] % RULES_GAMES);
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(64));
    dialect_engine e;
    dialect_engine_init(&e, game, rules_state_new(memory, game, &set, 64), &identity);
    for (text rest = {(const char *)data + 1, size - 1}; rest.len;)
        feed(&e, text_next_line(&rest));
    dialect_engine_free(&e);
    free(memory);
    return 0;
}
