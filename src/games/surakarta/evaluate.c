#include "games/surakarta/evaluate.h"

void ISA_NAME(sk_eval_refresh)(sk_eval *e, const sk_pos *pos) {
    e->balance = bits_count(pos->pieces[SK_BLACK]) - bits_count(pos->pieces[SK_WHITE]);
}

int32_t ISA_NAME(sk_evaluate)(const sk_pos *pos, const sk_eval *e) {
    return 100 * (pos->stm == SK_BLACK ? e->balance : -e->balance);
}
