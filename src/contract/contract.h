// The contract between the search and a game: everything the search asks of a game.
//
// A game answers in its answers.h with types, constants and inline functions, so that the search
// calls nothing through pointers. The search is compiled once per game; the build defines
// KRATON_GAME_ANSWERS as the path of that header. Neither search/ nor games/ includes the other.
//
// Types and constants
//   game_pos                   a position; assignment copies it
//   game_eval                  the evaluation's accumulator; may point to the one a ply earlier
//   game_prober                a choice of endgame tables; all zero means none
//   game_memory                a cache the game may keep per thread; zeroed at the start and when
//                              the network changes
//   GAME_NAME                  the name that rules_find takes
//   GAME_POINTS                points of the board
//   GAME_MAX_MOVES             the most legal moves a position can have
//   GAME_SLOTS                 number of values of game_slot
//   GAME_BEFORES               number of values of game_before
//   GAME_VICTIMS               number of values of game_victim; 0 is no victim
//   GAME_PARTS                 parts of a position that have keys of their own
//   GAME_NETWORKS              1: the evaluation can use a network from a file, else 0
//   game_bench_fens            positions of the bench, NULL at the end
//   PARAM_...                  the search's tuned numbers: the game's params.h
//
// Position
//   game_position(state)       the position of a rules_state
//   game_past(state, n)        the n-th position of its history
//   game_key(pos), game_stm(pos)   key, side to move
//   game_quiet(pos)            plies since the last capture
//   game_compute_key(pos)      the key from scratch, for assertions
//   game_part_key(pos, part)   the key of a part of the position, mixed in its upper half
//   game_key_after(pos, move)  the key after a move
//   game_make(&pos, move), game_make_null(&pos)
//                              make a move, or pass; the search works on copies and never undoes
//   game_in_check(pos), game_gives_check(pos, move)
//                              false in a game without check
//   game_may_pass(pos)         whether a null move is safe from zugzwang here
//
// Moves: generated moves are legal. Captures are noisy, all others quiet.
//   game_generate_noisy(pos, list), game_generate_quiet(pos, list)
//                              return the number of moves written to the list
//   game_is_legal(pos, move)   for any 16 bits
//   game_is_noisy(pos, move)   whether it is a capture
//   game_victim(pos, move)     what it takes; 0: nothing
//   game_worth(victim)         centipawns
//   game_slot(pos, move)       the kind of a move, for the history tables
//   game_before(pos, move)     the kind of the previous move, for the continuation history
//   game_rank_noisy(pos, move) order of captures: higher first, about centipawns
//   game_wins_exchange(pos, move, least)   whether the static exchange gains at least that much
//
// Results are 1 (the side to move wins), 0 (draw) or -1 (it loses)
//   game_refresh(&eval, pos, network)      the evaluation's accumulator: at the root,
//   game_update(&next, &now, pos, move)    after a move from that position,
//   game_update_null(&next, &now)          after a pass
//   game_evaluate(pos, eval, memory)
//                                  the evaluation; memory may be NULL
//   game_takes_network(network)    whether the evaluation can use it; game_refresh takes it along
//   game_is_over(pos, &result)     decided by the pieces on the board alone
//   game_stuck(pos, set)           the result if there is no legal move
//   game_cut_off(pos, end)         the result if the rule set's limit ends the game
//   game_judge_cycle(pos, set, path, n, memory)
//                                  the result of a repetition: the last n moves led back here
//   game_prober_of(tables, set)    the endgame tables that are valid under the rule set
//   game_probe(prober, pos, &result)   asks them; valid only right after a capture
#ifndef KRATON_CONTRACT_CONTRACT_H
#define KRATON_CONTRACT_CONTRACT_H

#ifndef KRATON_GAME_ANSWERS
#error "KRATON_GAME_ANSWERS names the header with a game's answers (CMakeLists.txt)"
#endif
#include KRATON_GAME_ANSWERS

#endif
