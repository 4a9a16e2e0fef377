// The kernels of the table builder, OpenCL C 1.2. device/pair.h explains the method.
//
// Compiled with
//   SET    uint, or ulong where a row has more than 32 free points
//   PARTS  the buffers that a plane may be split into: 1 or 8
//
// A work-group handles a chunk of CHUNK words of one row: the row's set and its free points are in
// local memory. Points of a column's set are numbered among the free points of its row.

#define POINTS 36
#define GROUP 256
#define CHUNK 256
#define SYMMETRIES 8
#define BOARD 0xffffffffful
#define SYMMETRY_BITS 3

// Constants of the game, the same for all tables. The host fills in the same structure.
typedef struct {
    ulong turned[6][64][SYMMETRIES]; // by line and points on it: the images
    ulong near[POINTS];              // one step away
    ulong ring[POINTS];              // the stations of a point on the two circuits
    uint choose[13][POINTS];         // [k][n]: sets of k among n
    ushort digits[256];              // by byte of a value file: its five digits, two bits each
    uchar station[64];               // the point of a station
    uchar compose[SYMMETRIES][SYMMETRIES]; // [t][s]: the symmetry that is s, then t
} board_t;

// All sets of one number of pieces.
//   folded    by rank: representative << 3 | a symmetry that leads to it
//   members   by representative: its set
//   stable    by representative: the symmetries that leave it as it is, a bit each

#if PARTS == 1
#define PARTS_OF(type, name) type name##0
#define PICK(name, part) name##0
#else
#define PARTS_OF(type, name)                                                                       \
    type name##0, type name##1, type name##2, type name##3, type name##4, type name##5,            \
        type name##6, type name##7
#define PICK(name, part)                                                                           \
    ((part) < 4 ? ((part) < 2 ? ((part) == 0 ? name##0 : name##1)                                  \
                              : ((part) == 2 ? name##2 : name##3))                                 \
                : ((part) < 6 ? ((part) == 4 ? name##4 : name##5)                                  \
                              : ((part) == 6 ? name##6 : name##7)))
#endif

// --- bits ---------------------------------------------------------------------------------------

#define BIT(n) (1ul << (n))
#define SET_BIT(n) ((SET)1 << (n))

int lowest(SET set) { return (int)(sizeof(SET) * 8) - 1 - (int)clz(set & -set); }
int highest(SET set) { return (int)(sizeof(SET) * 8) - 1 - (int)clz(set); }
int lowest_64(ulong set) { return 63 - (int)clz(set & -set); }
int lowest_32(uint set) { return 31 - (int)clz(set & -set); }
int count_below(ulong set, int point) { return (int)popcount(set & (BIT(point) - 1)); }

// --- a row --------------------------------------------------------------------------------------

typedef struct {
    ulong set;
    SET near[POINTS];         // by free point: the free points one step away
    uchar point[POINTS];      // by free point
    uint choose[13 * POINTS];
} row_t;

void load_row(__local row_t *row, __global const board_t *board, ulong set) {
    int id = (int)get_local_id(0);
    __global const uint *choose = &board->choose[0][0];
    for (int i = id; i < 13 * POINTS; i += GROUP)
        row->choose[i] = choose[i];
    if (id < POINTS - (int)popcount(set)) {
        ulong left = BOARD & ~set;
        for (int i = 0; i < id; i++)
            left &= left - 1;
        int point = lowest_64(left);
        SET near = 0;
        for (ulong to = board->near[point] & ~set; to; to &= to - 1) {
            int q = lowest_64(to);
            near |= SET_BIT(q - count_below(set, q));
        }
        row->point[id] = (uchar)point;
        row->near[id] = near;
    }
    if (id == 0)
        row->set = set;
    barrier(CLK_LOCAL_MEM_FENCE);
}

// The rank of a set after its i-th point p (i from 1) has gone to q.
uint moved(__local const uint *choose, SET set, uint rank, int i, int p, int q) {
    rank -= choose[i * POINTS + p];
    if (q > p) {
        SET between = set & (SET_BIT(q) - 1) & ~((SET_BIT(p) << 1) - 1);
        for (; between; between &= between - 1, i++) {
            int r = lowest(between);
            rank += choose[i * POINTS + r] - choose[(i + 1) * POINTS + r];
        }
    } else {
        SET between = set & (SET_BIT(p) - 1) & ~((SET_BIT(q) << 1) - 1);
        for (; between; i--) {
            int r = highest(between);
            between ^= SET_BIT(r);
            rank += choose[i * POINTS + r] - choose[(i - 1) * POINTS + r];
        }
    }
    return rank + choose[i * POINTS + q];
}

// The points of the whole board for a set of free points.
ulong spread(__local const row_t *row, SET set) {
    ulong points = 0;
    for (; set; set &= set - 1)
        points |= BIT(row->point[lowest(set)]);
    return points;
}

uint rank_set(__local const uint *choose, ulong set) {
    uint rank = 0;
    for (int i = 1; set; i++, set &= set - 1)
        rank += choose[i * POINTS + lowest_64(set)];
    return rank;
}

// The rank of a set among those of the points that `holes` leaves.
uint rank_among_free(__local const uint *choose, ulong set, ulong holes) {
    uint rank = 0;
    for (int i = 1; set; i++, set &= set - 1) {
        int point = lowest_64(set);
        rank += choose[i * POINTS + point - count_below(holes, point)];
    }
    return rank;
}

ulong turn(__global const board_t *board, int symmetry, ulong set) {
    ulong image = 0;
    for (int line = 0; line < 6; line++)
        image |= board->turned[line][set >> 6 * line & 63][symmetry];
    return image;
}

void load_images(__local ulong *images, __global const board_t *board, ulong set) {
    int id = (int)get_local_id(0);
    if (id < SYMMETRIES)
        images[id] = turn(board, id, set);
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Lists the bits that are set in the words of a chunk, one word per work-item. Returns how many
// there are, the same for all work-items. (Kernels do not return early when there are none: PoCL 3.1
// then runs what follows the next barrier once too often.)
uint list_bits(__local ushort *list, __local uint *count, uint bits) {
    int id = (int)get_local_id(0);
    if (id == 0)
        *count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (bits) {
        uint at = atomic_add(count, popcount(bits));
        for (; bits; bits &= bits - 1)
            list[at++] = (ushort)(id * 32 + lowest_32(bits));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return *count;
}

// Where a work-group works. Rows of a part are numbered from 0; `first_row` is its first row.
typedef struct {
    uint row;    // in the part
    uint first;  // column
    uint word;   // of this work-item, in the row
    ulong at;    // that word in the part
    bool inside; // the word exists
} place_t;

place_t find_place(uint row_from, uint chunks, uint words) {
    place_t place;
    uint group = (uint)get_group_id(0);
    place.row = row_from + group / chunks;
    place.first = group % chunks * CHUNK * 32;
    place.word = group % chunks * CHUNK + (uint)get_local_id(0);
    place.at = (ulong)place.row * words + place.word;
    place.inside = place.word < words;
    return place;
}

// Fills with zeros. (The fill command of a driver fails beyond 8 GiB.)
__kernel void clear(__global uint *words, ulong count) {
    for (ulong at = get_global_id(0); at < count; at += get_global_size(0))
        words[at] = 0;
}

// --- sets ---------------------------------------------------------------------------------------

// All sets of so many pieces in the order of their ranks; those of the first 32 points also as 32
// bits.
__kernel void make_sets(__global const board_t *board, uint count, uint pieces, uint narrow_count,
                        __global ulong *wide, __global uint *narrow) {
    uint at = (uint)get_global_id(0), rank = at;
    if (at >= count)
        return;
    ulong set = 0;
    int point = POINTS - 1;
    for (int k = (int)pieces; k > 0; k--, point--) {
        while (board->choose[k][point] > rank)
            point--;
        rank -= board->choose[k][point];
        set |= BIT(point);
    }
    wide[at] = set;
    if (at < narrow_count)
        narrow[at] = (uint)set;
}

// Marks the representatives: the sets that are the smallest of their images. One bit per set.
__kernel void mark_representatives(__global const board_t *board, __global const ulong *sets,
                                   uint count, __global uint *marks) {
    uint word = (uint)get_global_id(0), bits = 0;
    for (uint i = 0; i < 32 && word * 32 + i < count; i++) {
        ulong set = sets[word * 32 + i], smallest = set;
        for (int s = 1; s < SYMMETRIES; s++)
            smallest = min(smallest, turn(board, s, set));
        bits |= (uint)(smallest == set) << i;
    }
    if (word * 32 < count)
        marks[word] = bits;
}

// Fills folded, members and stable from the marks and, per word of them, the marks before it.
__kernel void fold_sets(__global const board_t *board, __global const ulong *sets, uint count,
                        __global const uint *marks, __global const uint *before,
                        __global uint *folded, __global ulong *members, __global uchar *stable) {
    uint rank = (uint)get_global_id(0);
    if (rank >= count)
        return;
    ulong set = sets[rank], smallest = set;
    int symmetry = 0;
    uint fixed = 1;
    for (int s = 1; s < SYMMETRIES; s++) {
        ulong image = turn(board, s, set);
        fixed |= (uint)(image == set) << s;
        if (image < smallest) {
            smallest = image;
            symmetry = s;
        }
    }
    uint first = 0;
    ulong left = smallest;
    for (int i = 1; left; i++, left &= left - 1)
        first += board->choose[i][lowest_64(left)];
    uint rep = before[first / 32] + popcount(marks[first / 32] & ((1u << first % 32) - 1));
    folded[rank] = rep << SYMMETRY_BITS | (uint)symmetry;
    if (symmetry == 0) {
        members[rep] = set;
        stable[rep] = (uchar)fixed;
    }
}

// --- captures -----------------------------------------------------------------------------------

// The value of a smaller table: 0 loss, 1 draw, 2 win. Its rows are the sets that folded and members
// belong to.
int smaller_value(__global const board_t *board, __local const uint *choose, ulong row, ulong column,
                  __global const uint *folded, __global const ulong *members, uint columns,
                  ulong part_bytes, PARTS_OF(__global const uchar *, values)) {
    uint fold = folded[rank_set(choose, row)];
    uint rep = fold >> SYMMETRY_BITS;
    ulong image = turn(board, (int)(fold & (SYMMETRIES - 1)), column);
    ulong index = (ulong)rep * columns + rank_among_free(choose, image, members[rep]);
    ulong byte = index / 5;
    uint digit = (uint)(index - byte * 5);
#if PARTS == 1
    uchar packed = values0[byte];
#else
    uint part = (uint)(byte / part_bytes);
    uchar packed = PICK(values, part)[byte - part * part_bytes];
#endif
    return board->digits[packed] >> 2 * digit & 3;
}

#if PARTS == 1
#define VALUES values0
#else
#define VALUES values0, values1, values2, values3, values4, values5, values6, values7
#endif

#define LOSS 0
#define DRAW 1
#define WON 1
#define DRAWN 2
#define MOVABLE 4

// What captures are possible along the gap over one loop: between the last station before it and the
// first behind it, as sk_add_gap. At most two, as from | to << 8; 0xffff for none.
ushort2 gap_captures(__global const board_t *board, uint all, uint own, int ring, int turned) {
    ushort2 none = (ushort2)(0xffff, 0xffff);
    if (all >> 24 == 0)
        return none;
    int last = 31 - (int)clz(all), first = lowest_32(all);
    uint out = own >> last & 1, in = own >> first & 1;
    if (!out && !in)
        return none;
    uint a = board->station[ring | ((turned + last) & 31)];
    uint b = board->station[ring | ((turned + first) & 31)];
    if (out != in) {
        none.x = (ushort)(out ? (a | b << 8) : (b | a << 8));
        return none;
    }
    if (a != b)
        return none;
    uint beyond = all & ~(1u << last | 1u << first);
    if (beyond) {
        last = 31 - (int)clz(beyond), first = lowest_32(beyond);
        if (!(own >> first & 1))
            none.x = (ushort)(a | (uint)board->station[ring | ((turned + first) & 31)] << 8);
        if (!(own >> last & 1))
            none.y = (ushort)(a | (uint)board->station[ring | ((turned + last) & 31)] << 8);
    }
    return none;
}

// The best that captures bring, and whether there is a capture.
uint judge_captures(__global const board_t *board, __local const uint *choose, ulong movers,
                    ulong others, ulong own, ulong all, int last_piece, int movers_are_rows,
                    __global const uint *folded, __global const ulong *members, uint columns,
                    ulong part_bytes, PARTS_OF(__global const uchar *, values)) {
    uint found = 0;
    for (int gap = 0; gap < 8 && !(found & WON); gap++) {
        int ring = (gap & 4) * 8, turned = (gap & 3) * 8;
        uint ring_all = rotate((uint)(all >> ring), (uint)(32 - turned));
        uint ring_own = rotate((uint)(own >> ring), (uint)(32 - turned));
        ushort2 moves = gap_captures(board, ring_all, ring_own, ring, turned);
        for (int k = 0; k < 2; k++) {
            uint move = k ? moves.y : moves.x;
            if (move == 0xffff)
                continue;
            ulong from = BIT(move & 255), to = BIT(move >> 8);
            ulong next_movers = others ^ to, next_others = movers ^ from ^ to;
            int value = LOSS; // of a side without pieces
            if (!last_piece)
                value = smaller_value(board, choose, movers_are_rows ? next_movers : next_others,
                                      movers_are_rows ? next_others : next_movers, folded, members,
                                      columns, part_bytes, VALUES);
            found |= MOVABLE;
            found |= value == LOSS ? WON : value == DRAW ? DRAWN : 0;
        }
    }
    return found;
}

// Captures of every position of a turn. In the first pass: open, losable, and won by capture. In the
// second, for what the weaker side can draw: positions won or losable, of those that are open.
__kernel void capture(__global const board_t *board, __global const ulong *members_of_rows,
                      __global const SET *sets, uint part_first, uint row_from, uint chunks,
                      uint words, uint columns_here, int attacks, int second, int last_piece,
                      int movers_are_rows, __global const uint *folded,
                      __global const ulong *members, uint columns, ulong part_bytes,
                      __global uint *open, __global uint *losable, __global uint *found,
                      PARTS_OF(__global const uchar *, values)) {
    __local row_t row;
    __local ulong rings[POINTS], ring_others;
    __local uint local_open[CHUNK], local_won[CHUNK], local_losable[CHUNK];
    int id = (int)get_local_id(0);
    place_t place = find_place(row_from, chunks, words);
    load_row(&row, board, members_of_rows[part_first + place.row]);
    if (id < POINTS - (int)popcount(row.set))
        rings[id] = board->ring[row.point[id]];
    if (id == 0) {
        ulong ring = 0;
        for (ulong set = row.set; set; set &= set - 1)
            ring |= board->ring[lowest_64(set)];
        ring_others = ring;
    }
    local_open[id] = second && place.inside ? open[place.at] : 0;
    local_won[id] = local_losable[id] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = (uint)id; i < CHUNK * 32 && place.first + i < columns_here; i += GROUP) {
        uint bit = 1u << i % 32;
        if (second && !(local_open[i / 32] & bit))
            continue;
        SET set = sets[place.first + i];
        ulong movers = 0, own = 0;
        uint steps = 0;
        for (SET left = set; left; left &= left - 1) {
            int p = lowest(left);
            movers |= BIT(row.point[p]);
            own |= rings[p];
            steps |= (row.near[p] & ~set) != 0;
        }
        uint best = judge_captures(board, row.choose, movers, row.set, own, own | ring_others,
                                   last_piece, movers_are_rows, folded, members, columns,
                                   part_bytes, VALUES);
        uint movable = steps || (best & MOVABLE);
        if (best & (second ? DRAWN : WON))
            atomic_or(&local_won[i / 32], bit);
        if (movable && !(best & (second ? WON : WON | DRAWN)))
            atomic_or(&local_losable[i / 32], bit);
        if (!second)
            atomic_or(&local_open[i / 32], bit);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!place.inside)
        return;
    found[place.at] = attacks ? local_won[id] : 0;
    if (!second) {
        open[place.at] = local_open[id];
        losable[place.at] = local_losable[id];
    } else if (!attacks) {
        losable[place.at] = (losable[place.at] & ~local_open[id]) | local_losable[id];
    }
}

// --- rounds -------------------------------------------------------------------------------------

// A position that is found in a round is no longer open; its bit of `losable` tells how it was
// settled: lost ones keep the bit in the first pass, won ones get it in the second. `found` has the
// positions that the last round settled, and those still open that the next round wins.

// Positions settled, by log2 of a row's weight, as two words each; then the first row with a win.
#define COUNT_WON 0
#define COUNT_LOST 8
#define FIRST_WIN 16

void add_64(__global uint *sum, uint number) {
    uint old = atomic_add(sum, number);
    if (old + number < old)
        atomic_inc(sum + 1);
}

// By row: log2 of the placements that an entry stands for.
int log_weight(uchar stable) { return 3 - lowest_32(popcount((uint)stable)); }

void write_distances(__global uchar *distances, place_t place, uint columns, uint bits, int round) {
    distances += (ulong)place.row * columns + (ulong)place.word * 32;
    for (; bits; bits &= bits - 1)
        distances[lowest_32(bits)] = (uchar)round;
}

// Settles the wins of this round: what is found and still open.
__kernel void settle_wins(__global const uchar *stable, uint part_first, uint row_from, uint chunks,
                          uint words, uint columns, int round, int second, __global uint *open,
                          __global uint *losable, __global uint *found, __global uint *counts,
                          int has_distances, __global uchar *distances) {
    __local uint sum;
    int id = (int)get_local_id(0);
    place_t place = find_place(row_from, chunks, words);
    if (id == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint all = place.inside ? found[place.at] : 0;
    uint here = all ? open[place.at] : 0, won = all & here;
    if (all != won)
        found[place.at] = won;
    if (won) {
        uint old = losable[place.at];
        open[place.at] = here & ~won;
        losable[place.at] = second ? old | won : old & ~won;
        atomic_add(&sum, popcount(won));
        if (has_distances)
            write_distances(distances, place, columns, won, round);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 0 && sum) {
        uint row = part_first + place.row;
        add_64(counts + COUNT_WON + 2 * log_weight(stable[row]), sum);
        atomic_min(counts + FIRST_WIN, row);
    }
}

// Finds and settles the losses of this round: losable positions from which every step leads to one
// that the other side wins.
__kernel void find_losses(__global const board_t *board, __global const ulong *members_of_rows,
                          __global const SET *sets, uint part_first, uint row_from, uint chunks,
                          uint words, uint columns, int round, int second, __global uint *open,
                          __global uint *losable, __global const uint *won, __global uint *found,
                          __global const uchar *stable, __global uint *counts, int has_distances,
                          __global uchar *distances) {
    __local row_t row;
    __local ushort list[CHUNK * 32];
    __local uint count, lost[CHUNK], sum;
    int id = (int)get_local_id(0);
    place_t place = find_place(row_from, chunks, words);
    lost[id] = 0;
    if (id == 0)
        sum = 0;
    uint n = list_bits(list, &count, place.inside ? open[place.at] & losable[place.at] : 0);
    if (n > 0)
        load_row(&row, board, members_of_rows[part_first + place.row]);
    won += (ulong)place.row * words;
    for (uint k = (uint)id; k < n; k += GROUP) {
        uint rank = place.first + list[k];
        SET set = sets[rank], left = set;
        uint all = 1;
        for (int i = 1; left && all; i++, left &= left - 1) {
            int p = lowest(left);
            for (SET to = row.near[p] & ~set; to && all; to &= to - 1) {
                uint next = moved(row.choose, set, rank, i, p, lowest(to));
                all = won[next / 32] >> next % 32 & 1;
            }
        }
        if (all)
            atomic_or(&lost[list[k] / 32], 1u << list[k] % 32);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint here = lost[id];
    if (here) {
        open[place.at] &= ~here;
        found[place.at] |= here;
        if (second)
            losable[place.at] &= ~here;
        atomic_add(&sum, popcount(here));
        if (has_distances)
            write_distances(distances, place, columns, here, round);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 0 && sum)
        add_64(counts + COUNT_LOST + 2 * log_weight(stable[part_first + place.row]), sum);
}

// Finds the wins of the next round: open positions from which a step leads to one that the other
// side has just lost. Steps go both ways, so these are the neighbours of the lost ones.
__kernel void find_wins(__global const board_t *board, __global const ulong *members_of_rows,
                        __global const SET *sets, uint part_first, uint row_from, uint chunks,
                        uint words, __global const uint *lost, __global const uint *open,
                        __global uint *found) {
    __local row_t row;
    __local ushort list[CHUNK * 32];
    __local uint count;
    place_t place = find_place(row_from, chunks, words);
    uint n = list_bits(list, &count, place.inside ? lost[place.at] : 0);
    if (n > 0)
        load_row(&row, board, members_of_rows[part_first + place.row]);
    open += (ulong)place.row * words;
    found += (ulong)place.row * words;
    for (uint k = (uint)get_local_id(0); k < n; k += GROUP) {
        uint rank = place.first + list[k];
        SET set = sets[rank], left = set;
        for (int i = 1; left; i++, left &= left - 1) {
            int p = lowest(left);
            for (SET to = row.near[p] & ~set; to; to &= to - 1) {
                uint next = moved(row.choose, set, rank, i, p, lowest(to));
                uint word = next / 32, bit = 1u << next % 32;
                if (open[word] & bit & ~found[word])
                    atomic_or(&found[word], bit);
            }
        }
    }
}

// Sets the bits of the positions settled by the last round, of one kind (the bit of `losable`), in
// the other shape: rows are the movers' representatives. Where such a set is symmetric, several
// entries are the same position.
__kernel void fold(__global const board_t *board, __global const ulong *members_of_rows,
                   __global const SET *sets, uint part_first, uint row_from, uint chunks, uint words,
                   __global const uint *found, __global const uint *open,
                   __global const uint *losable, int kind, __global const uint *folded,
                   __global const ulong *members, __global const uchar *stable, uint target_words,
                   uint target_rows, PARTS_OF(__global uint *, target)) {
    __local row_t row;
    __local ulong images[SYMMETRIES];
    __local ushort list[CHUNK * 32];
    __local uint count;
    place_t place = find_place(row_from, chunks, words);
    uint bits = place.inside ? found[place.at] : 0;
    if (bits)
        bits &= ~open[place.at] & (kind ? losable[place.at] : ~losable[place.at]);
    uint n = list_bits(list, &count, bits);
    if (n > 0) {
        load_row(&row, board, members_of_rows[part_first + place.row]);
        load_images(images, board, row.set);
    }
    for (uint k = (uint)get_local_id(0); k < n; k += GROUP) {
        uint rank = 0;
        SET left = sets[place.first + list[k]];
        for (int i = 1; left; i++, left &= left - 1)
            rank += row.choose[i * POINTS + row.point[lowest(left)]];
        uint fold = folded[rank], rep = fold >> SYMMETRY_BITS;
        ulong set = members[rep];
        for (uint same = stable[rep]; same; same &= same - 1) {
            int symmetry = board->compose[lowest_32(same)][fold & (SYMMETRIES - 1)];
            uint column = rank_among_free(row.choose, images[symmetry], set);
            uint part = PARTS == 1 ? 0 : rep / target_rows;
            __global uint *target = PICK(target, part);
            atomic_or(target + (ulong)(rep - part * target_rows) * target_words + column / 32,
                      1u << column % 32);
        }
    }
}

// --- tables in the order of the index -----------------------------------------------------------

// Values (-1, 0, 1) and distances of a block of rows. `direct`: the table has the rows of the planes;
// else its rows are the movers' sets, and folded and members belong to the planes' rows.
__kernel void emit(__global const board_t *board, __global const ulong *members_of_table,
                   __global const SET *sets, uint table_row, uint row_from, uint chunks,
                   uint table_columns, int direct, __global const uint *folded,
                   __global const ulong *members, uint words, uint columns, uint part_rows,
                   int value_0, int value_1, int value_open, __global char *out_values,
                   int has_distances, __global uchar *out_distances,
                   PARTS_OF(__global const uint *, open), PARTS_OF(__global const uint *, losable),
                   PARTS_OF(__global const uchar *, distances)) {
    __local row_t row;
    __local ulong images[SYMMETRIES];
    place_t place = find_place(row_from, chunks, 0);
    load_row(&row, board, members_of_table[table_row + place.row]);
    load_images(images, board, row.set);
    for (uint i = (uint)get_local_id(0); i < CHUNK * 32; i += GROUP) {
        uint column = place.first + i;
        if (column >= table_columns)
            break;
        uint rep = table_row + place.row, at = column;
        if (!direct) {
            uint fold = folded[rank_set(row.choose, spread(&row, sets[column]))];
            rep = fold >> SYMMETRY_BITS;
            at = rank_among_free(row.choose, images[fold & (SYMMETRIES - 1)], members[rep]);
        }
        uint part = PARTS == 1 ? 0 : rep / part_rows;
        ulong word = (ulong)(rep - part * part_rows) * words + at / 32;
        uint is_open = PICK(open, part)[word] >> at % 32 & 1;
        uint code = PICK(losable, part)[word] >> at % 32 & 1;
        ulong out = (ulong)place.row * table_columns + column;
        out_values[out] = (char)(is_open ? value_open : code ? value_1 : value_0);
        if (has_distances)
            out_distances[out] =
                PICK(distances, part)[(ulong)(rep - part * part_rows) * columns + at];
    }
}

// The inverse of emit, into planes of zeros. A position whose set is symmetric has several entries.
__kernel void load(__global const board_t *board, __global const ulong *members_of_table,
                   __global const SET *sets, uint table_row, uint row_from, uint chunks,
                   uint table_columns, int direct, __global const uint *folded,
                   __global const ulong *members, __global const uchar *stable, uint words,
                   uint columns, uint part_rows, int value_1, int value_open,
                   __global const char *values, int has_distances,
                   __global const uchar *in_distances, PARTS_OF(__global uint *, open),
                   PARTS_OF(__global uint *, losable), PARTS_OF(__global uchar *, distances)) {
    __local row_t row;
    __local ulong images[SYMMETRIES];
    place_t place = find_place(row_from, chunks, 0);
    load_row(&row, board, members_of_table[table_row + place.row]);
    load_images(images, board, row.set);
    for (uint i = (uint)get_local_id(0); i < CHUNK * 32; i += GROUP) {
        uint column = place.first + i;
        if (column >= table_columns)
            break;
        ulong in = (ulong)place.row * table_columns + column;
        uint rep = table_row + place.row, at = column, same = 1, fold = 0;
        if (!direct) {
            fold = folded[rank_set(row.choose, spread(&row, sets[column]))];
            rep = fold >> SYMMETRY_BITS;
            same = stable[rep];
        }
        uint part = PARTS == 1 ? 0 : rep / part_rows;
        for (; same; same &= same - 1) {
            if (!direct) {
                int symmetry = board->compose[lowest_32(same)][fold & (SYMMETRIES - 1)];
                at = rank_among_free(row.choose, images[symmetry], members[rep]);
            }
            ulong word = (ulong)(rep - part * part_rows) * words + at / 32;
            if (values[in] == value_open)
                atomic_or(PICK(open, part) + word, 1u << at % 32);
            else if (values[in] == value_1)
                atomic_or(PICK(losable, part) + word, 1u << at % 32);
            if (has_distances)
                PICK(distances, part)[(ulong)(rep - part * part_rows) * columns + at] =
                    in_distances[in];
        }
    }
}

// Five values a byte, digits of base 3.
__kernel void pack(__global const char *values, ulong count, __global uchar *packed) {
    ulong byte = get_global_id(0), at = byte * 5;
    if (at >= count)
        return;
    uint sum = 0;
    for (int i = 4; i >= 0; i--)
        sum = sum * 3 + (at + (ulong)i < count ? (uint)(values[at + (ulong)i] + 1) : 0);
    packed[byte] = (uchar)sum;
}

// --- checking -----------------------------------------------------------------------------------

ulong random_64(ulong seed) { // SplitMix64
    seed += 0x9e3779b97f4a7c15ul;
    seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9ul;
    seed = (seed ^ seed >> 27) * 0x94d049bb133111ebul;
    return seed ^ seed >> 31;
}

// What an entry claims and what its moves say so far.
typedef struct {
    int value, moves, best, shortest, longest;
} trial_t;

void weigh(trial_t *trial, int value, int way) {
    trial->moves++;
    trial->best = max(trial->best, value);
    if (value != trial->value)
        return;
    trial->longest = max(trial->longest, way);
    if (way > 0)
        trial->shortest = min(trial->shortest, way);
}

// Whether an entry is what its moves make of it. A value is the best of its moves; its distance is
// the shortest way for who is better off than by waiting, the longest for who is worse off.
uint is_wrong(const trial_t *trial, int waiting, int has_distances, int distance) {
    int best = trial->moves ? trial->best : waiting;
    if (trial->value != best)
        return 1;
    if (!has_distances)
        return 0;
    int due = trial->value == waiting  ? 0
              : trial->value > waiting ? trial->shortest
                                       : trial->longest;
    return distance != due || (trial->value != waiting && distance == 0);
}

// Checks positions by forward moves, `each` per work-item: all of them from `first` on, or, where
// `first` is ~0, some drawn at random with the seed. The first planes are those of the turn, the next
// ones of the turn after a step, whose rows are sets of this turn's movers.
__kernel void check_entries(
    __global const board_t *board, __global const ulong *members_of_rows, __global const SET *sets,
    uint rows, uint words, uint columns_here, uint part_rows, ulong seed, ulong first, uint each, int value_0,
    int value_1, int waiting, int next_0, int next_1, uint next_words, uint next_columns,
    uint next_part_rows, __global const uint *next_folded, __global const ulong *next_members,
    int last_piece, int movers_are_rows, __global const uint *folded, __global const ulong *members,
    uint columns, ulong part_bytes, int has_distances, __global uint *wrong,
    PARTS_OF(__global const uint *, open), PARTS_OF(__global const uint *, losable),
    PARTS_OF(__global const uchar *, distances), PARTS_OF(__global const uint *, next_open),
    PARTS_OF(__global const uint *, next_losable), PARTS_OF(__global const uchar *, next_distances),
    PARTS_OF(__global const uchar *, values)) {
    __local uint choose[13 * POINTS];
    int id = (int)get_local_id(0);
    for (int i = id; i < 13 * POINTS; i += GROUP)
        choose[i] = (&board->choose[0][0])[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < each; k++) {
        ulong number = (ulong)get_global_id(0) * each + k;
        ulong dice = random_64(seed + number);
        uint rep = (uint)(dice >> 32) % rows;
        uint column = (uint)(random_64(dice) >> 32) % columns_here;
        ulong last = (ulong)rows * columns_here - 1;
        bool is_one = true; // not beyond the last
        if (first != ~0ul) {
            is_one = number <= last - first;
            number = min(first + number, last);
            rep = (uint)(number / columns_here);
            column = (uint)(number % columns_here);
        }
        ulong others = members_of_rows[rep], movers = 0, own = 0, all = 0;
        // The free points in order are the column's points.
        SET set = sets[column];
        int free = 0;
        for (int p = 0; p < POINTS; p++) {
            if (others >> p & 1)
                all |= board->ring[p];
            else if (set >> free++ & 1) {
                movers |= BIT(p);
                own |= board->ring[p];
            }
        }
        uint part = PARTS == 1 ? 0 : rep / part_rows;
        ulong word = (ulong)(rep - part * part_rows) * words + column / 32;
        uint is_open = PICK(open, part)[word] >> column % 32 & 1;
        uint code = PICK(losable, part)[word] >> column % 32 & 1;
        int distance = 0;
        if (has_distances)
            distance =
                PICK(distances, part)[(ulong)(rep - part * part_rows) * columns_here + column];
        trial_t trial = {is_open ? waiting : code ? value_1 : value_0, 0, -2, 256, 0};
        for (ulong from = movers; from; from &= from - 1) {
            int p = lowest_64(from);
            for (ulong to = board->near[p] & ~(movers | others); to; to &= to - 1) {
                ulong moved_set = movers ^ BIT(p) ^ BIT(lowest_64(to));
                uint fold = next_folded[rank_set(choose, moved_set)];
                uint next = fold >> SYMMETRY_BITS;
                ulong image = turn(board, (int)(fold & (SYMMETRIES - 1)), others);
                uint at = rank_among_free(choose, image, next_members[next]);
                uint next_part = PARTS == 1 ? 0 : next / next_part_rows;
                ulong next_row = next - next_part * next_part_rows;
                ulong next_word = next_row * next_words + at / 32;
                uint next_is_open = PICK(next_open, next_part)[next_word] >> at % 32 & 1;
                uint next_code = PICK(next_losable, next_part)[next_word] >> at % 32 & 1;
                int way = 0;
                if (has_distances) {
                    way = PICK(next_distances, next_part)[next_row * next_columns + at];
                    way += way > 0;
                }
                weigh(&trial, next_is_open ? waiting : next_code ? -next_1 : -next_0, way);
            }
        }
        all |= own;
        for (int gap = 0; gap < 8; gap++) {
            int ring = (gap & 4) * 8, turned = (gap & 3) * 8;
            uint ring_all = rotate((uint)(all >> ring), (uint)(32 - turned));
            uint ring_own = rotate((uint)(own >> ring), (uint)(32 - turned));
            ushort2 moves = gap_captures(board, ring_all, ring_own, ring, turned);
            for (int two = 0; two < 2; two++) {
                uint move = two ? moves.y : moves.x;
                if (move == 0xffff)
                    continue;
                ulong from = BIT(move & 255), to = BIT(move >> 8);
                ulong next_movers = others ^ to, next_others = movers ^ from ^ to;
                int value = LOSS;
                if (!last_piece)
                    value =
                        smaller_value(board, choose, movers_are_rows ? next_movers : next_others,
                                      movers_are_rows ? next_others : next_movers, folded, members,
                                      columns, part_bytes, VALUES);
                weigh(&trial, 1 - value, 1);
            }
        }
        if (is_one && is_wrong(&trial, waiting, has_distances, distance)) {
            uint at = atomic_inc(wrong);
            if (at == 0) {
                wrong[1] = rep;
                wrong[2] = column;
            }
        }
    }
}
