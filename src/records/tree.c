// The tree of a record: adding to it, walking through it, and what of it a format cannot hold.
#include "base/vector.h"
#include "records/format.h"

#include <stdlib.h>

// --- adding -------------------------------------------------------------------------------------

// Makes room for one more node; the start position comes first.
static bool reserve_node(record *r) {
    record_node *grown =
        vector_reserve(r->nodes, &r->node_capacity, (size_t)r->node_count + 2, sizeof *grown);
    if (!grown)
        return false;
    r->nodes = grown;
    if (r->node_count == 0)
        r->nodes[r->node_count++] = (record_node){.clock = -1, .used = -1};
    return true;
}

static bool add_to_main_line(record *r, rules_move move, uint32_t node) {
    rules_move *grown = vector_reserve(r->moves, &r->capacity, r->count + 1, sizeof *grown);
    if (!grown)
        return false;
    r->moves = grown;
    r->moves[r->count++] = move;
    r->last = node;
    return true;
}

uint32_t record_add(record *r, uint32_t parent, rules_move move) {
    if (!reserve_node(r) || r->nodes[parent].ply == UINT16_MAX)
        return 0;
    uint32_t node = r->node_count;
    bool is_main = parent == r->last && !r->nodes[parent].next;
    if (is_main && !add_to_main_line(r, move, node))
        return 0;
    r->nodes[r->node_count++] = (record_node){.parent = parent,
                                              .move = move,
                                              .ply = (uint16_t)(r->nodes[parent].ply + 1),
                                              .clock = -1,
                                              .used = -1};
    record_node *before = &r->nodes[parent];
    *(before->next ? &r->nodes[before->newest].other : &before->next) = node;
    before->newest = node;
    return node;
}

bool record_add_move(record *r, rules_move move) { return record_add(r, r->last, move) != 0; }

// Adds the words at the end of the comments, where the node's own end already.
static void add_words(buffer *comments, text words) {
    for (size_t i = 0; i < words.len; i++) {
        char c = words.at[i];
        bool is_control = (unsigned char)c < 0x20 || c == 0x7f;
        if (!is_control || c == '\n')
            buffer_char(comments, c);
        else if (c == '\t')
            buffer_char(comments, ' ');
    }
    buffer_char(comments, '\0');
}

bool record_add_comment(record *r, uint32_t node, text comment) {
    comment = text_trim(comment);
    if (comment.len == 0)
        return true;
    if (r->node_count == 0 && !reserve_node(r))
        return false;
    buffer *all = &r->comments;
    if (all->len == 0)
        buffer_char(all, '\0'); // 0 means no comment
    size_t start = all->len, before = r->nodes[node].comment;
    if (before && r->commented == node) {
        start = before;
        all->bytes[all->len - 1] = '\n';
    } else if (before && buffer_reserve(all, strlen(all->bytes + before) + 1)) {
        buffer_add(all, text_of(all->bytes + before));
        buffer_char(all, '\n');
    }
    add_words(all, comment);
    if (all->failed || start > UINT32_MAX)
        return false;
    r->nodes[node].comment = (uint32_t)start;
    r->commented = node;
    return true;
}

bool record_set_comment(record *r, uint32_t node, text comment) {
    if (r->node_count)
        r->nodes[node].comment = 0;
    return record_add_comment(r, node, comment);
}

const char *record_comment(const record *r, uint32_t node) {
    return r->node_count && r->nodes[node].comment ? r->comments.bytes + r->nodes[node].comment
                                                   : "";
}

bool record_add_mark(record *r, uint32_t node, int nag) {
    uint8_t *marks = r->nodes[node].marks;
    for (size_t i = 0; i < sizeof r->nodes[node].marks; i++)
        if (!marks[i]) {
            marks[i] = (uint8_t)nag;
            return true;
        }
    return false;
}

uint32_t record_main_node(const record *r, uint32_t n) {
    uint32_t node = 0;
    while (n-- && r->node_count)
        node = r->nodes[node].next;
    return node;
}

void record_drop_moves(record *r) {
    r->count = r->last = r->node_count = r->commented = 0;
    buffer_clear(&r->comments);
}

// --- walking ------------------------------------------------------------------------------------

bool tree_is_continuation(const record *r, uint32_t node) {
    return r->nodes[r->nodes[node].parent].next == node;
}

tree_walk tree_walk_start(const record *r) { return (tree_walk){.r = r}; }

// Behind the last move of a line: back to its first move.
static uint32_t head_of_line(const record *r, uint32_t node) {
    while (node && tree_is_continuation(r, node))
        node = r->nodes[node].parent;
    return node;
}

// Goes on after a node and its variations.
static tree_step go_on(tree_walk *w, uint32_t node) {
    uint32_t next = w->r->nodes[node].next;
    w->node = next ? next : head_of_line(w->r, node);
    w->is_closed = !next;
    return next ? TREE_MOVE : w->node ? TREE_CLOSE : TREE_END;
}

tree_step tree_walk_next(tree_walk *w) {
    const record_node *nodes = w->r->nodes;
    uint32_t node = w->node, variation = 0;
    if (w->r->node_count == 0)
        return TREE_END;
    if (w->pending) {
        w->node = w->pending;
        w->pending = 0;
        return TREE_MOVE;
    }
    if (w->is_closed || tree_is_continuation(w->r, node))
        variation = nodes[node].other;
    if (variation) {
        w->pending = variation;
        w->is_closed = false;
        return TREE_OPEN;
    }
    return go_on(w, w->is_closed ? nodes[nodes[node].parent].next : node);
}

uint32_t *tree_number_lines(const record *r, uint32_t *count) {
    uint32_t *line = calloc((size_t)r->node_count + 1, sizeof *line);
    *count = 1;
    for (uint32_t n = 1; line && n < r->node_count; n++)
        line[n] = tree_is_continuation(r, n) ? line[r->nodes[n].parent] : (*count)++;
    return line;
}

typedef struct {
    tree_line place;
    uint32_t index;
} placed_line;

static int by_place(const void *a, const void *b) {
    const placed_line *x = a, *y = b;
    if (x->place.of != y->place.of)
        return x->place.of < y->place.of ? -1 : 1;
    if (x->place.at != y->place.at)
        return x->place.at < y->place.at ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

uint32_t *tree_order_lines(const tree_line *lines, size_t count) {
    placed_line *sorted = calloc(count + 1, sizeof *sorted);
    size_t *next = calloc(count + 1, sizeof *next); // of each line: the next that leaves it
    uint32_t *order = calloc(count + 1, sizeof *order);
    for (size_t i = 1; sorted && i < count; i++)
        sorted[i] = (placed_line){lines[i], (uint32_t)i};
    if (sorted && count > 2)
        qsort(sorted + 1, count - 1, sizeof *sorted, by_place);
    for (size_t i = count; sorted && next && i-- > 1;)
        next[sorted[i].place.of] = i;
    uint32_t line = 0;
    for (size_t played = 1; sorted && next && order && played < count;) {
        size_t at = next[line];
        if (at && at < count && sorted[at].place.of == line) {
            next[line]++;
            line = sorted[at].index;
            order[played++] = line;
        } else {
            line = lines[line].of;
        }
    }
    free(sorted);
    free(next);
    return order;
}

// --- what a format cannot hold ------------------------------------------------------------------

typedef struct {
    unsigned variations, comments, marks, clocks;
} tree_census;

static tree_census take_census(const record *r) {
    tree_census c = {0};
    for (uint32_t n = 0; n < r->node_count; n++) {
        const record_node *node = &r->nodes[n];
        c.variations += n && !tree_is_continuation(r, n);
        c.comments += node->comment != 0;
        c.marks += node->marks[0] != 0;
        c.clocks += node->clock >= 0 || node->used >= 0;
    }
    return c;
}

static void add_loss(writer *out, unsigned count, const char *what) {
    if (count)
        write_format(out, "%s%u %s%s", out->used ? ", " : "", count, what, count > 1 ? "s" : "");
}

static unsigned count_changed(const record *r, bool (*keeps)(text words)) {
    unsigned count = 0;
    for (uint32_t n = 0; keeps && n < r->node_count; n++)
        count += r->nodes[n].comment && !keeps(text_of(record_comment(r, n)));
    return count;
}

void tree_write_losses(const record *r, const format_row *format, writer *list, writer *changed) {
    tree_census c = take_census(r);
    unsigned lost = ~format->holds;
    add_loss(list, lost & HOLDS_VARIATIONS ? c.variations : 0, "variation");
    add_loss(list, lost & HOLDS_COMMENTS ? c.comments : 0, "comment");
    add_loss(list, lost & HOLDS_MARKS ? c.marks : 0, "mark");
    add_loss(list, lost & HOLDS_CLOCKS ? c.clocks : 0, "clock time");
    add_loss(changed, count_changed(r, format->keeps), "comment");
}
