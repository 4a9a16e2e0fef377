#include "games/xiangqi/evaluate.h"

#include "games/xiangqi/weights.h"

xq_eval_tables xq_eval_table;

// The place of a point in a side's half of a mirrored board, as weights.h lists them.
static int place_of(int side, int point) {
    int seen = side == XQ_RED ? point : XQ_POINTS - 1 - point, file = xq_file(seen);
    return 5 * xq_rank(seen) + (file < 5 ? file : XQ_FILES - 1 - file);
}

AT_START static void fill_tables(void) {
    for (int i = 0; i < XQ_F_COUNT; i++)
        xq_eval_table.weight[i] = xq_weights[i].ending * 65536 + xq_weights[i].opening;
    for (int piece = 0; piece < 16; piece++) {
        int type = xq_type(piece) - 1, side = xq_side(piece);
        if (type < 0)
            continue;
        const int32_t *weight = xq_eval_table.weight;
        for (int point = 0; point < XQ_POINTS; point++) {
            int32_t worth = weight[XQ_F_MATERIAL + type] +
                            weight[XQ_F_PLACE + 50 * type + place_of(side, point)];
            xq_eval_table.place[piece][point] = side == XQ_RED ? worth : -worth;
        }
    }
}

bool xq_network_fits(const network *n) {
    int buckets = n->shape.king_buckets;
    return n->shape.inputs == XQ_NETWORK_INPUTS && (buckets == 1 || buckets == 6);
}

// --- names --------------------------------------------------------------------------------------

typedef struct {
    const char *name;
    int count;
} group;

static void write_lower(const char *name, writer *out) {
    for (; *name; name++)
        write_char(out, *name == '_' ? '-' : (char)(*name - 'A' + 'a'));
}

void xq_name_parameter(int parameter, writer *out) {
    static const group groups[] = {
#define XQ_FEATURE(name, count, about) {#name, count},
        XQ_FEATURES(XQ_FEATURE)
#undef XQ_FEATURE
    };
    static const char *const kinds[] = {"chariot",  "cannon",  "horse", "pawn",
                                        "elephant", "advisor", "king"};
    const group *g = groups;
    int first = 0;
    for (; parameter - first >= g->count; g++)
        first += g->count;
    int index = parameter - first;
    write_lower(g->name, out);
    if (first == XQ_F_MATERIAL)
        write_format(out, "-%s", kinds[index]);
    else if (first == XQ_F_PLACE)
        write_format(out, "-%s-%c%d", kinds[index / 50], 'a' + index % 5, index % 50 / 5);
    else if (g->count > 1)
        write_format(out, "-%d", index);
}
