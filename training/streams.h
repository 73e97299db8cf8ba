/* The samples of a lesson. Sixteen streams collect them. Each stream has random numbers and a list of its own; the lists are put together in order. */

enum { MAX_TURNS = 300, DEEP_KEEP = 8 };
static const float TRACE = 0.7f, EXPLORED_SHARE = 0.05f, MARGIN = 0.25f, DEEP_MARGIN = 0.3f;

/* The role of a record. */
typedef enum { BEST_PLAY, NEAR_PLAY, ANY_PLAY, OWN_BEAROFF, RANDOM_BEAROFF, BEFORE_ROLL, FIRST_OF_GROUP, NEXT_OF_GROUP } Role;

typedef struct {
    const StageOptions *stage;
    uint64_t seeds[STREAMS];
    Samples lists[STREAMS];
    int64_t games[STREAMS];
} Streams;

static Chooser chooser_of(int keep, float margin)
{
    return (Chooser){state.numbers, state.has_pruning ? keep : 0, margin};
}

static int share_of_stream(const StageOptions *stage, int stream)
{
    const int size = (int)stage->values[SIZE];
    return size * (stream + 1) / STREAMS - size * stream / STREAMS;
}

static bool is_exact(const int8_t *at)
{
    EndChances chances;
    Row row;
    read_single(at, &row);
    return find_exact_ends(&row, &chances);
}

static bool is_over(const int8_t *at)
{
    Row row;
    read_single(at, &row);
    return !row.mine || !row.theirs;
}

/* --- TD(0.7) ------------------------------------------------------------------------------------------------------------------ */

/* A turn of a game: the board before it, the chances after the best play, and whether another play was made. */
typedef struct {
    int8_t at[SLOTS];
    EndChances chances;
    bool is_cut;
} Turn;

/* Play a game against itself, until its end is known. Returns the number of turns to learn; 0 if it did not end or ended too early. */
static int play_game(const Chooser *chooser, double rare, Plays *plays, Turn *turns, uint64_t *random)
{
    int8_t at[SLOTS];
    const int random_turns = begin_game(at, rare, random);
    int count = 0;
    for (int turn = 0; turn < MAX_TURNS; turn++) {
        Throw dice = throw_dice(random);
        while (turn == 0 && dice.high == dice.low)
            dice = throw_dice(random);
        find_plays(at, dice.high, dice.low, plays);
        size_t chosen = (size_t)random_below(random, (int)plays->count);
        if (turn >= random_turns) {
            chosen = judge_plays(chooser, plays);
            Turn *const made = &turns[count++];
            memcpy(made->at, at, SLOTS);
            made->chances = flip_ends(&plays->chances[chosen]);
            made->is_cut = plays->count > 1 && random_share(random) < EXPLORED_SHARE;
            if (made->is_cut)
                chosen = pick_other_play(plays, chosen, 0.15f * (float)random_share(random), random);
        }
        memcpy(at, plays->boards + SLOTS * chosen, SLOTS);
        if (is_exact(at))
            return count;
    }
    return 0;
}

/* Teach each board its λ-return: a mean of what was thought of the later boards, and of the end. */
static void add_returns(const Turn *turns, int count, Samples *list)
{
    EndChances target;
    for (int i = count - 1; i >= 0; i--) {
        const EndChances *const own = &turns[i].chances;
        if (i == count - 1 || turns[i].is_cut) {
            target = *own;
        } else {
            const EndChances later = flip_ends(&target);
            for (int end = 0; end < ENDS; end++)
                target.of[end] = (1 - TRACE) * own->of[end] + TRACE * later.of[end];
        }
        add_sample(list, turns[i].at, BEST_PLAY, &target);
    }
}

static void play_games(void *argument, int stream)
{
    static _Thread_local Plays plays;
    static _Thread_local Turn turns[MAX_TURNS];
    Streams *const streams = argument;
    const Chooser chooser = chooser_of(6, MARGIN);
    for (int game = share_of_stream(streams->stage, stream); game > 0; game--) {
        const int count = play_game(&chooser, streams->stage->values[RARE], &plays, turns, &streams->seeds[stream]);
        add_returns(turns, count, &streams->lists[stream]);
        streams->games[stream]++;
    }
}

/* --- plays for the pruning networks ----------------------------------------------------------------------------------------------- */

/* All plays near the best one, and a third of those that lose more, up to half a point. */
static void add_plays(const Plays *plays, size_t best, Samples *list, uint64_t *random)
{
    for (size_t play = 0; play < plays->count; play++) {
        const float loss = plays->points[play] - plays->points[best];
        if (loss > 0.5f || (loss > 0.2f && random_below(random, 3)))
            continue;
        const EndChances target = {{plays->points[play]}};
        const size_t before = list->count;
        add_sample(list, plays->boards + SLOTS * play, ANY_PLAY, &target);
        if (list->count > before)
            list->samples[before].kind = (uint8_t)(list->samples[before].kind + CLASSES);
    }
}

static void play_for_pruning(void *argument, int stream)
{
    static _Thread_local Plays plays;
    Streams *const streams = argument;
    uint64_t *const random = &streams->seeds[stream];
    const Chooser chooser = chooser_of(0, 0);
    for (int game = share_of_stream(streams->stage, stream); game > 0; game--) {
        int8_t at[SLOTS];
        const int random_turns = begin_game(at, streams->stage->values[RARE], random);
        for (int turn = 0; turn < MAX_TURNS && !is_exact(at); turn++) {
            const Throw dice = throw_dice(random);
            find_plays(at, dice.high, dice.low, &plays);
            size_t chosen = (size_t)random_below(random, (int)plays.count);
            if (turn >= random_turns) {
                const size_t best = judge_plays(&chooser, &plays);
                add_plays(&plays, best, &streams->lists[stream], random);
                chosen = random_below(random, 10) ? best : chosen;
            }
            memcpy(at, plays.boards + SLOTS * chosen, SLOTS);
        }
        streams->games[stream]++;
    }
}

/* --- targets one roll ahead ---------------------------------------------------------------------------------------------------- */

static void add_target(const Chooser *chooser, const int8_t *at, int rolls, Role role, Samples *list)
{
    const EndChances target = judge_ahead(chooser, at, rolls);
    add_sample(list, at, (int)role, &target);
}

/* Half of the turns give the board after the best play, and sometimes one that loses little, or any other. */
static void add_targets_of_turn(const Chooser *chooser, const Plays *plays, size_t best, Samples *list, uint64_t *random)
{
    if (random_below(random, 2))
        return;
    add_target(chooser, plays->boards + SLOTS * best, 1, BEST_PLAY, list);
    if (plays->count == 1)
        return;
    if (random_below(random, 2)) {
        const size_t near = pick_other_play(plays, best, 0.12f, random);
        if (near != best)
            add_target(chooser, plays->boards + SLOTS * near, 1, NEAR_PLAY, list);
    }
    if (!random_below(random, 8))
        add_target(chooser, plays->boards + SLOTS * (size_t)random_below(random, (int)plays->count), 1, ANY_PLAY, list);
}

static void find_targets(void *argument, int stream)
{
    static _Thread_local Plays plays;
    Streams *const streams = argument;
    Samples *const list = &streams->lists[stream];
    uint64_t *const random = &streams->seeds[stream];
    const Chooser chooser = chooser_of(DEEP_KEEP, DEEP_MARGIN);
    const size_t wanted = (size_t)share_of_stream(streams->stage, stream);
    while (list->count < wanted) {
        int8_t at[SLOTS];
        const int random_turns = begin_game(at, streams->stage->values[RARE], random);
        for (int turn = 0; turn < MAX_TURNS && !is_over(at) && list->count < wanted; turn++) {
            const Throw dice = throw_dice(random);
            find_plays(at, dice.high, dice.low, &plays);
            size_t chosen = (size_t)random_below(random, (int)plays.count);
            if (turn >= random_turns) {
                chosen = judge_plays(&chooser, &plays);
                if (!is_exact(plays.boards + SLOTS * chosen))
                    add_targets_of_turn(&chooser, &plays, chosen, list, random);
                else if (!random_below(random, 3))
                    add_target(&chooser, plays.boards + SLOTS * chosen, 0, OWN_BEAROFF, list);
                if (!random_below(random, 12))
                    chosen = pick_other_play(&plays, chosen, 0.2f, random);
            }
            memcpy(at, plays.boards + SLOTS * chosen, SLOTS);
        }
        streams->games[stream]++;
    }
    list->count = list->count < wanted ? list->count : wanted;
}

/* --- exact bear-offs ------------------------------------------------------------------------------------------------------------- */

static void put_at_home(int8_t *at, bool is_mine, uint64_t *random)
{
    const int highest = 1 + random_below(random, HOME_POINTS);
    for (int left = 1 + random_below(random, random_below(random, 3) ? 8 : 14); left > 0; left--) {
        const int point = 1 + random_below(random, random_below(random, 2) ? highest : HOME_POINTS);
        at[is_mine ? point : BAR - point] = (int8_t)(at[is_mine ? point : BAR - point] + (is_mine ? 1 : -1));
    }
}

static void find_bearoffs(void *argument, int stream)
{
    Streams *const streams = argument;
    Samples *const list = &streams->lists[stream];
    const size_t wanted = (size_t)share_of_stream(streams->stage, stream);
    while (list->count < wanted) {
        int8_t at[SLOTS] = {0};
        EndChances chances;
        Row row;
        put_at_home(at, true, &streams->seeds[stream]);
        put_at_home(at, false, &streams->seeds[stream]);
        read_single(at, &row);
        if (find_exact_ends(&row, &chances))
            add_sample(list, at, RANDOM_BEAROFF, &chances);
    }
}

/* --- held-out groups -------------------------------------------------------------------------------------------------------------- */

/* The best plays of a roll by the networks, in order. */
static int find_leaders(const Plays *plays, size_t *leaders)
{
    int count = 0;
    for (size_t play = 0; play < plays->count; play++) {
        if (!plays->is_judged[play] || (count == DEEP_KEEP && plays->points[play] >= plays->points[leaders[count - 1]]))
            continue;
        int place = count < DEEP_KEEP ? count++ : count - 1;
        for (; place > 0 && plays->points[leaders[place - 1]] > plays->points[play]; place--)
            leaders[place] = leaders[place - 1];
        leaders[place] = play;
    }
    return count;
}

/* Judge the board before a roll, and the best eight plays of the roll, two rolls ahead. */
static void add_group(const Chooser *chooser, const int8_t *at, const Plays *plays, Samples *list)
{
    size_t leaders[DEEP_KEEP];
    const int count = find_leaders(plays, leaders);
    const size_t before = list->count;
    add_target(chooser, at, 2, BEFORE_ROLL, list);
    for (int i = 0; i < count; i++) {
        const int8_t *const after = plays->boards + SLOTS * leaders[i];
        if (is_over(after) || is_of_benchmark(after)) {
            list->count = before; /* the group would be without a play */
            return;
        }
        add_target(chooser, after, 2, i ? NEXT_OF_GROUP : FIRST_OF_GROUP, list);
    }
}

/* One group of each game, so that groups are independent; of each seventh turn on average. */
static void find_groups(void *argument, int stream)
{
    static _Thread_local Plays plays;
    Streams *const streams = argument;
    Samples *const list = &streams->lists[stream];
    uint64_t *const random = &streams->seeds[stream];
    const Chooser chooser = chooser_of(DEEP_KEEP, DEEP_MARGIN);
    for (int wanted = share_of_stream(streams->stage, stream); wanted > 0;) {
        const size_t before = list->count;
        int8_t at[SLOTS];
        int turns = random_below(random, 60);
        begin_game(at, streams->stage->values[RARE], random);
        for (; turns >= 0 && !is_exact(at); turns--) {
            const Throw dice = throw_dice(random);
            find_plays(at, dice.high, dice.low, &plays);
            const size_t best = judge_plays(&chooser, &plays);
            if (turns == 0 && plays.count > 1 && !is_of_benchmark(at))
                add_group(&chooser, at, &plays, list);
            memcpy(at, plays.boards + SLOTS * best, SLOTS);
        }
        wanted -= list->count > before;
        streams->games[stream]++;
    }
}
