// The contract between the search and a game: what the search asks, answered inline by the game's
// contract.h so that nothing is called through pointers. This is the only file that knows there are
// two games; the search is compiled once for each.
//
// Types and numbers
//   game_pos, game_eval        the position and the evaluation's accumulator; assignment copies
//   game_prober                a choice of endgame tables; all zero: none
//   game_memory                what a thread may remember between questions; zeroed at the start
//   GAME_NAME                  as rules_find takes it
//   GAME_POINTS, GAME_MAX_MOVES
//   GAME_SLOTS                 how many kinds of moves the histories tell apart (game_slot)
//   GAME_BEFORES               how many kinds of moves before one (game_before)
//   GAME_VICTIMS               how many kinds of victims (game_victim; 0: none)
//   game_bench_fens            positions of the signature, NULL at the end
//   PARAM_...                  every tuned number: the game's params.h
//
// Position
//   game_position(state)       the position of a rules_state
//   game_past(state, n)        the n-th position of its history, as a step of the path
//   game_key, game_stm, game_quiet     key, side to move, plies without capture
//   game_compute_key(pos)      the key from scratch, for assertions
//   game_key_after(pos, move)  the key a move leads to
//   game_make, game_make_null  on a copy: the search does not take moves back
//   game_in_check, game_gives_check    false where the game has no check
//   game_may_pass(pos)         whether a null move says anything here
//
// Moves: all legal
//   game_generate_noisy, game_generate_quiet   captures; the rest
//   game_is_legal(pos, move)   for any 16 bits
//   game_is_noisy, game_victim, game_worth(victim)
//   game_slot, game_before     for the histories
//   game_rank_noisy(pos, move)            which captures to try first, in centipawns or so
//   game_wins_exchange(pos, move, least)       whether the exchange on its target nets that much
//
// Judgement; verdicts are 1 (the mover wins), 0 (draw), -1 (the mover loses)
//   game_refresh, game_update, game_evaluate   the evaluation with its accumulator
//   game_is_over(pos, &verdict)          ended by what stands on the board, moves not regarded
//   game_stuck(pos, set)                 the verdict where there is no legal move
//   game_cut_off(pos, end)               the verdict where the rule set cuts the game off
//   game_judge_cycle(pos, set, path, n, memory)
//                                        the verdict on the last n moves, which came back here
//   game_prober_of(tables, set)          the endgame tables that hold under the rule set, if any
//   game_probe(prober, pos, &verdict)    whether they know the position, right after a capture
#ifndef KRATON_SEARCH_GAME_H
#define KRATON_SEARCH_GAME_H

#ifdef KRATON_GAME_SURAKARTA
#include "games/surakarta/contract.h"
#else
#include "games/xiangqi/contract.h"
#endif

#endif
