/* The rules and the match for WebAssembly, or for any program in C: all that rules.c exports, and one match.
 *
 * A host writes the match at `match`, or starts from one that it has written, and asks what is allowed, or does it. Boards
 * go through `board`, as those of rules.c: a board after a play before `act` plays it, and the first board of a next game.
 */

#include "rules.c"

#include "../board/_outcomes.c"

#include "../board/_match.c"

static Match table;
static Prospect prospect;
static int32_t found[MOST_PROBLEMS];

EXPORT("match") Match *match_address(void) { return &table; }
EXPORT("phase") int phase(void) { return (int)phase_of(&table); }
EXPORT("to_act") int acting(void) { return to_act(&table); }
EXPORT("winner") int winner(void) { return winner_of_match(&table); }

static bool is_action(int action)
{
    return 0 <= action && action < ACTIONS;
}

static bool is_seat(int player)
{
    return player == NOBODY || is_player(player);
}

/* Why a player may not do this now: a Reason, 0 if they may. -1 asks for whoever is to act. */
EXPORT("why_not") int forbidden_by(int action, int player)
{
    return is_action(action) && is_seat(player) ? (int)why_not(&table, (Action)action, player) : UNKNOWN_PLAYER;
}

/* What a player may do now, a bit for each action. */
EXPORT("actions") uint32_t allowed(int player)
{
    return is_seat(player) ? actions_of(&table, player) : 0;
}

/* Do it, and give 0, or change nothing and give the Reason. An opening roll takes White's die and Black's; a roll both dice;
 * a resignation its level; a next game who starts, or -1, and the checkers of a side. */
EXPORT("act") int act(int action, int player, int number, int other)
{
    if (!is_seat(player) || !is_action(action))
        return UNKNOWN_PLAYER;
    switch ((Action)action) {
    case OPENING_ROLL:
        return (int)opening_roll(&table, number, other);
    case ROLL:
        return (int)roll(&table, player, number, other);
    case PLAY:
        return (int)play(&table, player, at, prospect.plays);
    case DOUBLE:
        return (int)double_cube(&table, player);
    case TAKE:
        return (int)take(&table, player);
    case DROP:
        return (int)drop(&table, player);
    case BEAVER:
        return (int)beaver(&table, player);
    case RESIGN:
        return (int)resign(&table, player, number);
    case ACCEPT:
        return (int)accept(&table, player);
    case DECLINE:
        return (int)decline(&table, player);
    default:
        return (int)next_game(&table, number, at, other);
    }
}

/* An arbiter's decision; 0 points are as many as the winner still needs. */
EXPORT("forfeit") int forfeited(int loser, int points)
{
    return (int)forfeit(&table, loser, points);
}

/* The levels with which a player can still win: bits 0, 1 and 2 for a single game, a gammon and a backgammon. */
EXPORT("possible_wins") uint32_t wins(int player)
{
    return is_player(player) ? possible_wins(&prospect, &table, player) : 0;
}

/* How many problems the match has, which makes it impossible; their numbers are at `problem_numbers`. A host asks after it
 * has written a match that a stranger has sent, and does nothing else with one that has any. */
EXPORT("problems") int problems(void)
{
    return find_problems(&table, found);
}

EXPORT("problem_numbers") int32_t *problem_numbers(void) { return found; }
