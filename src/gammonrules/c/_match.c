/* The match in C: phases, the opening roll, cube, offers, results, the Crawford game, the next game. The package match/
 * explains it, and does the same; tests/match/test_match_in_c.py compares every step. It is included after _game.c and
 * _outcomes.c, by match.c for WebAssembly. There is no state but what the host has, nothing is allocated, and nothing
 * is asked of the host: it brings dice, players and boards.
 *
 * All numbers are those of batch.MatchStates, and reasons and problems are numbered as in errors.py. The header has the
 * structure, and the names that other programs know.
 */

#include "gammonrules.h"

enum { WHITE, BLACK, NOBODY = -1 };
typedef enum { OPENING, TO_ROLL, TO_PLAY, DOUBLED, RESIGNED, OVER } Phase;
typedef enum { OPENING_ROLL, ROLL, PLAY, DOUBLE, TAKE, DROP, BEAVER, RESIGN, ACCEPT, DECLINE, NEXT_GAME, ACTIONS } Action;
typedef enum { PLAYED, DROPPED, RESIGNED_BY_LOSER, FORFEITED } End;
enum { POINTS_SCORING, PIPS_SCORING };
enum { SHARED_OPENING, REROLLED_OPENING };

enum {
    MAX_CUBE_TURNS = 24,
    MAX_CUBE = 1 << MAX_CUBE_TURNS,
    MAX_POINTS = 1000000000,
    MAX_IN_A_ROW = 1000 /* beavers or automatic doubles */
};

/* Why an action is illegal: the members of IllegalActionReason in their order, and what only a host can do wrong. */
typedef enum {
    LEGAL,
    UNKNOWN_PLAYER,
    NOT_YOUR_TURN,
    OPENING_ROLL_FIRST,
    OPENING_ROLL_MADE,
    ALREADY_ROLLED,
    NOT_ROLLED,
    DOUBLE_PENDING,
    NO_DOUBLE_PENDING,
    RESIGNATION_PENDING,
    NO_RESIGNATION_PENDING,
    GAME_OVER,
    GAME_NOT_OVER,
    MATCH_OVER,
    SCORE_LIMIT,
    NO_CUBE,
    CRAWFORD_GAME,
    OPPONENT_OWNS_CUBE,
    DEAD_CUBE,
    CUBE_LIMIT,
    NO_BEAVERS_IN_MATCH,
    TOO_MANY_BEAVERS,
    PIPS_ARE_SINGLE,
    NO_SUCH_DICE,
    NO_SUCH_PLAY,
    NO_SUCH_WIN,
    NO_SUCH_POINTS,
    NO_SUCH_BOARD,
    NO_SUCH_MATCH
} Reason;

typedef GammonrulesOptions Options;
typedef GammonrulesMatch Match;

static inline int opponent_of(int player)
{
    return player == NOBODY ? NOBODY : BLACK - player;
}

static inline bool is_player(int player)
{
    return player == WHITE || player == BLACK;
}

static inline int lower_of(int number, int other)
{
    return number < other ? number : other;
}

/* --- what follows from the fields ----------------------------------------------------------------------------------- */

static Phase phase_of(const Match *match)
{
    if (match->winner != NOBODY)
        return OVER;
    if (match->on_roll == NOBODY)
        return OPENING;
    if (match->resigned_by != NOBODY)
        return RESIGNED;
    if (match->doubled_by != NOBODY)
        return DOUBLED;
    return match->high ? TO_PLAY : TO_ROLL;
}

/* Who must answer the pending double: the doubler's opponent, or after a beaver the doubler. */
static int answerer_of_double(const Match *match)
{
    return match->beavers % 2 ? match->doubled_by : opponent_of(match->doubled_by);
}

static int to_act(const Match *match)
{
    switch (phase_of(match)) {
    case OPENING:
    case OVER:
        return NOBODY;
    case RESIGNED:
        return opponent_of(match->resigned_by);
    case DOUBLED:
        return answerer_of_double(match);
    default:
        return match->on_roll;
    }
}

static bool has_won(const Match *match, int points)
{
    return match->length && points >= match->length;
}

/* Who has won the match, or NOBODY. */
static int winner_of_match(const Match *match)
{
    if (has_won(match, match->score[WHITE]))
        return WHITE;
    return has_won(match, match->score[BLACK]) ? BLACK : NOBODY;
}

static int score_before(const Match *match, int player)
{
    return match->score[player] - (player == match->winner ? match->points : 0);
}

/* The board as a player sees it, in WIDTH bytes. */
static void view(const Match *match, int player, int8_t *board)
{
    const int seen_by = match->on_roll == NOBODY ? WHITE : match->on_roll;
    if (player == seen_by)
        memcpy(board, match->board, SLOTS);
    else
        store(board, turned(match->board));
}

/* --- scoring -------------------------------------------------------------------------------------------------------- */

/* How many sides are exactly one point from winning the match. */
static int one_away(const Match *match, int white, int black)
{
    return match->length ? (white == match->length - 1) + (black == match->length - 1) : 0;
}

static bool is_crawford_if_first(const Match *match, int white, int black)
{
    return match->rules.crawford && one_away(match, white, black) == 1;
}

typedef struct {
    int value, owner;
} Cube;

/* The cube that counts if the game ends now by a drop or a resignation. */
static Cube cube_that_counts(const Match *match)
{
    if (match->doubled_by == NOBODY || !match->beavers)
        return (Cube){match->cube, match->owner};
    return (Cube){match->offered / 2, opponent_of(match->doubled_by)};
}

/* The highest level that counts. */
static int highest_win(const Match *match, Cube cube)
{
    if (match->rules.scoring == PIPS_SCORING || !match->rules.gammons)
        return 1;
    if (match->rules.jacoby && !match->length && cube.owner == NOBODY)
        return 1;
    return match->rules.backgammons ? 3 : 2;
}

static bool is_possible_board(const int8_t *board, int checkers)
{
    const Rows single = {board, 1, checkers};
    Row row;
    return 1 <= checkers && checkers <= MAX_CHECKERS && read_row(&single, 0, &row) && (row.mine || row.theirs) &&
           !are_shut_out(board);
}

/* The outcome of a board: 1 to 3 if the player on roll has won, below 0 if they have lost, 0 if the game goes on. */
static int outcome_on(const int8_t *board, int checkers)
{
    const Rows single = {board, 1, checkers};
    Row row;
    read_row(&single, 0, &row);
    return outcome_of(&row, checkers);
}

/* The level of an outcome, whoever has won. */
static inline int level_of(int outcome)
{
    return outcome > 0 ? outcome : -outcome;
}

/* How many points a win counts. */
static int points_of_win(const Match *match, int winner, int win, int cube)
{
    int8_t board_of_loser[WIDTH];
    if (match->rules.scoring == POINTS_SCORING)
        return win * cube;
    view(match, opponent_of(winner), board_of_loser);
    return read_side(board_of_loser).pips;
}

static void end_game(Match *match, int winner, int win, int points, End end)
{
    match->high = match->low = 0;
    match->doubled_by = match->resigned_by = NOBODY;
    match->offered = match->beavers = match->resigned = 0;
    match->winner = winner;
    match->win = win;
    match->points = points;
    match->end = end;
    match->score[winner] += points;
}

/* The game is won at this level, as far as it counts. */
static void decide(Match *match, int winner, int win, End end)
{
    const Cube cube = cube_that_counts(match);
    const int counted = lower_of(win, highest_win(match, cube));
    match->cube = cube.value;
    match->owner = cube.owner;
    end_game(match, winner, counted, points_of_win(match, winner, counted, cube.value), end);
}

/* --- what is allowed ------------------------------------------------------------------------------------------------ */

static int highest_cube(const Match *match)
{
    return match->rules.max_cube ? match->rules.max_cube : MAX_CUBE;
}

static Reason why_not_double(const Match *match, int player, int points)
{
    if (!match->rules.cube)
        return NO_CUBE;
    if (match->is_crawford)
        return CRAWFORD_GAME;
    if (match->owner == opponent_of(player))
        return OPPONENT_OWNS_CUBE;
    if (match->length && match->cube > match->length - points - 1)
        return DEAD_CUBE;
    return match->cube > highest_cube(match) / 2 ? CUBE_LIMIT : LEGAL;
}

static Reason why_not_beaver(const Match *match)
{
    if (match->length)
        return NO_BEAVERS_IN_MATCH;
    if (match->beavers >= match->rules.beavers)
        return TOO_MANY_BEAVERS;
    return match->offered > highest_cube(match) / 2 ? CUBE_LIMIT : LEGAL;
}

static const uint32_t ACTIONS_OF_PHASE[] = {
    [OPENING] = BIT(OPENING_ROLL),
    [TO_ROLL] = BIT(ROLL) | BIT(DOUBLE) | BIT(RESIGN),
    [TO_PLAY] = BIT(PLAY) | BIT(RESIGN),
    [DOUBLED] = BIT(TAKE) | BIT(DROP) | BIT(BEAVER) | BIT(RESIGN),
    [RESIGNED] = BIT(ACCEPT) | BIT(DECLINE),
    [OVER] = BIT(NEXT_GAME),
};

static Reason why_not_next_game(const Match *match)
{
    if (winner_of_match(match) != NOBODY)
        return MATCH_OVER;
    return match->score[WHITE] > MAX_POINTS || match->score[BLACK] > MAX_POINTS ? SCORE_LIMIT : LEGAL;
}

/* Why a player may not do an action of the phase. */
static Reason why_not_here(const Match *match, Action action, int player)
{
    if (action == NEXT_GAME)
        return why_not_next_game(match);
    /* these are anybody's */
    if (player == NOBODY || action == OPENING_ROLL || action == RESIGN)
        return LEGAL;
    if (player != to_act(match))
        return NOT_YOUR_TURN;
    if (action == DOUBLE)
        return why_not_double(match, player, match->score[player]);
    return action == BEAVER ? why_not_beaver(match) : LEGAL;
}

static const Reason NOT_IN_THIS_TURN[ACTIONS] = {
    [OPENING_ROLL] = OPENING_ROLL_MADE, [ROLL] = ALREADY_ROLLED,          [PLAY] = NOT_ROLLED,
    [DOUBLE] = ALREADY_ROLLED,          [TAKE] = NO_DOUBLE_PENDING,       [DROP] = NO_DOUBLE_PENDING,
    [BEAVER] = NO_DOUBLE_PENDING,       [ACCEPT] = NO_RESIGNATION_PENDING, [DECLINE] = NO_RESIGNATION_PENDING,
    [NEXT_GAME] = GAME_NOT_OVER,
};

/* Why a player may not do this now; NOBODY asks for whoever is to act. */
static Reason why_not(const Match *match, Action action, int player)
{
    const Phase phase = phase_of(match);
    if (ACTIONS_OF_PHASE[phase] & BIT(action))
        return why_not_here(match, action, player == NOBODY ? to_act(match) : player);
    switch (phase) {
    case OVER:
        return GAME_OVER;
    case OPENING:
        return OPENING_ROLL_FIRST;
    case DOUBLED:
        return DOUBLE_PENDING;
    case RESIGNED:
        return RESIGNATION_PENDING;
    default:
        return NOT_IN_THIS_TURN[action];
    }
}

/* The actions that a player may do now, as bits; NOBODY asks for whoever is to act. */
static uint32_t actions_of(const Match *match, int player)
{
    uint32_t actions = 0;
    for (int action = 0; action < ACTIONS; action++)
        actions |= why_not(match, (Action)action, player) == LEGAL ? BIT(action) : 0;
    return actions;
}

/* --- the actions ---------------------------------------------------------------------------------------------------- */

static inline bool are_dice(int one, int other)
{
    return 1 <= one && one <= 6 && 1 <= other && other <= 6;
}

/* The higher die comes first. */
static void set_dice(Match *match, int one, int other)
{
    match->high = one > other ? one : other;
    match->low = lower_of(one, other);
}

static bool doubles_automatically(const Match *match)
{
    const int turns = lower_of(match->rules.auto_doubles, MAX_CUBE_TURNS);
    const int highest = lower_of(1 << turns, highest_cube(match));
    return !match->length && match->rules.cube && match->cube < highest;
}

/* A game that has not begun is the starter's turn now. */
static void begin(Match *match, int starter)
{
    int8_t board[WIDTH];
    view(match, starter, board);
    memcpy(match->board, board, SLOTS);
    match->on_roll = starter;
}

/* Each player throws one die; the higher starts. */
static Reason opening_roll(Match *match, int white, int black)
{
    const Reason reason = why_not(match, OPENING_ROLL, NOBODY);
    if (reason)
        return reason;
    if (!are_dice(white, black))
        return NO_SUCH_DICE;
    if (white == black) {
        match->cube *= doubles_automatically(match) ? 2 : 1;
        return LEGAL;
    }
    begin(match, white > black ? WHITE : BLACK);
    if (match->rules.opening == SHARED_OPENING)
        set_dice(match, white, black);
    return LEGAL;
}

static Reason roll(Match *match, int player, int one, int other)
{
    const Reason reason = why_not(match, ROLL, player);
    if (reason)
        return reason;
    if (!are_dice(one, other))
        return NO_SUCH_DICE;
    set_dice(match, one, other);
    return LEGAL;
}

/* The plays of the dice, in the order of `legal_plays`. */
static size_t enumerate_plays(const Match *match, Sink *sink)
{
    Board board;
    if (phase_of(match) == TO_PLAY && read_board(match->board, &board))
        enumerate(&board, match->high, match->low, sink);
    return sink->count;
}

/* Go on to the board after a play, as the opponent sees it. */
static void advance(Match *match, const int8_t *after)
{
    const int played_by = match->on_roll;
    const int outcome = outcome_on(after, match->checkers);
    memcpy(match->board, after, SLOTS);
    match->on_roll = opponent_of(played_by);
    match->high = match->low = 0;
    /* only who has just played can have won */
    if (outcome)
        decide(match, played_by, level_of(outcome), PLAYED);
}

/* Play the roll: `after` is a board of its plays, as the opponent sees it, which is looked up among all of them. */
static Reason play(Match *match, int player, const int8_t *after, int8_t *space)
{
    const Reason reason = why_not(match, PLAY, player);
    if (reason)
        return reason;
    Sink sink = {.boards = space, .capacity = MAX_PLAYS};
    const size_t count = enumerate_plays(match, &sink);
    for (size_t i = 0; i < count; i++) {
        if (memcmp(space + SLOTS * i, after, SLOTS) == 0) {
            advance(match, after);
            return LEGAL;
        }
    }
    return NO_SUCH_PLAY;
}

static Reason double_cube(Match *match, int player)
{
    const Reason reason = why_not(match, DOUBLE, player);
    if (reason)
        return reason;
    match->doubled_by = match->on_roll;
    match->offered = 2 * match->cube;
    return LEGAL;
}

static Reason take(Match *match, int player)
{
    const Reason reason = why_not(match, TAKE, player);
    if (reason)
        return reason;
    match->cube = match->offered;
    /* even after beavers */
    match->owner = opponent_of(match->doubled_by);
    match->doubled_by = NOBODY;
    match->offered = match->beavers = 0;
    return LEGAL;
}

static Reason drop(Match *match, int player)
{
    const Reason reason = why_not(match, DROP, player);
    if (!reason)
        decide(match, opponent_of(answerer_of_double(match)), 1, DROPPED);
    return reason;
}

static Reason beaver(Match *match, int player)
{
    const Reason reason = why_not(match, BEAVER, player);
    if (reason)
        return reason;
    match->offered *= 2;
    match->beavers++;
    return LEGAL;
}

/* Offer to lose the game at this level; NOBODY is whoever is to act. */
static Reason resign(Match *match, int player, int win)
{
    const Reason reason = why_not(match, RESIGN, player);
    if (reason)
        return reason;
    if (win < 1 || win > LEVELS)
        return NO_SUCH_WIN;
    if (match->rules.scoring == PIPS_SCORING && win != 1)
        return PIPS_ARE_SINGLE;
    match->resigned_by = player == NOBODY ? to_act(match) : player;
    match->resigned = win;
    return LEGAL;
}

static Reason accept(Match *match, int player)
{
    const Reason reason = why_not(match, ACCEPT, player);
    if (!reason)
        decide(match, opponent_of(match->resigned_by), match->resigned, RESIGNED_BY_LOSER);
    return reason;
}

static Reason decline(Match *match, int player)
{
    const Reason reason = why_not(match, DECLINE, player);
    if (reason)
        return reason;
    match->resigned_by = NOBODY;
    match->resigned = 0;
    return LEGAL;
}

/* Set up the next game from a board that White sees, with an opening roll, or without one if the starter is agreed. */
static Reason next_game(Match *match, int starter, const int8_t *board, int checkers)
{
    const Reason reason = why_not(match, NEXT_GAME, NOBODY);
    if (reason)
        return reason;
    if (starter != NOBODY && !is_player(starter))
        return UNKNOWN_PLAYER;
    if (!is_possible_board(board, checkers))
        return NO_SUCH_BOARD;
    const bool had_one_away = one_away(match, score_before(match, WHITE), score_before(match, BLACK)) > 0;
    match->is_crawford = !had_one_away && is_crawford_if_first(match, match->score[WHITE], match->score[BLACK]);
    match->cube = 1;
    match->owner = match->on_roll = match->winner = NOBODY;
    match->win = match->points = match->end = 0;
    match->checkers = checkers;
    memcpy(match->board, board, SLOTS);
    if (starter != NOBODY)
        begin(match, starter);
    return LEGAL;
}

/* An arbiter ends the game; 0 points are as many as the winner still needs. */
static Reason forfeit(Match *match, int loser, int points)
{
    if (match->winner != NOBODY)
        return GAME_OVER;
    if (!is_player(loser))
        return UNKNOWN_PLAYER;
    const int winner = opponent_of(loser);
    const int awarded = points ? points : match->length - match->score[winner];
    if (awarded < 1 || awarded > MAX_POINTS || (match->length && awarded > match->length))
        return NO_SUCH_POINTS;
    end_game(match, winner, 0, awarded, FORFEITED);
    return LEGAL;
}

/* --- what can still happen ------------------------------------------------------------------------------------------ */

/* Levels of wins are bits here, SINGLE, GAMMON and BACKGAMMON. */
typedef struct {
    LookAhead ahead;
    int8_t plays[SLOTS * MAX_PLAYS + SLACK];
} Prospect;

/* The levels at which the player on roll, or else their opponent, can win from this board. */
static Outcomes wins_on(Prospect *prospect, const int8_t *board, int checkers, bool is_on_roll)
{
    const int outcome = outcome_on(board, checkers);
    if (outcome)
        return (outcome > 0) == is_on_roll ? BIT(level_of(outcome) - 1) : 0;
    const Outcomes outcomes = possible_outcomes_of(&prospect->ahead, board, checkers);
    return (is_on_roll ? outcomes : outcomes >> LEVELS) & (SINGLE | GAMMON | BACKGAMMON);
}

/* The same after a roll, over all its plays, of the levels that are possible before it. */
static Outcomes wins_after_roll(Prospect *prospect, const Match *match, int high, int low, bool is_on_roll, Outcomes before)
{
    Board board;
    Outcomes reached = 0;
    Sink sink = {.boards = prospect->plays, .capacity = MAX_PLAYS};
    if (read_board(match->board, &board))
        enumerate(&board, high, low, &sink);
    for (size_t i = 0; i < sink.count && (reached & before) != before; i++)
        reached |= wins_on(prospect, prospect->plays + SLOTS * i, match->checkers, !is_on_roll);
    return reached & before;
}

/* The levels at which a player can win a game whose opening roll this player, or their opponent, is to win. */
static Outcomes wins_as_it_begins(Prospect *prospect, const Match *match, int player, int starter)
{
    Match begun = *match;
    begin(&begun, starter);
    const bool is_on_roll = player == starter;
    const Outcomes before = wins_on(prospect, begun.board, begun.checkers, is_on_roll);
    if (match->rules.opening != SHARED_OPENING)
        return before;
    Outcomes reached = 0;
    for (int high = 2; high <= 6; high++) {
        for (int low = 1; low < high && reached != before; low++)
            reached |= wins_after_roll(prospect, &begun, high, low, is_on_roll, before);
    }
    return reached;
}

/* The levels at which a player can win a game that is not over, whatever they count. */
static Outcomes wins_by_plays(Prospect *prospect, const Match *match, int player)
{
    if (match->on_roll == NOBODY)
        return wins_as_it_begins(prospect, match, player, player) |
               wins_as_it_begins(prospect, match, player, opponent_of(player));
    const bool is_on_roll = player == match->on_roll;
    const Outcomes before = wins_on(prospect, match->board, match->checkers, is_on_roll);
    return match->high ? wins_after_roll(prospect, match, match->high, match->low, is_on_roll, before) : before;
}

/* The levels with which a player can still win, as far as they are worth different points; of the same, the lowest. */
static Outcomes possible_wins(Prospect *prospect, const Match *match, int player)
{
    if (match->winner != NOBODY)
        return player == match->winner && match->win ? BIT(match->win - 1) : 0;
    const Outcomes possible = wins_by_plays(prospect, match, player);
    const Cube cube = cube_that_counts(match);
    const int highest = highest_win(match, cube);
    const int missing = match->length ? match->length - match->score[player] : INT32_MAX;
    Outcomes wins = 0;
    int highest_worth = 0;
    for (int level = 1; level <= LEVELS; level++) {
        const int counted = lower_of(level, highest);
        const int worth = lower_of(counted * cube.value, missing);
        if (possible & BIT(level - 1) && worth > highest_worth) {
            wins |= BIT(counted - 1);
            highest_worth = worth;
        }
    }
    return wins;
}

/* --- what makes a match impossible ---------------------------------------------------------------------------------- */

/* Each is a clause of MatchStateError; those with a player have a number for White and one for Black. */
typedef enum {
    /* fields that no value has: then nothing else is checked */
    WRONG_SEAT = 1,
    NOT_A_BOOL,
    WRONG_OPTION,
    WRONG_FACES,
    WRONG_CUBE_VALUE,
    OWNED_CUBE_AT_ONE,
    WRONG_DOUBLE,
    WRONG_LEVEL,
    WRONG_POINTS,
    WRONG_END,
    LENGTH_OUT_OF_RANGE,
    WRONG_BOARD,
    WHITE_BEYOND_LIMIT,
    BLACK_BEYOND_LIMIT,
    /* fields that contradict each other, or the rules */
    FIRST_CONTRADICTION,
    WHITE_BELOW_ZERO = FIRST_CONTRADICTION,
    BLACK_BELOW_ZERO,
    WHITE_HAD_WON,
    BLACK_HAD_WON,
    PIPS_IN_MATCH,
    CRAWFORD_WITHOUT_RULE,
    CRAWFORD_IN_MONEY_PLAY,
    CRAWFORD_NOT_ONE_AWAY,
    CRAWFORD_WITH_TURNED_CUBE,
    TURNED_WITHOUT_CUBE,
    CUBE_ABOVE_LIMIT,
    CENTERED_IN_MATCH,
    DICE_BEFORE_OPENING,
    OFFER_BEFORE_OPENING,
    OWNER_BEFORE_OPENING,
    RESULT_BEFORE_OPENING,
    DICE_WHILE_DOUBLED,
    DICE_AFTER_END,
    NO_RESULT,
    DOUBLED_OUT_OF_TURN,
    OFFERED_AT_ANOTHER_VALUE,
    DOUBLED_AGAINST_RULES,
    BEAVER_IN_MATCH,
    BEAVERS_AGAINST_RULES,
    RESIGNED_AGAINST_RULES,
    OFFER_AFTER_END,
    PLAYED_WITHOUT_END,
    ENDED_OTHERWISE,
    WINNER_ON_ROLL,
    ANOTHER_LEVEL,
    DROP_OF_MORE,
    DROP_IMPOSSIBLE,
    AWARD_IMPOSSIBLE,
    LEVEL_DOES_NOT_COUNT,
    ANOTHER_COUNT,
    MAX_PROBLEMS
} Problem;

/* The problems that were found, in the order in which messages name them. */
typedef struct {
    int32_t *numbers;
    int count;
} Problems;

static void note(Problems *problems, bool is_wrong, Problem problem)
{
    if (is_wrong)
        problems->numbers[problems->count++] = (int32_t)problem;
}

/* Whether a number is at most this, and at least 1; or 0, where nothing has it. */
static inline bool fits(int number, bool is_there, int most)
{
    return is_there ? 1 <= number && number <= most : number == 0;
}

static inline bool is_switch(int value)
{
    return value == 0 || value == 1;
}

static inline bool is_cube_value(int value)
{
    return 1 <= value && value <= MAX_CUBE && !(value & (value - 1));
}

static bool are_possible_options(const Options *rules)
{
    const bool is_pips = rules->scoring == PIPS_SCORING;
    return 0 <= rules->beavers && rules->beavers <= MAX_IN_A_ROW && 0 <= rules->auto_doubles &&
           rules->auto_doubles <= MAX_IN_A_ROW && (!rules->max_cube || is_cube_value(rules->max_cube)) &&
           (rules->gammons || !rules->backgammons) &&
           !(is_pips && (rules->cube || rules->beavers || rules->auto_doubles || rules->jacoby));
}

static bool is_possible_double(const Match *match)
{
    if (match->doubled_by == NOBODY)
        return !match->offered && !match->beavers;
    return 0 <= match->beavers && match->beavers < MAX_CUBE_TURNS && is_cube_value(match->offered) &&
           match->offered >> match->beavers >= 2;
}

static bool are_seats(const Match *match)
{
    const int seats[] = {match->on_roll, match->owner, match->doubled_by, match->resigned_by, match->winner};
    for (size_t i = 0; i < sizeof seats / sizeof *seats; i++) {
        if (seats[i] != NOBODY && !is_player(seats[i]))
            return false;
    }
    return true;
}

static bool are_switches(const Match *match)
{
    const Options *rules = &match->rules;
    const int switches[] = {match->is_crawford, rules->crawford, rules->jacoby,      rules->cube,
                            rules->gammons,     rules->scoring,  rules->backgammons, rules->opening};
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        if (!is_switch(switches[i]))
            return false;
    }
    return true;
}

static bool are_possible_faces(const Match *match)
{
    if (!match->high && !match->low)
        return true;
    return are_dice(match->high, match->low) && match->high >= match->low;
}

static bool is_possible_end(const Match *match)
{
    const bool is_over = match->winner != NOBODY;
    const bool has_level = is_over && match->end != FORFEITED;
    const int last_end = is_over ? FORFEITED : 0;
    return 0 <= match->end && match->end <= last_end && fits(match->win, has_level, LEVELS);
}

/* Whether this game began at a score within the limit. */
static bool is_within_limit(const Match *match, int player)
{
    const int64_t points = player == match->winner ? match->points : 0;
    const int64_t before = match->score[player] - points;
    return -MAX_POINTS <= before && before <= MAX_POINTS;
}

static void find_wrong_fields(const Match *match, Problems *problems)
{
    note(problems, !are_seats(match), WRONG_SEAT);
    note(problems, !are_switches(match), NOT_A_BOOL);
    note(problems, !are_possible_options(&match->rules), WRONG_OPTION);
    note(problems, !are_possible_faces(match), WRONG_FACES);
    note(problems, !is_cube_value(match->cube), WRONG_CUBE_VALUE);
    note(problems, match->cube == 1 && match->owner != NOBODY, OWNED_CUBE_AT_ONE);
    note(problems, !is_possible_double(match), WRONG_DOUBLE);
    note(problems, !fits(match->resigned, match->resigned_by != NOBODY, LEVELS), WRONG_LEVEL);
    note(problems, !fits(match->points, match->winner != NOBODY, MAX_POINTS), WRONG_POINTS);
    note(problems, !is_possible_end(match), WRONG_END);
    note(problems, match->length < 0 || match->length > MAX_POINTS, LENGTH_OUT_OF_RANGE);
    note(problems, !is_possible_board(match->board, match->checkers), WRONG_BOARD);
    if (problems->count)
        return;
    note(problems, !is_within_limit(match, WHITE), WHITE_BEYOND_LIMIT);
    note(problems, !is_within_limit(match, BLACK), BLACK_BEYOND_LIMIT);
}

static void find_wrong_score(const Match *match, Problems *problems)
{
    const int white = score_before(match, WHITE);
    const int black = score_before(match, BLACK);
    note(problems, white < 0, WHITE_BELOW_ZERO);
    note(problems, has_won(match, white), WHITE_HAD_WON);
    note(problems, black < 0, BLACK_BELOW_ZERO);
    note(problems, has_won(match, black), BLACK_HAD_WON);
    note(problems, match->length && match->rules.scoring == PIPS_SCORING, PIPS_IN_MATCH);
}

static void find_wrong_crawford(const Match *match, Problems *problems)
{
    if (!match->is_crawford)
        return;
    const int white = score_before(match, WHITE);
    const int black = score_before(match, BLACK);
    if (!match->rules.crawford)
        note(problems, true, CRAWFORD_WITHOUT_RULE);
    else if (!match->length)
        note(problems, true, CRAWFORD_IN_MONEY_PLAY);
    else
        note(problems, !is_crawford_if_first(match, white, black), CRAWFORD_NOT_ONE_AWAY);
    note(problems, match->cube > 1, CRAWFORD_WITH_TURNED_CUBE);
}

static void find_wrong_cube(const Match *match, Problems *problems)
{
    note(problems, !match->rules.cube && match->cube > 1, TURNED_WITHOUT_CUBE);
    note(problems, match->rules.max_cube && match->cube > match->rules.max_cube, CUBE_ABOVE_LIMIT);
    note(problems, match->length && match->owner == NOBODY && match->cube > 1, CENTERED_IN_MATCH);
}

static void find_wrong_turn(const Match *match, Problems *problems)
{
    const bool is_over = match->winner != NOBODY;
    if (match->on_roll == NOBODY) {
        note(problems, match->high, DICE_BEFORE_OPENING);
        note(problems, match->doubled_by != NOBODY || match->resigned_by != NOBODY, OFFER_BEFORE_OPENING);
        note(problems, match->owner != NOBODY, OWNER_BEFORE_OPENING);
        note(problems, is_over && match->end != FORFEITED, RESULT_BEFORE_OPENING);
    }
    note(problems, match->high && match->doubled_by != NOBODY, DICE_WHILE_DOUBLED);
    note(problems, match->high && is_over, DICE_AFTER_END);
    note(problems, outcome_on(match->board, match->checkers) && !is_over, NO_RESULT);
}

static void find_wrong_offer(const Match *match, Problems *problems)
{
    const int by = match->doubled_by;
    if (by != NOBODY) {
        const bool is_forbidden = why_not_double(match, by, score_before(match, by));
        note(problems, match->on_roll != NOBODY && by != match->on_roll, DOUBLED_OUT_OF_TURN);
        note(problems, match->offered >> match->beavers != 2 * match->cube, OFFERED_AT_ANOTHER_VALUE);
        note(problems, is_forbidden || match->offered > highest_cube(match), DOUBLED_AGAINST_RULES);
        if (match->beavers && match->length)
            note(problems, true, BEAVER_IN_MATCH);
        else
            note(problems, match->beavers > match->rules.beavers, BEAVERS_AGAINST_RULES);
    }
    note(problems, match->rules.scoring == PIPS_SCORING && match->resigned > 1, RESIGNED_AGAINST_RULES);
}

/* Whether a double by the player on roll can have been dropped; see _why_no_drop in checks.py. */
static bool can_have_dropped(const Match *match)
{
    const int on_roll = match->on_roll;
    if (!match->length && match->rules.beavers && match->owner == opponent_of(on_roll)) {
        /* the opponent can have taken the cube only by a beaver: it was dropped, or the raccoon that answered it */
        const bool is_raccoon_dropped = match->winner == on_roll;
        if (is_raccoon_dropped && (match->rules.beavers < 2 || match->cube < 4))
            return false;
        return match->cube <= highest_cube(match) / 2;
    }
    return !why_not_double(match, on_roll, score_before(match, on_roll)) && match->winner == on_roll;
}

static void find_wrong_result(const Match *match, Problems *problems)
{
    const int outcome = outcome_on(match->board, match->checkers);
    const Cube cube = {match->cube, match->owner};
    const int highest = highest_win(match, cube);
    note(problems, match->doubled_by != NOBODY || match->resigned_by != NOBODY, OFFER_AFTER_END);
    note(problems, match->end == PLAYED && !outcome, PLAYED_WITHOUT_END);
    note(problems, match->end != PLAYED && outcome, ENDED_OTHERWISE);
    if (match->end == PLAYED && outcome) {
        note(problems, outcome > 0 || match->winner == match->on_roll, WINNER_ON_ROLL);
        note(problems, match->win != lower_of(level_of(outcome), highest), ANOTHER_LEVEL);
    }
    if (match->end == DROPPED) {
        note(problems, match->win != 1, DROP_OF_MORE);
        note(problems, match->on_roll != NOBODY && !can_have_dropped(match), DROP_IMPOSSIBLE);
    }
    if (!match->win) {
        note(problems, match->length && match->points > match->length, AWARD_IMPOSSIBLE);
        return;
    }
    note(problems, match->win > highest, LEVEL_DOES_NOT_COUNT);
    note(problems, match->points != points_of_win(match, match->winner, match->win, match->cube), ANOTHER_COUNT);
}

/* Whether each field has a value that it can have, so that what is done with them stays within numbers and memory. */
static bool are_fields_possible(const Match *match)
{
    int32_t numbers[MAX_PROBLEMS];
    Problems problems = {numbers, 0};
    find_wrong_fields(match, &problems);
    return !problems.count;
}

/* How many problems a match has, whose numbers are written; there is room for MAX_PROBLEMS. */
static int find_problems(const Match *match, int32_t *numbers)
{
    Problems problems = {numbers, 0};
    find_wrong_fields(match, &problems);
    if (problems.count)
        return problems.count;
    find_wrong_score(match, &problems);
    find_wrong_crawford(match, &problems);
    find_wrong_cube(match, &problems);
    find_wrong_turn(match, &problems);
    find_wrong_offer(match, &problems);
    if (match->winner != NOBODY)
        find_wrong_result(match, &problems);
    return problems.count;
}
