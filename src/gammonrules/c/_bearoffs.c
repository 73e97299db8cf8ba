/* Bear-offs in which no gammon is possible: a table of how many rolls each side needs, and the chance of winning that follows.
 * Both sides play for the fewest rolls on average, as in bearoff/_solve_one_sided.py; tests/bearoff/test_bearoffs_in_c.py
 * compares the tables. This file is included after _game.c, and has no state: the host owns the table. No file contains
 * the table; the host solves it when a board first needs it.
 *
 * The same sums are made in the same order on every machine, so the table is the same wherever floats are not contracted.
 */

enum {
    HOME_POINTS = 6,
    DICE_FACES = 6,
    MAX_LEFT = MOST_CHECKERS - 1, /* checkers of a side that has borne off one, so that it loses no gammon */
    SIDES_AT_HOME = 38760,        /* C(MAX_LEFT + HOME_POINTS, HOME_POINTS): how so many checkers or fewer can be at home */
    ROLL_CHANCES = 422997,        /* of all these sides */
    MAX_ROLLS_NEEDED = 28         /* 21 every time, with all checkers on point 6 */
};

/* How few and how many rolls a side may need. From `start` on are the chances that it needs more than `fewest` rolls, more
 * than one roll more, and so on; it never needs more than `most`. */
typedef struct {
    uint32_t start;
    uint8_t fewest, most;
} RollsNeeded;

/* Sides have the numbers of bearoff/_layouts.py: every move leads to a lower number. */
typedef struct {
    RollsNeeded needed[SIDES_AT_HOME];
    float chances[ROLL_CHANCES];
} BearoffTable;

/* Memory that only the solution of a table needs: the rolls of each side on average, and the side to which one, two and three
 * moves by each die lead if they are made as well as possible. */
typedef struct {
    double means[SIDES_AT_HOME];
    uint16_t best[DICE_FACES][3][SIDES_AT_HOME];
} BearoffWork;

/* --- sides: counts of the points 1 to 6, and before them of the checkers that are off ------------------------------------ */

/* C(n + i - 1, i): what n checkers on the i highest points add to the number of a side. */
static const uint16_t TERMS[HOME_POINTS][MAX_LEFT + 1] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14},
    {0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105},
    {0, 1, 4, 10, 20, 35, 56, 84, 120, 165, 220, 286, 364, 455, 560},
    {0, 1, 5, 15, 35, 70, 126, 210, 330, 495, 715, 1001, 1365, 1820, 2380},
    {0, 1, 6, 21, 56, 126, 252, 462, 792, 1287, 2002, 3003, 4368, 6188, 8568},
    {0, 1, 7, 28, 84, 210, 462, 924, 1716, 3003, 5005, 8008, 12376, 18564, 27132},
};

static uint16_t number_of_side(const int8_t *at)
{
    int number = 0, checkers = 0;
    for (int i = 0; i < HOME_POINTS; i++) {
        checkers += at[HOME_POINTS - i];
        number += TERMS[i][checkers];
    }
    return (uint16_t)number;
}

/* Turn a side into the side with the next number. The highest point below 6 with checkers gives one to the point above it, and
 * all checkers of point 6 come down to that point too. If there is no such point, a checker that was off comes back. */
static void turn_to_next_side(int8_t *at)
{
    int from = HOME_POINTS - 1;
    while (from && !at[from])
        from--;
    const int8_t moved = (int8_t)(at[HOME_POINTS] + 1);
    at[from]--;
    at[HOME_POINTS] = 0;
    at[from + 1] = moved;
}

/* The chance that a side needs more rolls than these. */
static double chance_of_more(const BearoffTable *table, const RollsNeeded *needed, int rolls)
{
    if (rolls < needed->fewest)
        return 1;
    return rolls < needed->most ? table->chances[needed->start + (uint32_t)(rolls - needed->fewest)] : 0;
}

/* --- solving -------------------------------------------------------------------------------------------------------------- */

/* The sides to which two dice in this order lead if they are played as well as possible; two equal dice are four moves. */
typedef struct {
    uint16_t by[DICE_FACES][DICE_FACES];
} AfterDice;

static void keep_better(const BearoffWork *work, uint16_t *best, uint16_t side)
{
    if (work->means[side] < work->means[*best])
        *best = side;
}

/* Try the moves of a side by one die, each followed by the best moves by the other die. */
static void try_moves(BearoffWork *work, uint16_t side, const int8_t *at, int die, AfterDice *after)
{
    uint16_t(*const alike)[SIDES_AT_HOME] = work->best[die - 1];
    int rear = HOME_POINTS;
    while (!at[rear])
        rear--;
    for (int from = rear; from >= die || from == rear; from--) {
        int8_t moved[HOME_POINTS + 1];
        if (!at[from])
            continue;
        memcpy(moved, at, sizeof moved);
        moved[from]--;
        moved[from > die ? from - die : 0]++;
        const uint16_t next = number_of_side(moved);
        keep_better(work, alike[0] + side, next);
        keep_better(work, alike[1] + side, alike[0][next]);
        keep_better(work, alike[2] + side, alike[1][next]);
        for (int other = 1; other <= DICE_FACES; other++) {
            const uint16_t then = other == die ? alike[2][next] : work->best[other - 1][0][next];
            keep_better(work, &after->by[die - 1][other - 1], then);
        }
    }
}

/* Choose among all moves of a side. The side has no mean yet; until then it counts as the worst, so every move is better. */
static AfterDice choose_moves(BearoffWork *work, uint16_t side, const int8_t *at)
{
    AfterDice after;
    work->means[side] = MAX_ROLLS_NEEDED + 1;
    for (int die = 1; die <= DICE_FACES; die++) {
        for (int i = 0; i < 3; i++)
            work->best[die - 1][i][side] = side;
        for (int i = 0; i < DICE_FACES; i++)
            after.by[die - 1][i] = side;
        try_moves(work, side, at, die, &after);
    }
    return after;
}

/* Write the rolls that a side needs: one more than after each roll. */
static void add_side(BearoffTable *table, BearoffWork *work, uint16_t side, const AfterDice *after)
{
    const RollsNeeded *const last = table->needed + side - 1;
    RollsNeeded *const needed = table->needed + side;
    double sums[MAX_ROLLS_NEEDED] = {0}, mean = 0; /* after the first roll */
    *needed = (RollsNeeded){last->start + (uint32_t)(last->most - last->fewest), MAX_ROLLS_NEEDED, 0};
    for (int high = 0; high < DICE_FACES; high++) {
        for (int low = 0; low <= high; low++) {
            const int weight = high == low ? 1 : 2;
            uint16_t best = after->by[high][low];
            keep_better(work, &best, after->by[low][high]);
            const RollsNeeded *const then = table->needed + best;
            for (int rolls = 0; rolls < then->most; rolls++)
                sums[rolls] += weight * chance_of_more(table, then, rolls);
            mean += weight * work->means[best];
            needed->fewest = then->fewest < needed->fewest ? then->fewest : needed->fewest;
            needed->most = then->most > needed->most ? then->most : needed->most;
        }
    }
    for (int rolls = needed->fewest; rolls < needed->most; rolls++)
        table->chances[needed->start + (uint32_t)(rolls - needed->fewest)] = (float)(sums[rolls] / 36);
    needed->fewest++;
    needed->most++;
    work->means[side] = 1 + mean / 36;
}

/* Solve a table, in some 50 ms. The work need not be initialized, and is not needed afterwards. */
static void solve_bearoffs(BearoffTable *table, BearoffWork *work)
{
    int8_t at[HOME_POINTS + 1] = {MAX_LEFT};
    memset(work, 0, sizeof *work);
    table->needed[0] = (RollsNeeded){0, 0, 0};
    for (int side = 1; side < SIDES_AT_HOME; side++) {
        turn_to_next_side(at);
        const AfterDice after = choose_moves(work, (uint16_t)side, at);
        add_side(table, work, (uint16_t)side, &after);
    }
}

/* --- boards --------------------------------------------------------------------------------------------------------------- */

/* Whether the opponent has all checkers at home and has borne off some. No other board is in the table, or leads to a board in
 * the table by the next roll. */
static bool is_near_bearoff(const Row *row)
{
    return row->theirs && row->theirs <= MAX_LEFT && !(below_zero(row->slots) & OUTSIDE);
}

/* Whether a board is in the table: this is so for both sides. */
static bool is_bearoff(const Row *row)
{
    const uint32_t home = BIT(HOME_POINTS + 1) - BIT(1);
    return is_near_bearoff(row) && row->mine && row->mine <= MAX_LEFT && !(more_than(0, row->slots) & ~home);
}

/* The chance that the player on roll wins: that they need no more rolls than the opponent. */
static double win_of_bearoff(const BearoffTable *table, const Row *row)
{
    int8_t at[HOME_POINTS + 1] = {0};
    double win = 0;
    for (int point = 1; point <= HOME_POINTS; point++)
        at[point] = (int8_t)-row->at[BAR - point];
    const RollsNeeded *const mine = table->needed + number_of_side(row->at);
    const RollsNeeded *const theirs = table->needed + number_of_side(at);
    for (int rolls = mine->fewest; rolls <= mine->most; rolls++) {
        const double last_roll = chance_of_more(table, mine, rolls - 1) - chance_of_more(table, mine, rolls);
        win += last_roll * chance_of_more(table, theirs, rolls - 1);
    }
    return win;
}
