/* Races in which no gammon is possible: how many rolls each side needs, and the chance of winning that follows.
 *
 * Both sides play for the fewest rolls on average, as in bearoff/_solve_one_sided.py; tests/bearoff/test_bearoffs_in_c.py
 * compares the tables. A table has all sides whose checkers are at home. The rolls of a side with checkers outside follow
 * from the table when a board is judged.
 *
 * This file is included after _game.c, and has no state: the host owns the table. No file contains the table; the host
 * solves it when a board first needs it. The same sums are made in the same order on every machine, so the table is the
 * same wherever floats are not contracted.
 */

enum {
    HOME_POINTS = 6,
    DICE_FACES = 6,
    MAX_LEFT = MAX_CHECKERS - 1, /* checkers of a side that has borne off one, so that it loses no gammon */
    SIDES_AT_HOME = 38760,        /* C(MAX_LEFT + HOME_POINTS, HOME_POINTS): how so many checkers or fewer can be at home */
    ROLL_CHANCES = 422997,        /* of all these sides */
    MAX_ROLLS_AT_HOME = 28,       /* 21 every time, with all checkers on point 6 */
    MAX_POINT = 23,               /* without contact, and with an opponent on the board */
    MAX_PIPS_OUTSIDE = 34,        /* beyond point 6, of all checkers of a side: two on point 23 */
    MAX_ROLLS_NEEDED = 40,        /* 12 more, by 21 every time */
    OUTSIDE_PAIRS = 255           /* of points up to 23, one of which is outside */
};

/* How few and how many rolls a side at home may need. Its chances begin at `start`. */
typedef struct {
    uint32_t start;
    uint8_t fewest, most;
} TableEntry;

/* Sides have the numbers of bearoff/_layouts.py: every move leads to a lower number. */
typedef struct {
    double means[SIDES_AT_HOME];
    TableEntry entries[SIDES_AT_HOME];
    float chances[ROLL_CHANCES];
    uint16_t best[DICE_FACES][3][SIDES_AT_HOME]; /* after one, two and three moves by each die, made as well as possible */
} BearoffTable;

/* The rolls that a side needs: `mean` on average, never fewer than `fewest`, and never more than `most`. `more` has the
 * chances that the side needs more than `fewest` rolls, more than one roll more, and so on. */
typedef struct {
    double mean;
    const float *more;
    int fewest, most;
} RollsNeeded;

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

/* --- rolls ---------------------------------------------------------------------------------------------------------------- */

static RollsNeeded rolls_of_home(const BearoffTable *table, uint16_t side)
{
    const TableEntry *const entry = table->entries + side;
    return (RollsNeeded){table->means[side], table->chances + entry->start, entry->fewest, entry->most};
}

/* The chance that a side needs more rolls than these. */
static double chance_of_more(const RollsNeeded *needed, int rolls)
{
    if (rolls < needed->fewest)
        return 1;
    return rolls < needed->most ? needed->more[rolls - needed->fewest] : 0;
}

/* The sums over the 36 rolls of two dice of what a side needs after the roll. */
typedef struct {
    double mean, more[MAX_ROLLS_NEEDED];
    int fewest, most;
} RollSums;

static void add_roll(RollSums *sums, const RollsNeeded *after, int weight)
{
    for (int rolls = 0; rolls < after->most; rolls++)
        sums->more[rolls] += weight * chance_of_more(after, rolls);
    sums->mean += weight * after->mean;
    sums->fewest = after->fewest < sums->fewest ? after->fewest : sums->fewest;
    sums->most = after->most > sums->most ? after->most : sums->most;
}

/* The rolls that a side needs before the roll: one more than after it. `more` has room for the chances. */
static RollsNeeded rolls_before(const RollSums *sums, float *more)
{
    for (int rolls = sums->fewest; rolls < sums->most; rolls++)
        more[rolls - sums->fewest] = (float)(sums->more[rolls] / 36);
    return (RollsNeeded){1 + sums->mean / 36, more, sums->fewest + 1, sums->most + 1};
}

/* --- solving -------------------------------------------------------------------------------------------------------------- */

/* The sides to which two dice in this order lead if they are played as well as possible; two equal dice are four moves. */
typedef struct {
    uint16_t by[DICE_FACES][DICE_FACES];
} AfterDice;

static void keep_better(const BearoffTable *table, uint16_t *best, uint16_t side)
{
    if (table->means[side] < table->means[*best])
        *best = side;
}

/* Try the moves of a side by one die, each followed by the best moves by the other die. */
static void try_moves(BearoffTable *table, uint16_t side, const int8_t *at, int die, AfterDice *after)
{
    uint16_t(*const alike)[SIDES_AT_HOME] = table->best[die - 1];
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
        keep_better(table, alike[0] + side, next);
        keep_better(table, alike[1] + side, alike[0][next]);
        keep_better(table, alike[2] + side, alike[1][next]);
        for (int other = 1; other <= DICE_FACES; other++) {
            const uint16_t then = other == die ? alike[2][next] : table->best[other - 1][0][next];
            keep_better(table, &after->by[die - 1][other - 1], then);
        }
    }
}

/* Choose among all moves of a side. The side has no mean yet; until then it counts as the worst, so every move is better. */
static AfterDice choose_moves(BearoffTable *table, uint16_t side, const int8_t *at)
{
    AfterDice after;
    table->means[side] = MAX_ROLLS_AT_HOME + 1;
    for (int die = 1; die <= DICE_FACES; die++) {
        for (int i = 0; i < 3; i++)
            table->best[die - 1][i][side] = side;
        for (int i = 0; i < DICE_FACES; i++)
            after.by[die - 1][i] = side;
        try_moves(table, side, at, die, &after);
    }
    return after;
}

/* Write the rolls that a side needs. */
static void add_side(BearoffTable *table, uint16_t side, const AfterDice *after)
{
    const TableEntry *const last = table->entries + side - 1;
    const uint32_t start = last->start + (uint32_t)(last->most - last->fewest);
    RollSums sums = {.fewest = MAX_ROLLS_AT_HOME};
    for (int high = 0; high < DICE_FACES; high++) {
        for (int low = 0; low <= high; low++) {
            uint16_t best = after->by[high][low];
            keep_better(table, &best, after->by[low][high]);
            const RollsNeeded needed = rolls_of_home(table, best);
            add_roll(&sums, &needed, high == low ? 1 : 2);
        }
    }
    const RollsNeeded needed = rolls_before(&sums, table->chances + start);
    table->means[side] = needed.mean;
    table->entries[side].start = start; /* one by one, so that the bytes between entries stay 0 */
    table->entries[side].fewest = (uint8_t)needed.fewest;
    table->entries[side].most = (uint8_t)needed.most;
}

/* Solve a table, in some 50 ms. The memory need not be initialized. */
static void solve_bearoffs(BearoffTable *table)
{
    int8_t at[HOME_POINTS + 1] = {MAX_LEFT};
    memset(table, 0, sizeof *table);
    for (int side = 1; side < SIDES_AT_HOME; side++) {
        turn_to_next_side(at);
        const AfterDice after = choose_moves(table, (uint16_t)side, at);
        add_side(table, (uint16_t)side, &after);
    }
}

/* --- checkers outside ------------------------------------------------------------------------------------------------------ */

/* A side with one or two checkers outside, the rear one and another, which move until they are at home. The other checkers stay
 * where they are until then. By the points of both checkers, of which the other is on 0 if there is none: the number of the
 * side if both are at home, else SIDES_AT_HOME and the index of what it needs. */
typedef struct {
    uint16_t numbers[MAX_POINT + 1][MAX_POINT + 1];
    RollsNeeded needed[OUTSIDE_PAIRS];
    float more[OUTSIDE_PAIRS][MAX_ROLLS_NEEDED];
    int pairs;
} Stragglers;

static double mean_of(const BearoffTable *table, const Stragglers *stragglers, uint16_t number)
{
    return number < SIDES_AT_HOME ? table->means[number] : stragglers->needed[number - SIDES_AT_HOME].mean;
}

static RollsNeeded rolls_of(const BearoffTable *table, const Stragglers *stragglers, uint16_t number)
{
    return number < SIDES_AT_HOME ? rolls_of_home(table, number) : stragglers->needed[number - SIDES_AT_HOME];
}

static uint16_t better_of(const BearoffTable *table, const Stragglers *stragglers, uint16_t number, uint16_t other)
{
    return mean_of(table, stragglers, other) < mean_of(table, stragglers, number) ? other : number;
}

/* Moves that are left: the first by `die`, all further ones by `next`. */
typedef struct {
    int count, die, next;
} MovesLeft;

/* The number of the side after these moves, if they are made as well as possible. */
static uint16_t best_after(const BearoffTable *table, const Stragglers *stragglers, int rear, int other, MovesLeft left)
{
    if (rear < other)
        return best_after(table, stragglers, other, rear, left);
    const uint16_t number = stragglers->numbers[rear][other];
    if (!left.count)
        return number;
    if (rear <= HOME_POINTS)
        return table->best[left.die - 1][left.count - 1][number];
    const MovesLeft then = {left.count - 1, left.next, left.next};
    const uint16_t by_rear = best_after(table, stragglers, rear - left.die, other, then);
    if (other <= HOME_POINTS)
        return by_rear;
    return better_of(table, stragglers, by_rear, best_after(table, stragglers, rear, other - left.die, then));
}

/* Write the rolls needed before a roll from those after it. */
static void add_pair(const BearoffTable *table, Stragglers *stragglers, int rear, int other)
{
    RollSums sums = {.fewest = MAX_ROLLS_NEEDED};
    for (int high = 1; high <= DICE_FACES; high++) {
        for (int low = 1; low <= high; low++) {
            const MovesLeft high_first = {high == low ? 4 : 2, high, low}, low_first = {2, low, high};
            uint16_t best = best_after(table, stragglers, rear, other, high_first);
            if (high != low)
                best = better_of(table, stragglers, best, best_after(table, stragglers, rear, other, low_first));
            const RollsNeeded after = rolls_of(table, stragglers, best);
            add_roll(&sums, &after, high == low ? 1 : 2);
        }
    }
    stragglers->needed[stragglers->pairs] = rolls_before(&sums, stragglers->more[stragglers->pairs]);
    stragglers->numbers[rear][other] = (uint16_t)(SIDES_AT_HOME + stragglers->pairs);
    stragglers->pairs++;
}

/* Add all pairs of points up to these. `home` has the checkers that stay. */
static void add_pairs(const BearoffTable *table, Stragglers *stragglers, int8_t *home, int rear, int other)
{
    stragglers->pairs = 0;
    for (int high = 1; high <= rear; high++) {
        for (int low = other ? 1 : 0; low <= high && low <= other; low++) {
            if (high > HOME_POINTS) {
                add_pair(table, stragglers, high, low);
                continue;
            }
            home[high]++;
            home[low]++;
            stragglers->numbers[high][low] = number_of_side(home);
            home[high]--;
            home[low]--;
        }
    }
}

static int pips_outside(const int8_t *at)
{
    int pips = 0;
    for (int point = HOME_POINTS + 1; point <= MAX_POINT; point++)
        pips += at[point] * (point - HOME_POINTS);
    return pips;
}

static int highest_point(const int8_t *at)
{
    int point = MAX_POINT;
    while (!at[point])
        point--;
    return point;
}

/* The rolls of a side with checkers outside. Of more than two, two have the pips of all, and the others count as on point 6.
 * `more` has room for the chances. */
static RollsNeeded rolls_of_side(const BearoffTable *table, const int8_t *at, float *more)
{
    Stragglers stragglers;
    int8_t home[MAX_POINT + 1];
    const int pips = pips_outside(at);
    memcpy(home, at, sizeof home);
    int rear = highest_point(home), other = 0;
    home[rear]--;
    if (pips > rear - HOME_POINTS) {
        home[highest_point(home)]--;
        other = pips + 2 * HOME_POINTS - rear;
    }
    if (other > rear) {
        rear = HOME_POINTS + (pips + 1) / 2;
        other = HOME_POINTS + pips / 2;
    }
    for (int point = HOME_POINTS + 1; point <= MAX_POINT; point++)
        home[HOME_POINTS] = (int8_t)(home[HOME_POINTS] + home[point]);
    add_pairs(table, &stragglers, home, rear, other);
    RollsNeeded needed = rolls_of(table, &stragglers, stragglers.numbers[rear][other]);
    memcpy(more, needed.more, (size_t)(needed.most - needed.fewest) * sizeof *more);
    needed.more = more;
    return needed;
}

/* Sides with checkers outside whose rolls are known, by player: on roll, and waiting. Boards that are judged one after the other
 * share most of their sides, and the rolls of a side may take 3 ms. A host zeroes it before the first board. */
enum { KNOWN_SIDES = 1024 };
typedef struct {
    struct {
        int8_t at[BAR];
        RollsNeeded needed;
        float more[MAX_ROLLS_NEEDED];
    } sides[2][KNOWN_SIDES];
} KnownSides;

static RollsNeeded known_rolls(const BearoffTable *table, KnownSides *known, int player, const int8_t *at)
{
    uint32_t hash = 0;
    if (!pips_outside(at))
        return rolls_of_home(table, number_of_side(at));
    for (int point = 1; point <= MAX_POINT; point++)
        hash = hash * 31 + (uint32_t)at[point];
    const uint32_t place = (hash ^ hash >> 16) % KNOWN_SIDES;
    if (memcmp(known->sides[player][place].at, at, BAR)) {
        memcpy(known->sides[player][place].at, at, BAR);
        known->sides[player][place].needed = rolls_of_side(table, at, known->sides[player][place].more);
    }
    return known->sides[player][place].needed;
}

/* --- boards --------------------------------------------------------------------------------------------------------------- */

/* Whether the opponent has borne off some checkers. No other board is judged by the table, or leads by the next roll to a board
 * that is. */
static bool is_near_bearoff(const Row *row)
{
    return row->theirs && row->theirs <= MAX_LEFT;
}

/* The checkers of the opponent, by points of theirs. */
static void read_opponent(const Row *row, int8_t *at)
{
    at[0] = 0;
    for (int point = 1; point < BAR; point++)
        at[point] = (int8_t)(row->at[BAR - point] < 0 ? -row->at[BAR - point] : 0);
}

static void read_player(const Row *row, int8_t *at)
{
    at[0] = 0;
    for (int point = 1; point < BAR; point++)
        at[point] = (int8_t)(row->at[point] > 0 ? row->at[point] : 0);
}

/* Whether the table judges a board: a race in which both sides have borne off some checkers, and have few pips outside. */
static bool is_bearoff(const Row *row)
{
    int8_t mine[BAR], theirs[BAR];
    const uint32_t own = more_than(0, row->slots), opposing = below_zero(row->slots);
    if (!is_near_bearoff(row) || !row->mine || row->mine > MAX_LEFT || own >= (opposing & -opposing))
        return false;
    read_player(row, mine);
    read_opponent(row, theirs);
    return pips_outside(mine) <= MAX_PIPS_OUTSIDE && pips_outside(theirs) <= MAX_PIPS_OUTSIDE;
}

/* The chance that the player on roll wins: that they need no more rolls than the opponent. */
static double win_of_bearoff(const BearoffTable *table, KnownSides *known, const Row *row)
{
    int8_t at[BAR];
    double win = 0;
    read_player(row, at);
    const RollsNeeded mine = known_rolls(table, known, 0, at);
    read_opponent(row, at);
    const RollsNeeded theirs = known_rolls(table, known, 1, at);
    for (int rolls = mine.fewest; rolls <= mine.most; rolls++) {
        const double last_roll = chance_of_more(&mine, rolls - 1) - chance_of_more(&mine, rolls);
        win += last_roll * chance_of_more(&theirs, rolls - 1);
    }
    return win;
}
