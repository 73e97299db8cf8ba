/* Exact chances of bear-offs: for each layout of up to 15 checkers at home, the probability of each number of rolls. Both sides
 * play for the fewest rolls on average, so the chance of winning is wrong by .0009 on average with up to six checkers a side. */

#ifndef BEAROFF_CHECKERS
#define BEAROFF_CHECKERS 15 /* fewer for tests, which begin sooner */
#endif
#define MORE_BY(n) (BEAROFF_CHECKERS + (n))
enum {
    HOME = 6,
    LAYOUTS = MORE_BY(1) * MORE_BY(2) * MORE_BY(3) * MORE_BY(4) * MORE_BY(5) * MORE_BY(6) / 720,
    MAX_ROLLS = 32
};

typedef struct {
    float after[LAYOUTS][MAX_ROLLS]; /* the probability that a side is finished after so many rolls, neither before nor later */
    float lasts[LAYOUTS][MAX_ROLLS]; /* the probability that it needs at least so many rolls */
    double mean[LAYOUTS];
} Bearoffs;

static Bearoffs bearoffs;
static int combinations[24][8];

static void count_combinations(void)
{
    for (int n = 0; n < 24; n++) {
        for (int k = 0; k < 8; k++)
            combinations[n][k] = k == 0 ? 1 : n == 0 ? 0 : combinations[n - 1][k - 1] + combinations[n - 1][k];
    }
}

/* The number of a layout; counts[1] to counts[6] are the checkers on these points. */
static int layout_number(const int8_t *counts)
{
    int number = 0, left = BEAROFF_CHECKERS;
    for (int point = HOME; point >= 1; point--) {
        for (int k = 0; k < counts[point]; k++)
            number += combinations[left - k + point - 1][point - 1];
        left -= counts[point];
    }
    return number;
}

static void read_layout(int number, int8_t *counts)
{
    int left = BEAROFF_CHECKERS;
    memset(counts, 0, 8);
    for (int point = HOME; point >= 1; point--) {
        while (number >= combinations[left - counts[point] + point - 1][point - 1]) {
            number -= combinations[left - counts[point] + point - 1][point - 1];
            counts[point]++;
        }
        left -= counts[point];
    }
}

static int pips_of_layout(const int8_t *counts)
{
    int pips = 0;
    for (int point = 1; point <= HOME; point++)
        pips += point * counts[point];
    return pips;
}

/* The layout with the fewest rolls on average after these dice, in this order. The moves of a doublet commute, so that none is made
 * from a higher point than the one before it. */
static void find_best_layout(const int8_t *counts, const int *dice, int left, int highest, int *best)
{
    int rear = HOME;
    while (rear && !counts[rear])
        rear--;
    if (!left || !rear) {
        const int number = layout_number(counts);
        if (*best < 0 || bearoffs.mean[number] < bearoffs.mean[*best])
            *best = number;
        return;
    }
    for (int from = rear < highest ? rear : highest; from >= 1; from--) {
        if (!counts[from] || (from < dice[0] && from != rear))
            continue;
        int8_t after[8];
        memcpy(after, counts, sizeof after);
        after[from]--;
        if (from > dice[0])
            after[from - dice[0]]++;
        find_best_layout(after, dice + 1, left - 1, left > 1 && dice[0] == dice[1] ? from : HOME, best);
    }
}

static void solve_layout(int number)
{
    int8_t counts[8];
    float *const after = bearoffs.after[number];
    read_layout(number, counts);
    for (int high = 1; high <= 6; high++) {
        for (int low = 1; low <= high; low++) {
            const int dice[] = {high, low, high, low};
            int best = -1;
            find_best_layout(counts, dice, high == low ? 4 : 2, HOME, &best);
            if (high != low)
                find_best_layout(counts, dice + 1, 2, HOME, &best);
            for (int rolls = 0; rolls + 1 < MAX_ROLLS; rolls++)
                after[rolls + 1] += (high == low ? 1 : 2) / 36.0f * bearoffs.after[best][rolls];
        }
    }
    for (int rolls = 0; rolls < MAX_ROLLS; rolls++)
        bearoffs.mean[number] += rolls * after[rolls];
}

/* All layouts, those with the fewest pips first, since every move leads to fewer pips. */
static void solve_layouts(void)
{
    bearoffs.after[0][0] = 1;
    for (int pips = 1; pips <= HOME * BEAROFF_CHECKERS; pips++) {
        for (int number = 0; number < LAYOUTS; number++) {
            int8_t counts[8];
            read_layout(number, counts);
            if (pips_of_layout(counts) == pips)
                solve_layout(number);
        }
    }
    for (int number = 0; number < LAYOUTS; number++) {
        float sum = 0;
        for (int rolls = MAX_ROLLS - 1; rolls >= 0; rolls--) {
            sum += bearoffs.after[number][rolls];
            bearoffs.lasts[number][rolls] = sum;
        }
    }
}

/* The chance of winning of the player on roll. False if the table does not know it: a checker is not at home, or a gammon is
 * possible. A side with nine checkers or more needs three rolls or more, and in three rolls hardly anyone bears off nothing. */
static bool is_exact_bearoff(const Row *row, float *win)
{
    const uint32_t my_home = BIT(7) - BIT(1), their_home = BIT(25) - BIT(19);
    if (more_than(0, row->slots) & ~my_home || below_zero(row->slots) & ~their_home)
        return false;
    if (row->mine > BEAROFF_CHECKERS || row->theirs > BEAROFF_CHECKERS)
        return false;
    if ((row->mine == MOST_CHECKERS && row->theirs < 9) || (row->theirs == MOST_CHECKERS && row->mine < 9))
        return false;
    int8_t mine[8] = {0}, theirs[8] = {0};
    for (int point = 1; point <= HOME; point++) {
        mine[point] = row->at[point];
        theirs[point] = (int8_t)-row->at[BAR - point];
    }
    const float *const after = bearoffs.after[layout_number(mine)], *const lasts = bearoffs.lasts[layout_number(theirs)];
    *win = 0;
    for (int rolls = 1; rolls < MAX_ROLLS; rolls++)
        *win += after[rolls] * lasts[rolls];
    return true;
}

static void prepare_bearoffs(void)
{
    count_combinations();
    solve_layouts();
}
