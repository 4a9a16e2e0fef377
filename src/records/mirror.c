#include "records/mirror.h"

#include "rules/game.h"

enum { MOST_POINTS = XQ_POINTS };

static int point_count(const rules_game *game) {
    return game == &rules_xiangqi ? XQ_POINTS : SK_POINTS;
}

static int image_count(const rules_game *game) { return game == &rules_xiangqi ? 2 : 8; }

// Where a point comes to lie in an image. Surakarta's are numbered by three bits: columns reversed,
// rows reversed, then rows and columns exchanged.
static int image_point(const rules_game *game, int image, int point) {
    if (game == &rules_xiangqi)
        return image ? point + 8 - 2 * xq_file(point) : point;
    int row = point / 6, column = point % 6;
    if (image & 1)
        column = 5 - column;
    if (image & 2)
        row = 5 - row;
    return image & 4 ? column * 6 + row : row * 6 + column;
}

// The image that undoes an image: an exchange of rows and columns makes the one reversal the other.
static int image_back(int image) {
    return image & 4 ? 4 | (image & 1) << 1 | (image & 2) >> 1 : image;
}

static rules_move image_move(const rules_game *game, int image, rules_move move) {
    return move_of(image_point(game, image, move_from(move)),
                   image_point(game, image, move_to(move)));
}

static uint64_t hash_letters(const char *letters, int count) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < count; i++)
        hash = (hash ^ (uint8_t)letters[i]) * UINT64_C(0x100000001b3);
    return hash;
}

mirror mirror_of(const rules_state *s) {
    const rules_game *game = rules_game_of(s);
    int points = point_count(game);
    char board[MOST_POINTS], image[MOST_POINTS], least[MOST_POINTS + 1];
    for (int p = 0; p < points; p++)
        board[p] = rules_piece_at(s, p);
    mirror m = {.game = game};
    for (int i = 0; i < image_count(game); i++) {
        for (int p = 0; p < points; p++)
            image[image_point(game, i, p)] = board[p];
        int order = m.ways ? memcmp(image, least, (size_t)points) : -1;
        if (order < 0) {
            memcpy(least, image, (size_t)points);
            m.ways = 0;
        }
        if (order <= 0)
            m.ways |= (uint8_t)(1 << i);
    }
    least[points] = rules_side_to_move(s) ? '1' : '0';
    m.key = hash_letters(least, points + 1);
    return m;
}

rules_move mirror_move(const mirror *m, rules_move move) {
    rules_move least = UINT16_MAX;
    for (int i = 0; i < MIRROR_IMAGES; i++) {
        rules_move image = m->ways >> i & 1 ? image_move(m->game, i, move) : UINT16_MAX;
        least = image < least ? image : least;
    }
    return least;
}

int mirror_moves(const mirror *m, rules_move named, rules_move moves[MIRROR_IMAGES]) {
    int count = 0;
    for (int i = 0; i < MIRROR_IMAGES; i++) {
        if (!(m->ways >> i & 1))
            continue;
        rules_move move = image_move(m->game, image_back(i), named);
        int known = 0;
        while (known < count && moves[known] != move)
            known++;
        if (known == count)
            moves[count++] = move;
    }
    return count;
}
