/* To which outcomes a game can still lead by plays alone. board/possible_outcomes.py explains it, and gives the same answers;
 * tests/board/test_possible_outcomes.py compares them. It is included after _game.c, and has no state either.
 */

enum {
    TURNS_AHEAD = 3,
    MAX_BOARDS = 100, /* that are looked at with contact */
    ACE_PLAYS = 64     /* more than any roll of two checkers has */
};

/* Sets of outcomes: bits 0, 1 and 2 for a single game, a gammon and a backgammon that the player on roll wins, and bits 3, 4
 * and 5 for those that they lose. */
typedef uint32_t Outcomes;
enum { LEVELS = 3, SINGLE = 1, GAMMON = 2, BACKGAMMON = 4 };

static inline Outcomes lost(Outcomes levels)
{
    return levels << LEVELS;
}

static inline Outcomes as_opponent_sees(Outcomes outcomes)
{
    return outcomes >> LEVELS | lost(outcomes & (SINGLE | GAMMON | BACKGAMMON));
}

/* --- without contact ------------------------------------------------------------------------------------------------ */

/* The counts of a side by its own points; 25 is the bar, and nothing is at 0. */
typedef struct {
    int8_t at[SLOTS];
    int checkers, rear;
} Checkers;

static void read_sides(const int8_t *points, Checkers *mine, Checkers *theirs)
{
    *mine = *theirs = (Checkers){.rear = 0};
    for (int point = 1; point <= BAR; point++) {
        const int8_t own = points[point], opposing = points[BAR - point];
        if (own > 0) {
            mine->at[point] = own;
            mine->checkers += own;
            mine->rear = point;
        }
        if (opposing < 0) {
            theirs->at[point] = (int8_t)-opposing;
            theirs->checkers -= opposing;
            theirs->rear = point;
        }
    }
}

/* Numbers of turns: the first, and the one after the last; none if that is not later. */
typedef struct {
    int start, stop;
} Turns;

static inline bool overlap(Turns turns, Turns others)
{
    const int start = turns.start > others.start ? turns.start : others.start;
    return start < (turns.stop < others.stop ? turns.stop : others.stop);
}

/* What can have become of a side that nothing hinders after how many of its turns; see SideAlone. */
typedef struct {
    Turns ends, some_off, none_off, is_back;
} Alone;

static inline int turns_of_66(int sixes)
{
    return (sixes + 3) / 4;
}

static int slowest_turns(int pips, int twos, int pips_more)
{
    const int of_21 = pips / 3 < twos ? pips / 3 : twos;
    return of_21 + (pips - 3 * of_21 + pips_more) / 4;
}

static int fewest_turns(const Checkers *side)
{
    int sixes = 0;
    for (int point = 1; point <= side->rear; point++)
        sixes += side->at[point] * ((point + 5) / 6);
    return turns_of_66(sixes);
}

/* Whether one turn can bear off one of two checkers and not the other. */
static bool can_bear_off_one(const Checkers *side)
{
    int8_t points[WIDTH] = {0}, boards[SLOTS * ACE_PLAYS + SLACK];
    memcpy(points, side->at, SLOTS);
    points[0] = -1; /* on their bar, where they hinder nobody */
    for (int roll = 0; roll < 36; roll++) {
        Board board;
        Checkers theirs, mine;
        Sink sink = {.boards = boards, .capacity = ACE_PLAYS};
        if (roll / 6 < roll % 6 || !read_board(points, &board))
            continue;
        enumerate(&board, roll / 6 + 1, roll % 6 + 1, &sink);
        for (size_t i = 0; i < sink.count; i++) {
            read_sides(boards + SLOTS * i, &theirs, &mine);
            if (mine.checkers == 1)
                return true;
        }
    }
    return false;
}

/* The fewest turns after which a side of two checkers or more has borne off some, but not all. */
static int first_off(const Checkers *side)
{
    int sixes_to_home = 0;
    for (int point = 1; point <= side->rear; point++)
        sixes_to_home += side->at[point] * ((point - 1) / 6);
    const int turns = turns_of_66(sixes_to_home + 1);
    return side->checkers == 2 && turns == 1 && !can_bear_off_one(side) ? 2 : turns;
}

static Alone alone(const Checkers *side, int checkers)
{
    int pips = 0, twos = 0, back = 0;
    for (int point = 1; point <= side->rear; point++) {
        const int count = side->at[point];
        pips += count * (point - 1);
        twos += count * ((point - 1) / 2);
        back += point > 18 ? count : 0;
    }
    const int left = side->checkers, after_last = slowest_turns(pips, twos, 2 * left - 1) + 1;
    Alone stages = {.ends = {fewest_turns(side), after_last + 1}};
    if (left < checkers) {
        stages.some_off = (Turns){0, after_last};
        return stages;
    }
    if (back)
        stages.is_back = (Turns){0, slowest_turns(pips - 18, twos - 9, 0) + 1};
    stages.none_off = (Turns){turns_of_66(back), slowest_turns(pips, twos, 0) + 1};
    if (left > 1)
        stages.some_off = (Turns){first_off(side), after_last};
    return stages;
}

/* The levels at which a side can lose a game that ends after one of these numbers of its turns. */
static Outcomes levels_lost(const Alone *loser, Turns turns)
{
    return (overlap(loser->some_off, turns) ? SINGLE : 0) | (overlap(loser->none_off, turns) ? GAMMON : 0) |
           (overlap(loser->is_back, turns) ? BACKGAMMON : 0);
}

static Outcomes outcomes_of_race(const Checkers *mine, const Checkers *theirs, int checkers)
{
    const Alone me = alone(mine, checkers), them = alone(theirs, checkers);
    /* I begin, so when I am off, they have had one turn less */
    const Turns before_my_end = {me.ends.start - 1, me.ends.stop - 1};
    return levels_lost(&them, before_my_end) | lost(levels_lost(&me, them.ends));
}

/* --- with contact --------------------------------------------------------------------------------------------------- */

typedef struct {
    int8_t points[SLOTS];
    int8_t turns;
    uint8_t outcomes;
} Known;

/* All plays of the next turns. */
typedef struct {
    int checkers, boards_left, known_count;
    Known known[MAX_BOARDS]; /* what was found for a board and a number of turns */
    /* plays of a roll: no more are read, as each is another board to look at */
    int8_t after[TURNS_AHEAD][SLOTS * MAX_BOARDS + SLACK];
} LookAhead;

/* Whether every roll bears off the last of my checkers: two on the ace point, or one on points 1 to 3. */
static bool must_end(const Checkers *mine, const int8_t *points)
{
    if (mine->checkers > 2 || mine->rear > (mine->checkers == 1 ? 3 : 1))
        return false;
    for (int point = 1; point < mine->rear; point++) {
        if (points[point] < -1)
            return false;
    }
    return true;
}

static Outcomes level_lost(const Checkers *loser, int checkers)
{
    return loser->checkers < checkers ? SINGLE : loser->rear > 18 ? BACKGAMMON : GAMMON;
}

/* The levels that the number of checkers off leaves. A side of one checker never loses with some off. */
static Outcomes levels_left(const Checkers *loser, int checkers)
{
    if (loser->checkers < checkers)
        return SINGLE;
    return checkers == 1 ? GAMMON | BACKGAMMON : SINGLE | GAMMON | BACKGAMMON;
}

static const Known *known_of(const LookAhead *ahead, const int8_t *points, int turns)
{
    for (int i = 0; i < ahead->known_count; i++) {
        const Known *known = ahead->known + i;
        if (known->turns == turns && memcmp(known->points, points, SLOTS) == 0)
            return known;
    }
    return NULL;
}

static Outcomes look_ahead(LookAhead *ahead, const int8_t *points, int turns);

/* What one turn leaves of all that is not excluded. */
static Outcomes after_one_turn(LookAhead *ahead, const int8_t *points, int turns, Outcomes most)
{
    Outcomes reached = 0;
    int8_t *const rows = ahead->after[turns - 1];
    for (int high = 1; high <= 6; high++) {
        for (int low = 1; low <= high; low++) {
            Board board;
            Sink sink = {.boards = rows, .capacity = MAX_BOARDS};
            if (read_board(points, &board))
                enumerate(&board, high, low, &sink);
            for (size_t i = 0; i < sink.count; i++) {
                const int8_t *after = rows + SLOTS * i;
                const Known *known = known_of(ahead, after, turns - 1);
                if (known == NULL && ahead->boards_left <= 0)
                    return most;
                reached |= as_opponent_sees(known == NULL ? look_ahead(ahead, after, turns - 1) : known->outcomes);
                if (reached == most)
                    return most;
            }
        }
    }
    return reached;
}

static Outcomes look_ahead(LookAhead *ahead, const int8_t *points, int turns)
{
    Checkers mine, theirs;
    Outcomes outcomes;
    ahead->boards_left--;
    read_sides(points, &mine, &theirs);
    if (!theirs.checkers) { /* the last play bore off all they had */
        outcomes = lost(level_lost(&mine, ahead->checkers));
    } else if (must_end(&mine, points)) {
        outcomes = level_lost(&theirs, ahead->checkers);
    } else if (mine.rear + theirs.rear < BAR) {
        outcomes = outcomes_of_race(&mine, &theirs, ahead->checkers);
    } else {
        outcomes = levels_left(&theirs, ahead->checkers) | lost(levels_left(&mine, ahead->checkers));
        /* of the turns looked at, the first, third and so on are mine */
        if (fewest_turns(&mine) <= (turns + 1) / 2 || fewest_turns(&theirs) <= turns / 2)
            outcomes = after_one_turn(ahead, points, turns, outcomes);
    }
    Known *known = ahead->known + ahead->known_count++;
    memcpy(known->points, points, SLOTS);
    known->turns = (int8_t)turns;
    known->outcomes = (uint8_t)outcomes;
    return outcomes;
}

/* The outcomes of a game that is not over: exactly without contact, else never too few. */
static Outcomes possible_outcomes_of(LookAhead *ahead, const int8_t *points, int checkers)
{
    ahead->checkers = checkers;
    ahead->boards_left = MAX_BOARDS;
    ahead->known_count = 0;
    return look_ahead(ahead, points, TURNS_AHEAD);
}
