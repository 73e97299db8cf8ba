/* The moves of a turn one by one, for answers.c. */
#include <string.h>

#include "gammonrules.h"

enum { SLOTS = GAMMONRULES_SLOTS, MOVES = GAMMONRULES_MOVES, MAX_ORDERS = 15 * 15 * 15 * 15 };

static void turn_board(const int8_t *board, int8_t *turned) {
    for (int i = 0; i < SLOTS; i++)
        turned[i] = (int8_t)-board[SLOTS - 1 - i];
}

static int8_t orders[MAX_ORDERS][MOVES]; /* from and to of up to four moves, then -1 */

/* Add all orders that begin as `made` does, up to this depth. */
static int add_orders(int node, int8_t *made, int depth, int count) {
    const uint16_t *size = gammonrules_nodes();
    for (; node > 0; node--)
        size += 1 + 4 * *size;
    for (const uint16_t *move = size + 1; move < size + 1 + 4 * *size; move += 4) {
        made[depth] = (int8_t)move[0];
        made[depth + 1] = (int8_t)move[1];
        count = add_orders(move[3], made, depth + 2, count);
    }
    if (*size)
        return count;
    memset(made + depth, -1, (size_t)(MOVES - depth));
    for (int i = 0; depth < MOVES && i < count; i++)
        if (!memcmp(orders[i], made, MOVES)) /* either die bears the checker off */
            return count;
    memcpy(orders[count], made, MOVES);
    return count + 1;
}

static int find_orders(int high, int low) {
    int8_t made[MOVES];
    return gammonrules_turn(high, low) ? add_orders(0, made, 0, 0) : 0;
}

/* Put the board after these moves where `act` looks for it, if they are one of the orders of the roll. */
static int make_moves(const int *moves, int count) {
    const GammonrulesMatch *match = gammonrules_match();
    int left;
    int8_t made[MOVES], after[SLOTS], *board = gammonrules_board();
    memcpy(board, match->board, SLOTS);
    memcpy(after, match->board, SLOTS);
    for (int i = 0; i < MOVES; i++)
        made[i] = i < count ? (int8_t)moves[i] : -1;
    for (left = find_orders(match->high, match->low); left > 0; left--)
        if (!memcmp(orders[left - 1], made, MOVES))
            break;
    for (int i = 0; left && i < count; i += 2) {
        int8_t *to = after + made[i + 1];
        after[made[i]]--;
        if (to > after && *to == -1) {
            *to = 0;
            after[0]--; /* a hit */
        }
        *to = (int8_t)(*to + (to > after));
    }
    turn_board(after, board);
    return left > 0;
}
