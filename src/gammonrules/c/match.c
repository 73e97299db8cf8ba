/* The rules and the match for WebAssembly, or for any program in C: all that rules.c exports, and one match.
 *
 * A host writes the match at `match`, or starts from one that it has written, and asks what is allowed, or does it. Boards
 * go through `board`, as those of rules.c: a board after a play before `act` plays it, and the first board of a next game.
 */

#include "rules.c"

#include "_outcomes.c"

#include "_match.c"

static Match table;
static Prospect prospect;
static int32_t found[MAX_PROBLEMS];

EXPORT(match) GammonrulesMatch *gammonrules_match(void) { return &table; }
EXPORT(phase) int gammonrules_phase(void) { return (int)phase_of(&table); }
EXPORT(winner) int gammonrules_winner(void) { return winner_of_match(&table); }

static bool is_action(int action)
{
    return 0 <= action && action < ACTIONS;
}

static bool is_seat(int player)
{
    return player == NOBODY || is_player(player);
}

/* Why nothing can be said of these arguments, whatever the rules allow. */
static Reason why_senseless(int action, int player)
{
    if (!is_action(action) || !is_seat(player))
        return UNKNOWN_PLAYER;
    return are_fields_possible(&table) ? LEGAL : NO_SUCH_MATCH;
}

EXPORT(to_act) int gammonrules_to_act(void)
{
    return are_fields_possible(&table) ? to_act(&table) : NOBODY;
}

EXPORT(why_not) int gammonrules_why_not(int action, int player)
{
    const Reason reason = why_senseless(action, player);
    return reason ? (int)reason : (int)why_not(&table, (Action)action, player);
}

EXPORT(actions) uint32_t gammonrules_actions(int player)
{
    return is_seat(player) && are_fields_possible(&table) ? actions_of(&table, player) : 0;
}

EXPORT(act) int gammonrules_act(int action, int player, int number, int other)
{
    const Reason reason = why_senseless(action, player);
    if (reason)
        return (int)reason;
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

EXPORT(forfeit) int gammonrules_forfeit(int loser, int points)
{
    return are_fields_possible(&table) ? (int)forfeit(&table, loser, points) : NO_SUCH_MATCH;
}

EXPORT(possible_wins) uint32_t gammonrules_possible_wins(int player)
{
    return is_player(player) && are_fields_possible(&table) ? possible_wins(&prospect, &table, player) : 0;
}

EXPORT(problems) int gammonrules_problems(void)
{
    return find_problems(&table, found);
}

EXPORT(problem_numbers) int32_t *gammonrules_problem_numbers(void) { return found; }
