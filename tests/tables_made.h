// A folder of small endgame tables for tests: written by the slow solver, removed at the end.
#ifndef KRATON_TESTS_TABLES_MADE_H
#define KRATON_TESTS_TABLES_MADE_H

#include "tablebase/surakarta/build/writer.h"
#include "tablebase/surakarta/solve.h"

#include <stdlib.h>
#include <unistd.h>

enum { MADE_PIECES = 4 };

typedef struct {
    char dir[32];
    tb_solution solutions[TB_CONVENTIONS];
} tables_made;

static bool made_write_split(const tables_made *m, tb_rules rules, int a, int b) {
    const tb_solution *s = &m->solutions[rules];
    const tb_split *split = &s->split[a][b];
    fault why;
    tb_writer *w = tb_writer_open(m->dir, rules, split, &why);
    bool fine = w != NULL;
    for (uint64_t i = 0; fine && i < split->size; i++)
        fine = tb_writer_add(w, &s->table[a][b][i].value, &s->table[a][b][i].distance, 1, &why);
    return fine && tb_writer_finish(w, NULL, &why);
}

static inline bool made_write(tables_made *m) {
    static const char name[] = "/tmp/kraton-tables-XXXXXX";
    memcpy(m->dir, name, sizeof name);
    if (!mkdtemp(m->dir))
        return false;
    tb_index_prepare(MADE_PIECES);
    for (int rules = 0; rules < TB_CONVENTIONS; rules++) {
        if (!tb_solve(&m->solutions[rules], (tb_rules)rules, MADE_PIECES))
            return false;
        for (int a = 1; a < MADE_PIECES; a++)
            for (int b = 1; a + b <= MADE_PIECES; b++)
                if (!made_write_split(m, (tb_rules)rules, a, b))
                    return false;
    }
    return true;
}

static inline void made_remove_split(const tables_made *m, tb_rules rules, int a, int b) {
    char path[TB_PATH_SIZE];
    for (int kind = TB_VALUES; kind <= TB_PACKED; kind++)
        if (tb_file_path(path, m->dir, (tb_kind)kind, rules, a, b))
            unlink(path);
}

static inline int made_remove(tables_made *m) {
    for (int rules = 0; rules < TB_CONVENTIONS; rules++) {
        tb_solution_free(&m->solutions[rules]);
        for (int a = 1; a < MADE_PIECES; a++)
            for (int b = 1; a + b <= MADE_PIECES; b++)
                made_remove_split(m, (tb_rules)rules, a, b);
    }
    return rmdir(m->dir);
}

#endif
