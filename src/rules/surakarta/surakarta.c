#include "rules/surakarta/surakarta.h"

// clang-format off
const uint8_t sk_ring_point[64] = {
     1,  7, 13, 19, 25, 31, 0, 0, // inner: b6 down
    24, 25, 26, 27, 28, 29, 0, 0, // a2 right
    34, 28, 22, 16, 10,  4, 0, 0, // e1 up
    11, 10,  9,  8,  7,  6, 0, 0, // f5 left
     2,  8, 14, 20, 26, 32, 0, 0, // outer: c6 down
    18, 19, 20, 21, 22, 23, 0, 0, // a3 right
    33, 27, 21, 15,  9,  3, 0, 0, // d1 up
    17, 16, 15, 14, 13, 12, 0, 0, // f4 left
};

const uint64_t sk_ring_bits[SK_POINTS] = {
    0x00000000000000, 0x00000000000001, 0x00000100000000, 0x20000000000000,
    0x00000000200000, 0x00000000000000, 0x00000020000000, 0x00000010000002,
    0x00000208000000, 0x10000004000000, 0x00000002100000, 0x00000001000000,
    0x2000000000000000, 0x1000000000000004, 0x800000400000000, 0x408000000000000,
    0x200000000080000, 0x100000000000000, 0x00010000000000, 0x00020000000008,
    0x00040800000000, 0x04080000000000, 0x00100000040000, 0x00200000000000,
    0x00000000000100, 0x00000000000210, 0x00001000000400, 0x02000000000800,
    0x00000000021000, 0x00000000002000, 0x00000000000000, 0x00000000000020,
    0x00002000000000, 0x01000000000000, 0x00000000010000, 0x00000000000000,
};

const uint64_t sk_neighbours[SK_POINTS] = {
    0x0000000c2, 0x0000001c5, 0x00000038a, 0x000000714, 0x000000e28, 0x000000c10,
    0x000003083, 0x000007147, 0x00000e28e, 0x00001c51c, 0x000038a38, 0x000030430,
    0x0000c20c0, 0x0001c51c0, 0x00038a380, 0x000714700, 0x000e28e00, 0x000c10c00,
    0x003083000, 0x007147000, 0x00e28e000, 0x01c51c000, 0x038a38000, 0x030430000,
    0x0c20c0000, 0x1c51c0000, 0x38a380000, 0x714700000, 0xe28e00000, 0xc10c00000,
    0x083000000, 0x147000000, 0x28e000000, 0x51c000000, 0xa38000000, 0x430000000,
};

// SplitMix64 from the seed "Surakart": first Black's points, then White's, then the side to move.
const uint64_t sk_point_key[2][SK_POINTS] = {
    {
        0x21d9d528cad4c3ab, 0x0824d90374dd1117, 0x35948d4d00977506, 0xaad0ca922c08ae2a,
        0x915cb7d8b432cd2a, 0x4fc75db733e3131b, 0x59a00003ff079f2f, 0xf39d36ed7286449c,
        0xa37352d6b9ce8bde, 0x248ca5a0b97b9cea, 0xabdcaaf43e19e364, 0x3cadc4dac2d9beca,
        0x5937c2cf4bf21fde, 0xb655fbc080eea89b, 0xa96c6bd9b69340ff, 0xcabecb251f87a5e1,
        0x515ed089a963bd87, 0x9636e1829a7aa916, 0xc324b4d9bdb6c8f2, 0x73eaeddd68df93f1,
        0x31589902f26a99a4, 0x329840d52d6da1b6, 0xbb7c2b2cb0b33bd4, 0x3c86c99e95a6dc45,
        0x88562379522f7ef4, 0xfbe16ceed417472b, 0x9de23491641cbb5b, 0xced1364b54f49560,
        0x853f372aed133b01, 0x69491712cde505e7, 0x2c49413ab1919dc2, 0xb33c9bf24e2af67b,
        0xbd50e60eb3b15053, 0x923bb6d839c26a37, 0x7dc92f55ef23f54a, 0x82ccad4637f5495f,
    }, {
        0xa1a58da330a1894a, 0x466000f9df674729, 0xddaf149065aa0f87, 0x5ac6a0c229f01510,
        0xaf001be72a3e7334, 0xc07fb036556e70d9, 0x89491e4d14199aea, 0xa870efb08fd380e8,
        0x3d582f6b7d192a6b, 0xc27e8c469e2d6ec5, 0x4e7aef104f834ac0, 0x8462fcb8b1295569,
        0xf7370d987e1f83ce, 0x01f96295fccdf0ed, 0xd2e06050a2dbcf2f, 0x14aa754a38aeb970,
        0xed155ddf46afc0f6, 0xb61e4533dad36cfa, 0xf8c1aace13c6e846, 0xa3d7911e3c79caef,
        0x56f956f82c144fd0, 0xb9b5007863a06382, 0x83d85abb4a3d3acc, 0xf21eadcbe6284700,
        0x47062676eae144b5, 0x79ca63eb849018a7, 0x297881165d940eb8, 0xca1b0ac85764b208,
        0x985ba661cba9c84d, 0xd1a693ade7fee9ce, 0x86b2bc89e75f3769, 0x2e78da06bc6199c8,
        0x5e3de6ba6ba7359b, 0xb480b96971015963, 0x0ffbf97a034f6e17, 0xb611a799387354e0,
    },
};
// clang-format on

const uint64_t sk_white_key = 0x586d0937d9c8e3e2;

sk_pos sk_set_up(uint64_t black, uint64_t white, int stm) {
    sk_pos pos = {.pieces = {black, white}, .number = 1, .stm = (uint8_t)stm};
    for (int side = 0; side < 2; side++)
        for (uint64_t b = pos.pieces[side]; b;)
            pos.ring[side] |= sk_ring_bits[bits_pop(&b)];
    pos.key = sk_compute_key(&pos);
    return pos;
}

sk_pos sk_start(void) { return sk_set_up(0x000000fff, 0xfff000000, SK_BLACK); }

uint64_t sk_compute_key(const sk_pos *pos) {
    uint64_t key = pos->stm == SK_WHITE ? sk_white_key : 0;
    for (int side = 0; side < 2; side++)
        for (uint64_t b = pos->pieces[side]; b;)
            key ^= sk_point_key[side][bits_pop(&b)];
    return key;
}
