/* An opponent for WebAssembly, or for any program in C: one match, as match.c has it, and what selftaught does in it.
 * engine/_selftaught.py does the same, and engine/_strengths.py; tests/engine/test_opponent_in_c.py compares them.
 *
 * A host writes the file of weights at `weights` and has it read, once; then it asks about the match that it has written.
 */

#if defined(__wasm__) /* what a game needs of match.c, and no more, since pages load it; match.wasm has all */
#include "gammonrules.h"

#define EXPORTED(name) __attribute__((export_name(#name)))
EXPORTED(match) GammonrulesMatch *gammonrules_match(void);
EXPORTED(problems) int gammonrules_problems(void);
EXPORTED(phase) int gammonrules_phase(void);
EXPORTED(to_act) int gammonrules_to_act(void);
EXPORTED(winner) int gammonrules_winner(void);
EXPORTED(board) int8_t *gammonrules_board(void);
EXPORTED(boards) int8_t *gammonrules_boards(void);
EXPORTED(moves) int8_t *gammonrules_moves(void);
EXPORTED(act) int gammonrules_act(int action, int player, int number, int other);
#define EXPORT(name)
#endif

#include "match.c"

#if defined(__wasm__)
#undef EXPORT
#define EXPORT(name) EXPORTED(name)
#endif

#include "_network.c"

#include "_janowski.c"

enum { WEIGHTS_SIZE = FILE_SIZE, FIRST_LOOK = 8, NO_DOUBLE = 0, DOUBLE_TAKE, DOUBLE_DROP };
enum { BEGINNER, CASUAL, CLUB, STRONG, STRENGTHS };
enum {
    NO_WEIGHTS = NO_SUCH_MATCH + 1,
    NO_SUCH_LEVEL,
    NO_SUCH_STRENGTH,
    NO_SUCH_RANDOM,
    UNKNOWN_SCORING,
    UNKNOWN_CHECKERS,
    UNKNOWN_CRAWFORD,
    BEYOND_EQUITY_TABLE
};

static const double TEMPERATURES[STRENGTHS] = {[BEGINNER] = 0.08, [CASUAL] = 0.05, [CLUB] = 0.03, [STRONG] = 0};
static const double PART_IN_RACES = 0.25, TOLERANCE = 1e-3;

/* A play of the roll, as the player who makes it sees it: what it is worth if the opponent then doubles where that is better,
 * and if they roll without a double. */
typedef struct {
    double five[FIVE], equity, undoubled;
    uint16_t number;
    bool is_looked_at;
} Judged;

static uint8_t weights[WEIGHTS_SIZE], also[MAX_PLAYS];
static Network network;
static BearoffTable bearoffs;
static KnownSides known_sides;
static bool has_weights, has_bearoffs;
static int version, looked_at;
static Judged judged[MAX_PLAYS];
static uint16_t order[MAX_PLAYS];
static double equities[MAX_PLAYS];
static float chances[MAX_PLAYS][CHANCES];

EXPORT(weights) uint8_t *gammonrules_weights(void) { return weights; }
EXPORT(weights_version) int gammonrules_weights_version(void) { return version; }
EXPORT(also) uint8_t *gammonrules_also(void) { return also; }
EXPORT(order) uint16_t *gammonrules_order(void) { return order; }
EXPORT(looked_at) int gammonrules_looked_at(void) { return looked_at; }
EXPORT(equities) double *gammonrules_equities(void) { return equities; }
EXPORT(chances) float *gammonrules_chances(void) { return chances[0]; }

EXPORT(read_weights) int gammonrules_read_weights(int size)
{
    const WeightsProblem problem = read_weights(weights, (size_t)size, &network);
    if (!problem) {
        has_weights = true;
        version = (int)four_bytes(weights + 4);
    }
    return (int)problem;
}

/* --- what boards and plays are worth ------------------------------------------------------------------------------------ */

static double points_of_five(const double *five)
{
    return 2 * five[WIN] - 1 + five[WIN_GAMMON] + five[WIN_BACKGAMMON] - five[LOSE_GAMMON] - five[LOSE_BACKGAMMON];
}

static Row row_of(const int8_t *board)
{
    Row row;
    const Rows single = {board, 1, MAX_CHECKERS};
    read_row(&single, 0, &row);
    return row;
}

/* The evaluator of a board. The first board that may need the table has it solved. */
static Evaluator evaluator_of(const Row *row)
{
    if (!has_bearoffs && is_near_bearoff(row)) {
        solve_bearoffs(&bearoffs);
        has_bearoffs = true;
    }
    return (Evaluator){&network, has_bearoffs ? &bearoffs : NULL, &known_sides};
}

static bool is_beyond_table(const Match *match)
{
    const Stakes stakes = stakes_of(match, WHITE);
    return !is_in_table(&stakes);
}

/* The same game for money: gammons count as in a match, and nobody doubles anymore. */
static Match as_money(const Match *match)
{
    Match money = *match;
    money.length = money.is_crawford = money.rules.jacoby = 0;
    money.rules.max_cube = match->offered ? match->offered : match->cube;
    return money;
}

/* What they have who doubles: the opponent chooses. */
static double after_double(const Worths *worths)
{
    return worths->take < worths->drop ? worths->take : worths->drop;
}

/* What a player has before the roll, who doubles if they may and that is better. */
static double before_roll(const Stakes *stakes, const Worths *worths)
{
    const double doubled = after_double(worths);
    return may_turn(stakes, MINE) && doubled > worths->no_double ? doubled : worths->no_double;
}

/* The same stakes as the opponent sees them. */
static Stakes seen_by_opponent(const Stakes *stakes)
{
    Stakes seen = *stakes;
    for (int side = 0; side < SIDES; side++) {
        seen.away[side] = stakes->away[SIDES - 1 - side];
        seen.turns[side] = stakes->turns[SIDES - 1 - side];
        seen.owns[side] = stakes->owns[SIDES - 1 - side];
    }
    return seen;
}

/* The worth of the next roll to the player who makes it; `stakes` are those of the opponent, who rolls after it. */
static double worth_of_next_roll(const Stakes *stakes, const AfterRoll *by_roll)
{
    double sum = 0;
    for (int roll = 0; roll < ROLLS; roll++) {
        float flipped[CHANCES];
        double five[FIVE];
        flip_chances(by_roll[roll].chances, flipped);
        for (int i = 0; i < FIVE; i++)
            five[i] = flipped[i];
        const Worths worths = worths_of(stakes, five, by_roll[roll].efficiency);
        sum += WEIGHTS_OF_ROLLS[roll] * before_roll(stakes, &worths);
    }
    return (stakes->is_money ? 0 : 1) - sum / 36;
}

/* What a player can do before the next roll, if the opponent can double after it. */
static Worths worths_before_roll(const Stakes *stakes, const AfterRoll *by_roll)
{
    Stakes theirs = seen_by_opponent(stakes);
    Worths worths = {.no_double = worth_of_next_roll(&theirs, by_roll), .drop = worth_of_points(stakes, stakes->cube)};
    worths.take = worths.no_double;
    if (may_turn(stakes, MINE)) {
        theirs.cube *= 2;
        theirs.owns[MINE] = true;
        theirs.owns[THEIRS] = false;
        worths.take = (stakes->is_money ? 2 : 1) * worth_of_next_roll(&theirs, by_roll);
    }
    return worths;
}

/* What the player on roll can do on a board, and their chances. In a bear-off one roll often decides whether to double, so there
 * the look ahead counts the cube. */
static Worths judge_board(const int8_t *board, const Stakes *stakes, bool is_ahead, double *five)
{
    const Row row = row_of(board);
    const Evaluator evaluator = evaluator_of(&row);
    const bool goes_on = row.mine && row.theirs;
    AfterRoll by_roll[ROLLS];
    float seen[CHANCES];
    if (is_ahead && goes_on) {
        look_at_rolls(&evaluator, &row, prospect.plays, by_roll);
        mean_of_rolls(by_roll, seen);
    } else {
        chances_of(&evaluator, &row, seen);
    }
    for (int i = 0; i < FIVE; i++)
        five[i] = seen[i];
    if (is_ahead && is_bearoff(&row))
        return worths_before_roll(stakes, by_roll);
    return worths_of(stakes, five, cube_efficiency(&row));
}

/* In normalized equities. */
static Worths equities_of(const Stakes *stakes, const Worths *worths)
{
    return (Worths){normalized(stakes, worths->no_double), normalized(stakes, worths->take), 1};
}

/* What the game is worth to the player who is on roll after the next play; beyond the table, in points. */
static Stakes stakes_of_opponent(const Match *match)
{
    const Match money = as_money(match);
    return stakes_of(is_beyond_table(match) ? &money : match, opponent_of(match->on_roll));
}

/* A play is worth what the opponent then has, with the sign changed; `stakes` are theirs. */
static void judge(Judged *play, const Stakes *stakes, bool is_ahead)
{
    double theirs[FIVE];
    const Worths worths = judge_board(rows + SLOTS * play->number, stakes, is_ahead, theirs);
    const Worths equities = equities_of(stakes, &worths);
    const double mine[FIVE] = {1 - theirs[WIN], theirs[LOSE_GAMMON], theirs[LOSE_BACKGAMMON], theirs[WIN_GAMMON],
                               theirs[WIN_BACKGAMMON]};
    memcpy(play->five, mine, sizeof mine);
    play->equity = -before_roll(stakes, &equities);
    play->undoubled = -equities.no_double;
    play->is_looked_at = is_ahead;
}

/* All plays of the roll in their order, as they are. */
static int judge_plays(const Match *match, const Stakes *stakes)
{
    Sink sink = {.boards = rows, .moves = series, .capacity = MAX_PLAYS};
    const int count = (int)enumerate_plays(match, &sink);
    for (int i = 0; i < count; i++) {
        judged[i].number = (uint16_t)i;
        judge(judged + i, stakes, false);
    }
    return count;
}

/* An equity without what rounding adds to sums. */
static int64_t trillionths(double equity)
{
    return (int64_t)(1e12 * equity + (equity < 0 ? -0.5 : 0.5));
}

/* Those that were looked at come first. Of plays of equal worth, such as all after which the opponent doubles out, the one that
 * is best if they do not; and then the one that is best without a cube. */
static bool is_before(const Judged *play, const Judged *other)
{
    const int64_t gain = trillionths(play->equity) - trillionths(other->equity);
    const int64_t undoubled_gain = trillionths(play->undoubled) - trillionths(other->undoubled);
    const int64_t cubeless_gain = trillionths(points_of_five(play->five)) - trillionths(points_of_five(other->five));
    if (play->is_looked_at != other->is_looked_at)
        return play->is_looked_at;
    if (gain)
        return gain > 0;
    if (undoubled_gain)
        return undoubled_gain > 0;
    return cubeless_gain ? cubeless_gain > 0 : play->number < other->number;
}

static void sort_plays(int count)
{
    for (int i = 1; i < count; i++) {
        const Judged play = judged[i];
        int place = i;
        for (; place > 0 && is_before(&play, judged + place - 1); place--)
            judged[place] = judged[place - 1];
        judged[place] = play;
    }
}

/* All plays of the roll, best first. Level 2 looks at the best of level 1, and at those in `also`. */
static int rank_plays(const Match *match, int level, const uint8_t *wanted)
{
    const Stakes stakes = stakes_of_opponent(match);
    const int count = judge_plays(match, &stakes);
    sort_plays(count);
    looked_at = 0;
    for (int i = 0; level > 1 && i < count; i++) {
        if (i < FIRST_LOOK || (wanted && wanted[judged[i].number])) {
            judge(judged + i, &stakes, true);
            looked_at++;
        }
    }
    sort_plays(count);
    return count;
}

/* What the player on roll can do about the cube, in normalized equities. */
static Worths cube_equities(const Match *match, int level, double *five)
{
    const Stakes stakes = stakes_of(match, match->on_roll);
    const Worths worths = judge_board(match->board, &stakes, level > 1, five);
    return equities_of(&stakes, &worths);
}

/* --- answers ------------------------------------------------------------------------------------------------------------ */

/* What a later state of the game, that is over or waits for a roll, is worth to a player, in units of the cube of `match`. */
static double equity_later(const Match *match, const Match *later, int player, int level)
{
    const Stakes stakes = stakes_of(match, player);
    if (later->winner != NOBODY)
        return normalized(&stakes, worth_of_points(&stakes, later->winner == player ? later->points : -later->points));
    double five[FIVE];
    const Stakes on_roll = stakes_of(later, later->on_roll);
    const Worths worths = judge_board(later->board, &on_roll, level > 1, five);
    double worth = before_roll(&on_roll, &worths);
    if (later->on_roll != player)
        worth = (on_roll.is_money ? 0 : 1) - worth;
    return on_roll.is_money ? worth * later->cube / match->cube : normalized(&stakes, worth);
}

typedef struct {
    double taken, dropped;
} Answers;

/* What the answers to a pending double are worth to a player. */
static Answers answers_to_double(const Match *match, int player, int level)
{
    Match taken = *match, dropped = *match;
    take(&taken, NOBODY);
    drop(&dropped, NOBODY);
    return (Answers){equity_later(match, &taken, player, level), equity_later(match, &dropped, player, level)};
}

static double equity_of_going_on(const Match *match, int player, int level)
{
    if (match->doubled_by != NOBODY) {
        const Answers answers = answers_to_double(match, player, level);
        const bool is_mine = to_act(match) == player;
        return (answers.taken > answers.dropped) == is_mine ? answers.taken : answers.dropped;
    }
    if (!match->high)
        return equity_later(match, match, player, level);
    rank_plays(match, level, NULL);
    return match->on_roll == player ? judged[0].equity : -judged[0].equity;
}

/* Whether to accept a resignation of uncertain worth: if that is as much as to go on, or nearly. */
static bool accepts(const Match *match, int level)
{
    const int player = to_act(match);
    Match accepted = *match, declined = *match;
    accept(&accepted, NOBODY);
    decline(&declined, NOBODY);
    return equity_later(&declined, &accepted, player, level) >= equity_of_going_on(&declined, player, level) - TOLERANCE;
}

static bool is_race(const int8_t *board)
{
    int8_t opposing[WIDTH];
    store(opposing, turned(board));
    return read_side(board).rear + read_side(opposing).rear < BAR;
}

/* The answer to a resignation that takes no evaluation, or ACTIONS; engine/_resignations.py explains it. */
static int certain_answer(const Match *match)
{
    const int player = to_act(match);
    const uint32_t wins = possible_wins(&prospect, match, player);
    Match accepted = *match;
    accept(&accepted, NOBODY);
    if (!wins || winner_of_match(&accepted) != NOBODY)
        return ACCEPT;
    if (match->doubled_by != NOBODY)
        return answerer_of_double(match) == match->resigned_by ? ACCEPT : ACTIONS;
    if (match->rules.scoring == PIPS_SCORING)
        return is_race(match->board) ? ACCEPT : ACTIONS;
    const uint32_t offered = BIT(accepted.win - 1);
    if (2 * offered > wins)
        return ACCEPT;
    if (!possible_wins(&prospect, match, match->resigned_by) && !(wins & (2 * offered - 1)))
        return DECLINE;
    return ACTIONS;
}

/* --- strengths ---------------------------------------------------------------------------------------------------------- */

/* How many checkers the player who has played has left. */
static int left_after(const Judged *play)
{
    int left = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
        const int8_t count = rows[SLOTS * play->number + slot];
        left -= count < 0 ? count : 0;
    }
    return left;
}

/* In a bear-off without contact, a play that bears off fewer checkers than possible has no weight. A game that the opponent may
 * double out is not given up. */
static void weigh_plays(int count, double temperature, bool is_bear_off, double *weights_of_plays)
{
    int most_left = MAX_CHECKERS;
    double best = judged[0].undoubled;
    for (int i = 0; i < count; i++) {
        most_left = is_bear_off ? lower_of(most_left, left_after(judged + i)) : most_left;
        best = judged[i].undoubled > best ? judged[i].undoubled : best;
    }
    for (int i = 0; i < count; i++) {
        const double power = (judged[i].undoubled - best) / temperature;
        const bool is_left_out = left_after(judged + i) > most_left;
        weights_of_plays[i] = is_left_out || power < -100 ? 0 : power_of_e(power);
    }
}

/* The number of the play that a random number stands for. */
static int drawn_play(const Match *match, double temperature, double random)
{
    const Stakes stakes = stakes_of_opponent(match);
    const int count = judge_plays(match, &stakes);
    const bool is_without_contact = is_race(match->board);
    const bool is_bear_off = is_without_contact && read_side(match->board).rear <= 6;
    double all = 0, below = 0;
    int play = 0;
    weigh_plays(count, is_without_contact ? PART_IN_RACES * temperature : temperature, is_bear_off, equities);
    for (int i = 0; i < count; i++)
        all += equities[i];
    while (play < count - 1 && (below += equities[play]) <= random * all)
        play++;
    return play;
}

/* Whether to double or take, which gains so much. */
static bool is_risked(double gain, double temperature, double random)
{
    const double power = gain / temperature;
    const double smaller = power < -100 || power > 100 ? 0 : power_of_e(power < 0 ? power : -power);
    return random < (power < 0 ? smaller : 1) / (1 + smaller);
}

/* --- decisions ---------------------------------------------------------------------------------------------------------- */

/* Why it does not know a game, or 0. */
static int why_unknown(const Match *match)
{
    const int away = match->length - match->score[WHITE], black_away = match->length - match->score[BLACK];
    const bool is_cube_turned_later = match->rules.cube && match->rules.max_cube != 1 &&
                                      (match->cube < away || match->cube < black_away);
    if (match->length && !match->rules.crawford && away > 1 && black_away > 1 && is_cube_turned_later)
        return UNKNOWN_CRAWFORD;
    if (match->rules.scoring == PIPS_SCORING)
        return UNKNOWN_SCORING;
    return match->checkers == MAX_CHECKERS ? 0 : UNKNOWN_CHECKERS;
}

static int decide_play(const Match *match, int level, double temperature, double random)
{
    Sink sink = {.boards = rows, .moves = series, .capacity = MAX_PLAYS};
    int number = 0;
    if (enumerate_plays(match, &sink) > 1) {
        const int reason = why_unknown(match);
        if (reason)
            return -reason;
        if (temperature) {
            number = drawn_play(match, temperature, random);
        } else {
            rank_plays(match, level, NULL);
            number = judged[0].number;
        }
    }
    memcpy(at, rows + SLOTS * number, SLOTS);
    return PLAY;
}

static int decide_double(const Match *match, int level, double temperature, double random)
{
    double five[FIVE];
    if (why_not(match, DOUBLE, NOBODY))
        return ROLL;
    const int reason = why_unknown(match);
    if (reason)
        return -reason;
    if (is_beyond_table(match))
        return ROLL;
    const Worths worths = cube_equities(match, level, five);
    const double gain = after_double(&worths) - worths.no_double;
    return (temperature ? is_risked(gain, temperature, random) : gain > 0) ? DOUBLE : ROLL;
}

static int decide_answer(const Match *match, int level, double temperature, double random)
{
    double five[FIVE];
    const int reason = why_unknown(match);
    if (reason)
        return -reason;
    if (match->beavers) {
        const Answers answers = answers_to_double(match, to_act(match), level);
        return answers.taken >= answers.dropped ? TAKE : DROP;
    }
    if (is_beyond_table(match))
        return TAKE;
    const Worths worths = cube_equities(match, level, five);
    if (temperature)
        return is_risked(worths.drop - worths.take, temperature, random) ? TAKE : DROP;
    /* with many gammons, a beaver would be dropped for 2, less than the double costs */
    if (-2 < worths.take && worths.take < 0)
        return why_not(match, BEAVER, NOBODY) ? TAKE : BEAVER;
    return worths.take <= worths.drop ? TAKE : DROP;
}

static int decide_resignation(const Match *match, int level)
{
    const int certain = certain_answer(match);
    if (certain != ACTIONS)
        return certain;
    const int reason = why_unknown(match);
    if (reason)
        return -reason;
    const Match money = as_money(match);
    return accepts(is_beyond_table(match) ? &money : match, level) ? ACCEPT : DECLINE;
}

/* Why nothing can be said, whatever is asked about the match. */
static int why_no_answer(int level)
{
    if (!has_weights)
        return NO_WEIGHTS;
    if (level != 1 && level != 2)
        return NO_SUCH_LEVEL;
    return find_problems(&table, found) ? NO_SUCH_MATCH : LEGAL;
}

EXPORT(decide) int gammonrules_decide(int level, int strength, double random)
{
    const int reason = why_no_answer(level);
    if (reason)
        return -reason;
    if (strength < 0 || strength >= STRENGTHS || (level > 1 && strength != STRONG))
        return -NO_SUCH_STRENGTH;
    if (!(0 <= random && random < 1))
        return -NO_SUCH_RANDOM;
    switch (phase_of(&table)) {
    case TO_PLAY:
        return decide_play(&table, level, TEMPERATURES[strength], random);
    case TO_ROLL:
        return decide_double(&table, level, TEMPERATURES[strength], random);
    case DOUBLED:
        return decide_answer(&table, level, TEMPERATURES[strength], random);
    case RESIGNED:
        return decide_resignation(&table, level);
    default:
        return -(int)why_not(&table, ROLL, NOBODY);
    }
}

/* Why there are no equities, or 0; `reason` is why nobody asks for them in this phase. */
static int why_no_equities(Reason reason)
{
    if (reason)
        return (int)reason;
    const int unknown = why_unknown(&table);
    return unknown ? unknown : is_beyond_table(&table) ? BEYOND_EQUITY_TABLE : 0;
}

static void write_chances(int place, const double *five)
{
    for (int i = 0; i < FIVE; i++)
        chances[place][i] = (float)five[i];
}

static int write_candidates(int level)
{
    int reason = why_no_answer(level);
    if (!reason)
        reason = why_no_equities(why_not(&table, PLAY, NOBODY));
    if (reason)
        return -reason;
    const int count = rank_plays(&table, level, also);
    for (int i = 0; i < count; i++) {
        order[i] = judged[i].number;
        equities[i] = judged[i].equity;
        write_chances(i, judged[i].five);
    }
    return count;
}

EXPORT(candidates) int gammonrules_candidates(int level)
{
    const int count = write_candidates(level);
    memset(also, 0, sizeof also);
    return count;
}

EXPORT(cube) int gammonrules_cube(int level)
{
    double five[FIVE];
    int reason = why_no_answer(level);
    const bool is_answered = phase_of(&table) == DOUBLED && !table.beavers;
    if (!reason)
        reason = why_no_equities(is_answered ? LEGAL : why_not(&table, DOUBLE, NOBODY));
    if (reason)
        return -reason;
    const Worths worths = cube_equities(&table, level, five);
    equities[NO_DOUBLE] = worths.no_double;
    equities[DOUBLE_TAKE] = worths.take;
    equities[DOUBLE_DROP] = worths.drop;
    write_chances(0, five);
    return 0;
}
