/* Choosing plays: the networks judge boards after a play, as the opponent on roll sees them, so the least points are the best play. */

enum { MAX_KEPT = 16, START_TURNS = 14 };

/* The networks that choose, and how many plays they look at. With no pruning they look at all. */
typedef struct {
    float *numbers;
    int keep;     /* plays that pruning leaves at most; 0: all */
    float margin; /* points by which a play may seem worse than the best to be looked at */
} Chooser;

/* All legal plays of a roll, with memory of a thread. */
typedef struct {
    size_t count;
    int8_t boards[SLOTS * MAX_PLAYS + SLACK];
    EndChances chances[MAX_PLAYS];
    float points[MAX_PLAYS];
    bool is_judged[MAX_PLAYS];
} Plays;

static void find_plays(const int8_t *at, int high, int low, Plays *plays)
{
    Board board;
    Sink sink = {.boards = plays->boards, .capacity = MAX_PLAYS};
    read_board(at, &board);
    enumerate(&board, high, low, &sink);
    plays->count = sink.count;
}

/* The sums of the first board of each class, from which those of the boards like it are found. */
typedef struct {
    bool is_there[CLASSES];
    float inputs[CLASSES][INPUT_ROWS], sums[CLASSES][MAX_UNITS];
} FirstOfClass;

static EndChances judge_board(float *numbers, const int8_t *at, FirstOfClass *first)
{
    float inputs[INPUT_ROWS], differences[INPUT_ROWS], units[MAX_UNITS], sums[ENDS_WIDE];
    EndChances chances;
    Inputs kept;
    Row row;
    read_single(at, &row);
    if (find_exact_ends(&row, &chances))
        return chances;
    const Kind kind = class_of(&row);
    const Layers layers = layers_at(numbers + start_of(kind), kind);
    write_all_inputs(&row, inputs);
    if (first->is_there[kind]) {
        for (int i = 0; i < INPUT_ROWS; i++)
            differences[i] = inputs[i] - first->inputs[kind][i];
        keep_inputs(differences, &kept);
        add_inputs(&layers, &kept, first->sums[kind], units);
    } else {
        keep_inputs(inputs, &kept);
        add_inputs(&layers, &kept, layers.first_bias, units);
        memcpy(first->inputs[kind], inputs, sizeof inputs);
        memcpy(first->sums[kind], units, sizeof(float) * (size_t)layers.units);
        first->is_there[kind] = true;
    }
    add_units(&layers, units, sums);
    return share_ends(&row, sums);
}

/* The plays that may be best by the networks for pruning, the best first. A play that ends the game counts as best. */
static size_t prune_plays(const Chooser *chooser, const Plays *plays, size_t *kept)
{
    const int8_t *first[CLASSES] = {0};
    float sums_of_first[CLASSES][PRUNING_UNITS], sums[PRUNING_UNITS], top[MAX_KEPT];
    size_t count = 0, within = 1;
    for (size_t play = 0; play < plays->count; play++) {
        const int8_t *const at = plays->boards + SLOTS * play;
        float points = -9;
        Row row;
        read_single(at, &row);
        if (row.mine && row.theirs) {
            const Kind kind = class_of(&row);
            const Pruning layers = pruning_at(chooser->numbers + start_of(kind + CLASSES));
            if (!first[kind]) {
                first[kind] = at;
                add_places(&layers, at, sums_of_first[kind]);
            }
            add_differences(&layers, at, first[kind], sums_of_first[kind], sums);
            points = points_of_pruning(&layers, sums);
        }
        if (count == (size_t)chooser->keep && points >= top[count - 1])
            continue;
        size_t place = count < (size_t)chooser->keep ? count++ : count - 1;
        for (; place > 0 && top[place - 1] > points; place--) {
            top[place] = top[place - 1];
            kept[place] = kept[place - 1];
        }
        top[place] = points;
        kept[place] = play;
    }
    while (within < count && top[within] < top[0] + chooser->margin)
        within++;
    return within;
}

/* Judge the plays that deserve a look. Returns the best one. */
static size_t judge_plays(const Chooser *chooser, Plays *plays)
{
    size_t kept[MAX_KEPT], looks = plays->count, best = 0;
    FirstOfClass first = {.is_there = {false}};
    const bool is_pruned = chooser->keep && plays->count > (size_t)chooser->keep + 1;
    float least = 9;
    if (is_pruned)
        looks = prune_plays(chooser, plays, kept);
    memset(plays->is_judged, !is_pruned, plays->count);
    for (size_t i = 0; i < looks; i++) {
        const size_t play = is_pruned ? kept[i] : i;
        plays->chances[play] = judge_board(chooser->numbers, plays->boards + SLOTS * play, &first);
        plays->points[play] = points_of(&plays->chances[play]);
        plays->is_judged[play] = true;
        if (plays->points[play] < least) {
            least = plays->points[play];
            best = play;
        }
    }
    return best;
}

/* The chances of the player on roll: of the networks, or after each of the 21 rolls if `rolls` is 1, and so on. */
static EndChances judge_ahead(const Chooser *chooser, const int8_t *at, int rolls)
{
    static _Thread_local Plays plays_of[3];
    Plays *const plays = &plays_of[rolls];
    FirstOfClass first = {.is_there = {false}};
    EndChances chances;
    Row row;
    read_single(at, &row);
    if (!rolls || find_exact_ends(&row, &chances))
        return judge_board(chooser->numbers, at, &first);
    double sums[ENDS] = {0};
    for (int high = 1; high <= 6; high++) {
        for (int low = 1; low <= high; low++) {
            find_plays(at, high, low, plays);
            const size_t best = judge_plays(chooser, plays);
            const EndChances theirs =
                rolls == 1 ? plays->chances[best] : judge_ahead(chooser, plays->boards + SLOTS * best, rolls - 1);
            for (int end = 0; end < ENDS; end++)
                sums[end] += (high == low ? 1 : 2) * (double)theirs.of[ENDS - 1 - end];
        }
    }
    for (int end = 0; end < ENDS; end++)
        chances.of[end] = (float)(sums[end] / 36);
    return chances;
}

/* --- games ------------------------------------------------------------------------------------------------------------------ */

typedef struct {
    int high, low;
} Throw;

static Throw throw_dice(uint64_t *random)
{
    const int a = 1 + random_below(random, 6), b = 1 + random_below(random, 6);
    return a > b ? (Throw){a, b} : (Throw){b, a};
}

static const int8_t START[SLOTS] = {0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0};

/* Put checkers of a side on a place or, where the other side is, on the next free one below it. */
static void put_checkers(int8_t *at, bool is_mine, int place, int count)
{
    for (int tries = 0; tries < 24; tries++, place = place > 1 ? place - 1 : 24) {
        int8_t *const there = at + (is_mine ? place : BAR - place);
        if (is_mine ? *there < 0 : *there > 0)
            continue;
        *there = (int8_t)(*there + (is_mine ? count : -count));
        return;
    }
}

/* A side in a position that is rare in good play: a back game, a prime with checkers behind the other's, or a crashed board. */
static void set_up_side(int8_t *at, bool is_mine, uint64_t *random)
{
    const int form = random_below(random, 4);
    int left = MAX_CHECKERS;
    if (form == 0) { /* two anchors and more */
        const int anchor = 19 + random_below(random, 5);
        put_checkers(at, is_mine, anchor + 1, 2);
        put_checkers(at, is_mine, anchor - random_below(random, 3), 2);
        left -= 4;
    }
    if (form == 1) { /* a prime of four or five, and up to three checkers behind */
        const int length = 4 + random_below(random, 2), lowest_point = 2 + random_below(random, 5);
        for (int point = lowest_point; point < lowest_point + length; point++)
            put_checkers(at, is_mine, point, 2);
        left -= 2 * length;
        for (int back = random_below(random, 4); back > 0; back--, left--)
            put_checkers(at, is_mine, 20 + random_below(random, 5), 1);
    }
    if (form == 2) { /* many on the lowest points, one to three far behind */
        for (int buried = 6 + random_below(random, 4); buried > 0; buried--, left--)
            put_checkers(at, is_mine, 1 + random_below(random, 4), 1);
        for (int back = 1 + random_below(random, 3); back > 0; back--, left--)
            put_checkers(at, is_mine, 18 + random_below(random, 7), 1);
    }
    while (left > 0) {
        const int count = left > 1 && random_below(random, 3) ? 2 : 1;
        put_checkers(at, is_mine, 1 + random_below(random, random_below(random, 3) ? 13 : 24), count);
        left -= count;
    }
}

static void set_up_rare_board(int8_t *at, uint64_t *random)
{
    memset(at, 0, SLOTS);
    set_up_side(at, true, random);
    set_up_side(at, false, random);
}

/* Where a game begins, and how many of its first plays are random. */
static int begin_game(int8_t *at, double rare_share, uint64_t *random)
{
    memcpy(at, START, SLOTS);
    if (random_share(random) < rare_share) {
        set_up_rare_board(at, random);
        return 0;
    }
    return random_below(random, 4) == 0 ? random_below(random, START_TURNS) : 0;
}

/* A play that is not the best, and loses less than a margin; the best if there is none. */
static size_t pick_other_play(const Plays *plays, size_t best, float margin, uint64_t *random)
{
    size_t picked = best;
    int found = 0;
    for (size_t play = 0; play < plays->count; play++) {
        if (play == best || !plays->is_judged[play] || plays->points[play] >= plays->points[best] + margin)
            continue;
        if (random_below(random, ++found) == 0)
            picked = play;
    }
    return picked;
}
