#include "tablebase/surakarta/verify_row.h"

#include "base/minmax.h"

#include <stdio.h>

enum { MAX_STEPS = 12 * 8 };

// What an entry claims and what its moves say so far.
typedef struct {
    int value, distance;
    int moves, best, shortest, longest; // the ways of the moves that keep the value
} trial;

ALWAYS_INLINE void weigh(trial *t, int value, int way) {
    t->moves++;
    t->best = max_int(value, t->best);
    if (value != t->value)
        return;
    t->longest = max_int(way, t->longest);
    if (way > 0 && way < t->shortest)
        t->shortest = way;
}

ALWAYS_INLINE void weigh_step(trial *t, verify_entry next) {
    int distance = verify_distance(next);
    weigh(t, -verify_value(next), distance ? distance + 1 : 0);
}

// --- the row at hand ----------------------------------------------------------------------------

// A step of the row side: where it goes, and the row it leads to.
typedef struct {
    uint64_t from, to;
    verify_view view;
} row_step;

typedef struct {
    const verify_job *job;
    uint64_t row, rows;           // its number and its set
    uint8_t point[VERIFY_POINTS]; // of the columns' numbers
    uint64_t near[VERIFY_POINTS]; // by number: the numbers one step away
    row_step steps[MAX_STEPS];
    int step_count;
} row_context;

static void list_steps(row_context *c) {
    const verify_job *job = c->job;
    for (uint64_t left = c->rows; left;) {
        int from = bits_pop(&left);
        for (uint64_t to = sk_neighbours[from] & ~c->rows; to;) {
            row_step *step = &c->steps[c->step_count++];
            step->from = sk_bit(from);
            step->to = to & -to;
            to &= to - 1;
            if (job->layout.movers != job->layout.others)
                step->view = verify_view_of(job->index, (c->rows ^ step->from) | step->to);
        }
    }
}

static void set_up_row(row_context *c, const verify_job *job, uint64_t row) {
    uint8_t number[VERIFY_POINTS] = {0};
    int free_points = 0;
    c->job = job;
    c->row = row;
    c->rows = job->index->set_of[job->layout.row_pieces][row];
    c->step_count = 0;
    for (int point = 0; point < VERIFY_POINTS; point++)
        if (!(c->rows >> point & 1)) {
            number[point] = (uint8_t)free_points;
            c->point[free_points++] = (uint8_t)point;
        }
    for (int i = 0; i < free_points; i++) {
        c->near[i] = 0;
        for (uint64_t near = sk_neighbours[c->point[i]] & ~c->rows; near;)
            c->near[i] |= sk_bit(number[bits_pop(&near)]);
    }
    if (job->layout.movers_are_rows)
        list_steps(c);
}

// --- steps --------------------------------------------------------------------------------------

// The movers are the rows, the sides unequal: a step leads to another row of the same layout, where
// the columns have other numbers.
static void try_row_steps(const row_context *c, uint64_t columns, trial *t) {
    const verify_job *job = c->job;
    for (int i = 0; i < c->step_count; i++) {
        const row_step *step = &c->steps[i];
        if (step->to & columns)
            continue;
        uint64_t column = verify_column(job->index, &step->view, columns);
        weigh_step(t, job->quiet[step->view.row * job->layout.columns + column]);
    }
}

// Equal sides: after the step the other side moves and is the row side.
static void try_equal_steps(const row_context *c, uint64_t columns, trial *t) {
    const verify_job *job = c->job;
    verify_view view = verify_view_of(job->index, columns);
    const verify_entry *row = job->quiet + view.row * job->layout.columns;
    uint64_t numbers = 0;
    for (uint64_t left = c->rows; left;)
        numbers |= sk_bit(view.number[bits_pop(&left)]);
    for (int i = 0; i < c->step_count; i++) {
        const row_step *step = &c->steps[i];
        if (step->to & columns)
            continue;
        uint64_t from = sk_bit(view.number[bits_lowest(step->from)]);
        uint64_t to = sk_bit(view.number[bits_lowest(step->to)]);
        weigh_step(t, row[verify_rank(job->index, (numbers ^ from) | to)]);
    }
}

// The movers are the columns: the row stays.
static void try_column_steps(const row_context *c, uint64_t numbers, trial *t) {
    const verify_job *job = c->job;
    const verify_entry *row = job->quiet + c->row * job->layout.columns;
    for (uint64_t left = numbers; left;) {
        int from = bits_pop(&left);
        for (uint64_t to = c->near[from] & ~numbers; to; to &= to - 1)
            weigh_step(t, row[verify_rank(job->index, (numbers ^ sk_bit(from)) | (to & -to))]);
    }
}

// --- captures -----------------------------------------------------------------------------------

static uint64_t ring_of(uint64_t pieces) {
    uint64_t ring = 0;
    while (pieces)
        ring |= sk_ring_bits[bits_pop(&pieces)];
    return ring;
}

static void try_captures(const verify_job *job, uint64_t movers, uint64_t others, trial *t) {
    sk_pos pos = {.pieces = {movers, others}, .ring = {ring_of(movers), ring_of(others)}};
    rules_move captures[SK_MAX_CAPTURES];
    int n = sk_generate_captures(&pos, captures);
    for (int i = 0; i < n; i++) {
        uint64_t from = sk_bit(move_from(captures[i])), to = sk_bit(move_to(captures[i]));
        int value = TB_LOSS; // of those whose last piece is taken
        if (job->captured)
            value = tb_reader_value(job->captured, verify_find(job->index, &job->after, others ^ to,
                                                               movers ^ from ^ to));
        weigh(t, -value, 1);
    }
}

// --- the verdict --------------------------------------------------------------------------------

// What the distance must be: none where waiting brings the same; the shortest way of who is better
// off than by waiting, the longest of who is worse off.
static int due_distance(const trial *t, int waiting) {
    return t->value == waiting ? 0 : t->value > waiting ? t->shortest : t->longest;
}

static bool is_right(const trial *t, int waiting) {
    int best = t->moves ? t->best : waiting;
    return t->value == best && t->distance == due_distance(t, waiting) &&
           (t->value == waiting || t->distance > 0);
}

static void note(verify_findings *f, uint64_t index, const trial *t, int waiting) {
    static const char *const names[] = {"loss", "draw", "win", "nothing"};
    if (f->wrong++ > 0)
        return;
    int best = t->moves ? t->best : waiting;
    f->first_wrong = index;
    if (t->value != best)
        snprintf(f->what, sizeof f->what, "says %s, its moves %s", names[t->value - TB_LOSS],
                 names[best - TB_LOSS]);
    else
        snprintf(f->what, sizeof f->what, "says %s in %d, its moves in %d",
                 names[t->value - TB_LOSS], t->distance, due_distance(t, waiting));
}

static void count(verify_findings *f, const trial *t, int weight) {
    int digit = t->value - TB_LOSS;
    if (digit > 2)
        return;
    f->placements[digit] += (uint64_t)weight;
    f->longest[digit] = t->distance > f->longest[digit] ? t->distance : f->longest[digit];
}

void verify_row(const verify_job *job, uint64_t row, verify_findings *f) {
    const verify_layout *l = &job->layout;
    row_context c;
    int waiting = tb_waiting_value(job->rules, l->movers, l->others);
    int weight = job->index->orbit_of[l->row_pieces][row];
    uint64_t numbers = sk_bit(l->column_pieces) - 1;
    set_up_row(&c, job, row);
    for (uint64_t column = 0; column < l->columns; column++, numbers = verify_next_set(numbers)) {
        uint64_t index = row * l->columns + column, columns = 0;
        for (uint64_t left = numbers; left;)
            columns |= sk_bit(c.point[bits_pop(&left)]);
        verify_entry e = job->table[index];
        trial t = {verify_value(e), verify_distance(e), 0, -2, 256, 0};
        if (!l->movers_are_rows)
            try_column_steps(&c, numbers, &t);
        else if (l->movers == l->others)
            try_equal_steps(&c, columns, &t);
        else
            try_row_steps(&c, columns, &t);
        if (l->movers_are_rows)
            try_captures(job, c.rows, columns, &t);
        else
            try_captures(job, columns, c.rows, &t);
        if (!is_right(&t, waiting))
            note(f, index, &t, waiting);
        count(f, &t, weight);
    }
    f->positions += l->columns;
}
