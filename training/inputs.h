/* What the networks read from a board: the 229 inputs of the library's own network, 30 more for each side, and 4 of the race. */

enum {
    MORE_SIDE_INPUTS = 30,
    RACE_INPUTS = 4,
    REAL_INPUTS = SEEN + 2 * MORE_SIDE_INPUTS + RACE_INPUTS,
    INPUT_ROWS = (REAL_INPUTS + 15) / 16 * 16 /* with padding, which is 0 */
};

static Network shares_of_rolls; /* only its `hits` and `escapes` are used */
static BearoffTable bearoffs;

/* Solve and count what follows from the rules alone. */
static void prepare_tables(void)
{
    count_rolls(&shares_of_rolls);
    solve_bearoffs(&bearoffs);
}

static inline int count_bits(uint32_t set)
{
    return __builtin_popcount(set);
}

static inline int highest_bit(uint32_t set)
{
    return 31 - __builtin_clz(set);
}

/* --- shots -------------------------------------------------------------------------------------------------------------- */

/* The shots at the blots of a side, in a numbering in which the shooters move up from low places to high ones. */
typedef struct {
    uint32_t blots, open, shooters;
    uint32_t reached[7]; /* the places that one checker reaches with this die; from the bar, if there is a checker */
    int on_bar;
} Shots;

/* The rolls of 36 that hit a blot, that hit two, and the places of the blots that are hit, added up. */
typedef struct {
    int hits, double_hits, places;
} Hits;

static void count_hit(uint32_t hit, bool is_double, int weight, Hits *hits)
{
    hits->hits += hit ? weight : 0;
    hits->double_hits += is_double ? weight : 0;
    hits->places += hit ? weight * highest_bit(hit) : 0;
}

/* The blots that two different dice hit. With a checker on the bar, the first die enters it. */
static uint32_t blots_hit(const Shots *shots, int high, int low, bool *is_double)
{
    const uint32_t *const reached = shots->reached;
    const uint32_t first = reached[high] & shots->blots, second = reached[low] & shots->blots;
    if (shots->on_bar >= 2) {
        *is_double = count_bits(first | second) >= 2;
        return first | second;
    }
    if (shots->on_bar == 1) {
        uint32_t hit = first | second;
        if (reached[high])
            hit |= (shots->shooters << low | reached[high] << low) & shots->blots;
        if (reached[low])
            hit |= (shots->shooters << high | reached[low] << high) & shots->blots;
        *is_double = count_bits(hit) >= 2;
        return hit;
    }
    *is_double = (first && second && count_bits(first | second) >= 2) || ((first << low | second << high) & shots->blots);
    return first | second | ((reached[high] << low | reached[low] << high) & shots->blots);
}

/* The blots that a doublet hits. */
static uint32_t blots_hit_by_doublet(const Shots *shots, int die)
{
    uint32_t at = shots->shooters, hit = 0;
    int moves = MOVES / 2;
    if (shots->on_bar) {
        if (!shots->reached[die])
            return 0;
        hit = shots->reached[die] & shots->blots;
        at |= shots->reached[die];
        moves -= shots->on_bar;
    }
    for (; moves > 0; moves--) {
        at = at << die & shots->open;
        hit |= at & shots->blots;
    }
    return hit;
}

static Hits count_hits(uint32_t blots, uint32_t blocked, uint32_t shooters, int on_bar)
{
    Hits hits = {0};
    Shots shots = {.blots = blots, .open = POINTS & ~blocked, .shooters = shooters, .on_bar = on_bar};
    if (!blots)
        return hits;
    for (int die = 1; die <= 6; die++)
        shots.reached[die] = (on_bar ? 1 : shooters) << die & shots.open;
    for (int high = 1; high <= 6; high++) {
        for (int low = 1; low < high; low++) {
            bool is_double;
            const uint32_t hit = blots_hit(&shots, high, low, &is_double);
            count_hit(hit, is_double, 2, &hits);
        }
        const uint32_t hit = blots_hit_by_doublet(&shots, high);
        count_hit(hit, count_bits(hit) >= 2, 1, &hits);
    }
    return hits;
}

/* --- a side --------------------------------------------------------------------------------------------------------------- */

/* Sums over the checkers of a side, each of which counts by its place. */
typedef struct {
    int to_break;  /* pips to the last checker of the other side, which end the contact */
    int behind;    /* checkers behind it */
    int outside;   /* pips to the home board */
    int buried;    /* checkers on the lowest two points */
    int spare;     /* checkers at home beyond two a point */
    int timing;    /* pips that can be played without breaking a home point */
    int anchor;    /* the lowest place of an anchor, or 0 */
    int blocks;    /* points made from 7 to 11 */
    int places, squares;
} Sums;

static void add_checkers(int place, int count, int last_of_theirs, Sums *sums)
{
    if (place > last_of_theirs) {
        sums->to_break += count * (place - last_of_theirs);
        sums->behind += count;
    }
    if (place > 6)
        sums->outside += count * (place - 6);
    if (place <= 2)
        sums->buried += count;
    if (place <= 6 && count > 2)
        sums->spare += count - 2;
    if (place > 6 && place <= 18)
        sums->timing += count * (place - 6);
    if (place <= 6 && count > 2)
        sums->timing += (count - 2) * (place - 1);
    if (place > 18 && place < BAR && count > 1 && !sums->anchor)
        sums->anchor = place;
    sums->blocks += place > 6 && place < 12 && count > 1;
    sums->places += count * place;
    sums->squares += count * place * place;
}

static Sums add_up_side(const View *mine, const View *theirs)
{
    Sums sums = {0};
    for (int place = 1; place <= BAR; place++) {
        if (mine->at[place] > 0)
            add_checkers(place, mine->at[place], BAR - theirs->facts.rear, &sums);
    }
    return sums;
}

/* The places of the other side's checkers on points, turned into the numbering of this side. */
static uint32_t turn_places(uint32_t places)
{
    uint32_t turned_places = 0;
    for (uint32_t rest = places & POINTS; rest; rest &= rest - 1)
        turned_places |= BIT(BAR - lowest(rest));
    return turned_places;
}

static void write_more_of_side(const View *mine, const View *theirs, float *inputs)
{
    const Side *const facts = &mine->facts;
    const Sums sums = add_up_side(mine, theirs);
    const int off = MAX_CHECKERS - facts->checkers, bar = facts->bar;
    const int home = count_bits(mine->made & 0x7E), their_home = count_bits(theirs->made & 0x7E);
    const float dance = (float)(home * home) / 36, their_dance = (float)(their_home * their_home) / 36;
    const float mean = facts->checkers ? (float)sums.places / (float)facts->checkers : 0;
    const float square = facts->checkers ? (float)sums.squares / (float)facts->checkers : 0;
    const uint32_t blots = mine->places & ~mine->made & POINTS;
    const Hits hits = count_hits(blots, mine->made & POINTS, turn_places(theirs->places), theirs->facts.bar);
    const float shots = (float)hits.hits / 36;
    const float side[MORE_SIDE_INPUTS] = {
        bar >= 1,
        bar >= 2,
        bar >= 3 ? (float)(bar - 2) / 2 : 0,
        off >= 1,
        off >= 5 ? (float)(off - 4) / 5 : 0,
        off >= 10 ? (float)(off - 9) / 5 : 0,
        dance,
        theirs->facts.bar ? dance : 0,
        home >= 5,
        home == 6,
        facts->prime >= 4,
        facts->prime >= 5,
        facts->prime >= 6,
        (float)sums.to_break / 150,
        (float)sums.behind / 8,
        (float)sums.outside / 100,
        (float)sums.buried / 6,
        (float)sums.spare / 6,
        (float)sums.timing / 60,
        sums.anchor ? (float)(BAR - sums.anchor) / 6 : 0,
        sums.anchor && sums.anchor <= 21,
        (float)sums.blocks / 3,
        (square - mean * mean) / 80,
        shots,
        (float)hits.double_hits / 36,
        (float)hits.places / (36 * 24),
        shots * dance,
        shots * their_dance,
        bar ? their_dance : 0,
        bar ? shots : 0,
    };
    memcpy(inputs, side, sizeof side);
}

/* --- a board ---------------------------------------------------------------------------------------------------------------- */

/* The inputs of a board on which the game goes on, seen by the player on roll, and zeros up to INPUT_ROWS. */
static void write_all_inputs(const Row *row, float *inputs)
{
    int8_t turned_row[WIDTH];
    store(turned_row, turned(row->at));
    const View mine = view_of(row->at), theirs = view_of(turned_row);
    const float pips = (float)mine.facts.pips, their_pips = (float)theirs.facts.pips, lead = their_pips - pips;
    memset(inputs + REAL_INPUTS, 0, sizeof *inputs * (INPUT_ROWS - REAL_INPUTS));
    write_seen(&shares_of_rolls, row, inputs);
    inputs += SEEN;
    write_more_of_side(&mine, &theirs, inputs);
    write_more_of_side(&theirs, &mine, inputs + MORE_SIDE_INPUTS);
    inputs += 2 * MORE_SIDE_INPUTS;
    inputs[0] = lead / 60;
    inputs[1] = lead / (pips + their_pips + 10) * 3;
    inputs[2] = lead > 0 ? lead / 60 : 0;
    inputs[3] = pips + their_pips < 120 ? (120 - pips - their_pips) / 60 : 0;
}
