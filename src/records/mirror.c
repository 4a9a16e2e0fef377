#include "records/mirror.h"

// The image that undoes an image: an exchange of rows and columns makes the one reversal the other.
static int image_back(int image) {
    return image & 4 ? 4 | (image & 1) << 1 | (image & 2) >> 1 : image;
}

static rules_move image_move(const rules_game *game, int image, rules_move move) {
    return move_of(rules_image_point(game, image, move_from(move)),
                   rules_image_point(game, image, move_to(move)));
}

static uint64_t hash_letters(const char *letters, int count) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < count; i++)
        hash = (hash ^ (uint8_t)letters[i]) * UINT64_C(0x100000001b3);
    return hash;
}

mirror mirror_of_position(const rules_game *game, const rules_pos *pos) {
    int points = game->properties.files * game->properties.ranks;
    char board[RULES_MAX_POINTS], image[RULES_MAX_POINTS], least[RULES_MAX_POINTS + 1];
    for (int p = 0; p < points; p++)
        board[p] = game->piece_at(pos, p);
    mirror m = {.game = game};
    for (int i = 0; i < game->properties.images; i++) {
        rules_image_board(game, i, board, image);
        int order = m.ways ? memcmp(image, least, (size_t)points) : -1;
        if (order < 0) {
            memcpy(least, image, (size_t)points);
            m.ways = 0;
        }
        if (order <= 0)
            m.ways |= (uint8_t)(1 << i);
    }
    least[points] = game->side_to_move(pos) ? '1' : '0';
    m.key = hash_letters(least, points + 1);
    return m;
}

mirror mirror_of(const rules_state *s) { return mirror_of_position(s->game, &s->pos); }

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
