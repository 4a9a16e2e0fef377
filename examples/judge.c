// judge GAME MOVES [FEN]: plays the moves, in any notation, and says how the game stands and why.
//     cc judge.c $(pkg-config --cflags --libs kraton) -o judge
//     ./judge xiangqi 'C2=5 H8+7'
#include <kraton.h>
#include <stdio.h>

static void show_moves(const kraton_position *p) {
    kraton_move moves[KRATON_MAX_MOVES];
    int n = kraton_position_legal_moves(p, moves);
    printf("%d legal moves:", n);
    for (int i = 0; i < n; i++) {
        char word[32];
        kraton_position_format(p, moves[i], KRATON_NOTATION_NATIVE, word, sizeof word);
        printf(" %s", word);
    }
    printf("\n");
}

int main(int argc, char **argv) {
    kraton_error error = {"usage: judge surakarta|xiangqi MOVES [FEN]"};
    const kraton_game *game = argc > 2 ? kraton_game_find(argv[1]) : NULL;
    kraton_position *p = NULL;
    if (game)
        p = kraton_position_new(game, NULL, argc > 3 ? argv[3] : NULL, &error);
    kraton_verdict ending;
    bool fine =
        p && kraton_position_play_line(p, argv[2], KRATON_NOTATION_ANY, &ending, NULL, &error);
    if (fine) {
        char fen[128];
        kraton_position_fen(p, fen, sizeof fen);
        printf("result: %s\n", kraton_outcome_name(ending.outcome));
        if (ending.outcome != KRATON_ONGOING)
            printf("reason: %s\n", ending.words);
        printf("fen: %s\n", fen);
        show_moves(p);
    } else {
        fprintf(stderr, "%s\n", error.line);
    }
    kraton_position_free(p);
    return fine ? 0 : 1;
}
