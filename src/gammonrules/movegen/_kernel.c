/* Every legal play of a roll, compiled: the twin of pure.py, which explains the rules and the ideas. Both give the same
 * boards in the same order; tests/test_kernel.py holds them against each other.
 *
 * Inside, a board is already seen by the opponent, as the results are: slot f is the point 25 - f of the player who
 * moves, his bar is slot 0, the opponent's bar slot 25, and his own checkers are negative. A move goes up, from f to
 * f + die; slot 25 and beyond is off. Sets of slots are bits of a uint32_t, bit f for slot f.
 *
 * Nothing is found twice, so nothing has to be compared, except near home, where lists are short. Why the masks in
 * mixed_in_the_field() leave out just the duplicates is told there.
 *
 * The file needs the stable ABI of CPython 3.11 and C11, nothing else. It has no state outside the module object.
 */

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if !defined(GAMMONRULES_PLAIN_C) && (defined(__SSE2__) || defined(_M_X64))
#define USE_SSE2 1
#include <emmintrin.h>
#else
#define USE_SSE2 0
#endif
#if !defined(GAMMONRULES_PLAIN_C) && defined(_MSC_VER)
#include <intrin.h>
#endif

enum {
    SLOTS = 26,
    BAR = 25,           /* the opponent's bar, and the first slot that is off for the player who moves */
    WIDTH = 32,         /* slots with padding */
    MOST_CHECKERS = 15,
    MOST_PLAYS = 3060,  /* 15 checkers share 4 moves in at most C(18, 4) ways; two different dice give at most 255 */
    USUAL_PLAYS = 256,
    MOVES = 8,          /* four moves, from and to */
    UNUSED = -1
};

#define BIT(slot) ((uint32_t)1 << (slot))
#define ON_BAR BIT(0)
#define POINTS (BIT(25) - BIT(1))
#define OUTSIDE (BIT(19) - BIT(0))

/* --- boards ------------------------------------------------------------------------------------------------------ */

typedef struct {
    int8_t at[WIDTH];
    uint32_t own; /* the slots with checkers of the player who moves */
} Board;

/* What no move changes: hitting a blot neither opens nor closes a point. */
typedef struct {
    uint32_t open;  /* points that are not blocked */
    uint32_t blots; /* those with a single checker of the opponent */
} Landing;

/* Where the results go: rows of 26 counts, and of 8 numbers if moves are wanted. */
typedef struct {
    int8_t *boards;
    int8_t *moves; /* or NULL */
    size_t count;
    size_t capacity;
    bool full; /* something did not fit */
    int8_t spare[SLOTS];
} Sink;

static inline int lowest(uint32_t slots)
{
#if !defined(GAMMONRULES_PLAIN_C) && (defined(__GNUC__) || defined(__clang__))
    return __builtin_ctz(slots);
#elif !defined(GAMMONRULES_PLAIN_C) && defined(_MSC_VER)
    unsigned long slot;
    _BitScanForward(&slot, slots);
    return (int)slot;
#else
    int slot = 0;
    while (!(slots & 1)) {
        slots >>= 1;
        slot++;
    }
    return slot;
#endif
}

/* Whether both sides have at most 15 checkers, and nobody stands on the other's bar. */
static bool is_possible(const int8_t *at)
{
    int own = 0, theirs = 0;
#if USE_SSE2
    const __m128i zero = _mm_setzero_si128();
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)at);
    const __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(at + 16));
    const __m128i plus = _mm_add_epi64(_mm_sad_epu8(_mm_and_si128(a, _mm_cmpgt_epi8(a, zero)), zero),
                                       _mm_sad_epu8(_mm_and_si128(b, _mm_cmpgt_epi8(b, zero)), zero));
    const __m128i na = _mm_sub_epi8(zero, a), nb = _mm_sub_epi8(zero, b);
    const __m128i minus = _mm_add_epi64(_mm_sad_epu8(_mm_and_si128(na, _mm_cmplt_epi8(a, zero)), zero),
                                        _mm_sad_epu8(_mm_and_si128(nb, _mm_cmplt_epi8(b, zero)), zero));
    theirs = _mm_cvtsi128_si32(plus) + _mm_cvtsi128_si32(_mm_srli_si128(plus, 8));
    own = _mm_cvtsi128_si32(minus) + _mm_cvtsi128_si32(_mm_srli_si128(minus, 8));
#else
    for (int slot = 0; slot < SLOTS; slot++) {
        if (at[slot] > 0)
            theirs += at[slot];
        else
            own -= at[slot];
    }
#endif
    return own <= MOST_CHECKERS && theirs <= MOST_CHECKERS && at[0] <= 0 && at[BAR] >= 0;
}

/* The slots that hold less than nothing, and those that hold more than `than`. */
static inline uint32_t below_zero(const int8_t *at)
{
#if USE_SSE2
    const int low = _mm_movemask_epi8(_mm_loadu_si128((const __m128i *)(const void *)at));
    const int high = _mm_movemask_epi8(_mm_loadu_si128((const __m128i *)(const void *)(at + 16)));
    return (uint32_t)low | (uint32_t)high << 16;
#else
    uint32_t slots = 0;
    for (int slot = 0; slot < SLOTS; slot++)
        slots |= (uint32_t)(at[slot] < 0) << slot;
    return slots;
#endif
}

static inline uint32_t above(const int8_t *at, int8_t than)
{
#if USE_SSE2
    const __m128i limit = _mm_set1_epi8((char)than);
    const int low = _mm_movemask_epi8(_mm_cmpgt_epi8(_mm_loadu_si128((const __m128i *)(const void *)at), limit));
    const int high = _mm_movemask_epi8(_mm_cmpgt_epi8(_mm_loadu_si128((const __m128i *)(const void *)(at + 16)), limit));
    return (uint32_t)low | (uint32_t)high << 16;
#else
    uint32_t slots = 0;
    for (int slot = 0; slot < SLOTS; slot++)
        slots |= (uint32_t)(at[slot] > than) << slot;
    return slots;
#endif
}

/* Read 26 counts as the player who moves sees them; false if no board can look so. */
static bool read_board(const int8_t *points, Board *board)
{
    for (int slot = 0; slot < SLOTS; slot++) {
        const int count = points[SLOTS - 1 - slot];
        board->at[slot] = (int8_t)(count < -INT8_MAX ? INT8_MAX : -count);
    }
    memset(board->at + SLOTS, 0, WIDTH - SLOTS);
    board->own = below_zero(board->at);
    return is_possible(board->at);
}

static inline void move(Board *board, int from, int die)
{
    const int to = from + die;
    if (++board->at[from] == 0)
        board->own &= ~BIT(from);
    if (to < BAR) {
        const int hit = board->at[to] > 0;
        board->at[to] = (int8_t)(board->at[to] - 1 - hit);
        board->at[BAR] = (int8_t)(board->at[BAR] + hit);
        board->own |= BIT(to);
    }
}

/* --- results ----------------------------------------------------------------------------------------------------- */

static inline int8_t *next_row(Sink *sink)
{
    if (sink->count == sink->capacity) {
        sink->full = true;
        return sink->spare;
    }
    return sink->boards + SLOTS * sink->count++;
}

/* The board after one more move. */
static inline void put(Sink *sink, const Board *board, int from, int die)
{
    int8_t *row = next_row(sink);
    const int to = from + die;
    memcpy(row, board->at, SLOTS);
    row[from] = (int8_t)(board->at[from] + 1);
    if (to < BAR) {
        const int hit = board->at[to] > 0;
        row[to] = (int8_t)(board->at[to] - 1 - hit);
        row[BAR] = (int8_t)(board->at[BAR] + hit);
    }
}

static inline int8_t point_of(int slot)
{
    return (int8_t)(slot < BAR ? BAR - slot : 0);
}

/* The moves of the row just put, in their order. */
static inline void note_moves(const Sink *sink, const int *from, const int *die, int number)
{
    int8_t moves[MOVES];
    if (sink->moves == NULL || sink->full)
        return;
    for (int i = 0; i < MOVES / 2; i++) {
        moves[2 * i] = i < number ? point_of(from[i]) : UNUSED;
        moves[2 * i + 1] = i < number ? point_of(from[i] + die[i]) : UNUSED;
    }
    memcpy(sink->moves + MOVES * (sink->count - 1), moves, MOVES);
}

static inline void note_two(const Sink *sink, int from, int die, int then_from, int then_die)
{
    const int froms[2] = {from, then_from}, dice[2] = {die, then_die};
    note_moves(sink, froms, dice, 2);
}

/* The results of one die alone. */
static void put_singles(Sink *sink, const Board *board, uint32_t from, int die)
{
    for (; from; from &= from - 1) {
        const int slot = lowest(from);
        put(sink, board, slot, die);
        note_moves(sink, &slot, &die, 1);
    }
}

/* --- the rules --------------------------------------------------------------------------------------------------- */

/* The slots from which a die can be played next. */
static inline uint32_t sources(uint32_t own, uint32_t open, int die)
{
    const uint32_t reach = open >> die;
    if (own & ON_BAR)
        return reach & ON_BAR;
    if (own & OUTSIDE || !own)
        return own & reach;
    /* all are home: a die takes off from its own point, or from the highest point held if that is nearer */
    const int rear = lowest(own), exact = BAR - die;
    return own & (reach | BIT(rear > exact ? rear : exact));
}

typedef struct {
    Sink *sink;
    uint32_t open;
    int die;
    int most;     /* moves of the results so far; fewer are no legal play */
    size_t start; /* of the results */
    int from[4];
} Doublet;

static inline void deepen(Doublet *turn, int depth)
{
    if (depth > turn->most) {
        turn->most = depth;
        turn->sink->count = turn->start;
    }
}

/* As many moves by one number as possible, from sources that never go back: so no result comes twice. */
static void play_on(Doublet *turn, const Board *board, uint32_t allowed, int depth)
{
    const int dice[4] = {turn->die, turn->die, turn->die, turn->die};
    uint32_t from = sources(board->own, turn->open, turn->die) & allowed;
    if (!from && depth > 0 && depth >= turn->most) {
        deepen(turn, depth);
        memcpy(next_row(turn->sink), board->at, SLOTS);
        note_moves(turn->sink, turn->from, dice, depth);
    }
    if (from && depth == 3)
        deepen(turn, 4);
    for (; from; from &= from - 1) {
        const int slot = lowest(from);
        turn->from[depth] = slot;
        if (depth == 3) {
            put(turn->sink, board, slot, turn->die);
            note_moves(turn->sink, turn->from, dice, 4);
        } else {
            Board next = *board;
            move(&next, slot, turn->die);
            play_on(turn, &next, ~(BIT(slot) - 1), depth + 1);
        }
    }
}

static void put_run(Sink *sink, const Board *board, int from, int die, int then)
{
    Board now = *board;
    move(&now, from, die);
    put(sink, &now, from + die, then);
    note_two(sink, from, die, from + die, then);
}

/* One result of a pair: the checker from a by the high die (played already), the one from b by the low die. */
static inline void put_pair(Sink *sink, const Board *now, uint32_t stop, int a, int high, int b, int low)
{
    put(sink, now, b, low);
    if (b + low == a && stop & BIT(b + high))
        note_two(sink, b, high, b + high, low); /* as well one checker that runs, larger die first */
    else if (b < a)
        note_two(sink, b, low, a, high);
    else
        note_two(sink, a, high, b, low);
}

/* Two different dice where nobody enters or bears off: pairs of checkers, then one checker by both dice.
 *
 * Different pairs of sources leave different boards, except where one checker ends where the other begins: then all that
 * changes is that one checker goes from s to s + high + low. This board is the result of
 *   the pair (s, s + high), if own checkers stand on s + high;
 *   the pair (s + low, s), if they stand on s + low;
 *   the run over s + high, and the run over s + low, if these are open;
 * and two of the four differ only if a blot is hit on the way. The first in this order is kept.
 */
static void mixed_in_the_field(const Board *board, Landing landing, int high, int low, Sink *sink)
{
    const uint32_t own = board->own, blots = landing.blots;
    const uint32_t highs = own & landing.open >> high, lows = own & landing.open >> low;
    const uint32_t quiet = landing.open & ~blots;
    const size_t start = sink->count;
    for (uint32_t rest = highs; rest; rest &= rest - 1) {
        const int a = lowest(rest);
        uint32_t partners = lows;
        Board now = *board;
        move(&now, a, high);
        if (board->at[a] == -1) /* a single checker cannot make both moves */
            partners &= ~BIT(a);
        if (blots & BIT(a + high)) /* both end on one blot: the twin finds these later */
            partners &= ~BIT(a + high - low);
        if (a >= low && own & BIT(a - low + high))
            partners &= ~BIT(a - low);
        for (; partners; partners &= partners - 1)
            put_pair(sink, &now, quiet, a, high, lowest(partners), low);
    }
    for (uint32_t rest = highs & blots >> high & lows << low >> high; rest; rest &= rest - 1) {
        const int a = lowest(rest);
        Board now = *board;
        move(&now, a, high);
        put_pair(sink, &now, quiet, a, high, a + high - low, low);
    }
    const uint32_t over_high = highs & landing.open >> high >> low, over_low = lows & landing.open >> low >> high;
    const uint32_t own_low = own >> low, hit_high = blots >> high, hit_low = blots >> low;
    for (uint32_t rest = over_high & ~(own >> high) & ~(own_low & ~hit_high); rest; rest &= rest - 1)
        put_run(sink, board, lowest(rest), high, low);
    for (uint32_t rest = over_low & ~own_low & ~(over_high & ~hit_high & ~hit_low); rest; rest &= rest - 1)
        put_run(sink, board, lowest(rest), low, high);
    if (sink->count == start)
        put_singles(sink, board, highs ? highs : lows, highs ? high : low);
}

/* Enter with one die, then play the other with any checker but those from the slots left out. */
static void enter(const Board *board, uint32_t open, int die, int then, uint32_t left_out, Sink *sink)
{
    if (!(open & BIT(die)))
        return;
    Board now = *board;
    move(&now, 0, die);
    for (uint32_t rest = sources(now.own, open, then) & ~left_out; rest; rest &= rest - 1) {
        put(sink, &now, lowest(rest), then);
        note_two(sink, 0, die, lowest(rest), then);
    }
}

/* Two different dice with checkers on the bar: the orders differ in where the first one enters. */
static void mixed_from_the_bar(const Board *board, Landing landing, int high, int low, Sink *sink)
{
    const uint32_t open = landing.open, entries = BIT(high) | BIT(low);
    const size_t start = sink->count;
    uint32_t same = 0;
    if (board->at[0] < -1) /* two enter, one by each die, whatever the order */
        same = (open & entries) == entries ? ON_BAR : 0;
    else if (open & BIT(high) && open & BIT(high + low) && !(landing.blots & entries))
        same = BIT(low); /* one checker runs, whatever the order */
    enter(board, open, high, low, 0, sink);
    enter(board, open, low, high, same, sink);
    if (sink->count == start)
        put_singles(sink, board, open & entries ? ON_BAR : 0, open & BIT(high) ? high : low);
}

/* Forget the last row if it is among the others. */
static void keep_once(Sink *sink, size_t start)
{
    if (sink->full)
        return;
    const int8_t *last = sink->boards + SLOTS * (sink->count - 1);
    for (const int8_t *row = sink->boards + SLOTS * start; row < last; row += SLOTS) {
        /* where most of them differ: the home board */
        if (memcmp(row + SLOTS - 8, last + SLOTS - 8, 8) == 0 && memcmp(row, last, SLOTS - 8) == 0) {
            sink->count--;
            return;
        }
    }
}

static void play_in_turn(const Board *board, uint32_t open, int die, int then, Sink *sink, size_t start)
{
    for (uint32_t firsts = sources(board->own, open, die); firsts; firsts &= firsts - 1) {
        Board now = *board;
        move(&now, lowest(firsts), die);
        for (uint32_t rest = sources(now.own, open, then); rest; rest &= rest - 1) {
            put(sink, &now, lowest(rest), then);
            keep_once(sink, start);
        }
    }
}

/* The moves to a result, as turn.moves_to finds them: from the rear, larger die first; their number, or -1. */
static int retrace(const Board *board, uint32_t open, const int8_t *result, const int *dice, int left, int *from, int *die)
{
    uint32_t playable = 0;
    for (int i = 0; i < left; i++)
        playable |= sources(board->own, open, dice[i]);
    if (!playable && memcmp(board->at, result, SLOTS) == 0)
        return 0;
    uint32_t rest = board->own;
    while (rest && board->at[lowest(rest)] >= result[lowest(rest)])
        rest &= rest - 1;
    for (int i = 0; rest && i < left; i++) {
        const int source = lowest(rest), other = dice[left - 1 - i];
        if (!(sources(board->own, open, dice[i]) & BIT(source)))
            continue;
        Board now = *board;
        move(&now, source, dice[i]);
        const int number = retrace(&now, open, result, &other, left - 1, from + 1, die + 1);
        if (number >= 0) {
            *from = source;
            *die = dice[i];
            return number + 1;
        }
    }
    return -1;
}

/* Two different dice where checkers may be borne off: played one after the other in both orders. */
static void mixed_near_home(const Board *board, Landing landing, int high, int low, Sink *sink)
{
    const size_t start = sink->count;
    const int dice[2] = {high, low};
    play_in_turn(board, landing.open, high, low, sink, start);
    play_in_turn(board, landing.open, low, high, sink, start);
    if (sink->count == start)
        put_singles(sink, board, sources(board->own, landing.open, high), high);
    if (sink->count == start)
        put_singles(sink, board, sources(board->own, landing.open, low), low);
    if (sink->moves == NULL || sink->full)
        return;
    /* a checker may be borne off by one die or by both: which moves are told does not depend on the way found first */
    const size_t end = sink->count;
    for (sink->count = start + 1; sink->count <= end; sink->count++) {
        int from[3], die[3];
        note_moves(sink, from, die, retrace(board, landing.open, sink->boards + SLOTS * (sink->count - 1), dice, 2, from, die));
    }
    sink->count = end;
}

/* Add every board that a roll leads to, each once: none if the game is over, the same board if nothing can be played. */
static void enumerate(const Board *board, int high, int low, Sink *sink)
{
    const size_t start = sink->count;
    const uint32_t blocked = above(board->at, 1), theirs = above(board->at, 0);
    const Landing landing = {POINTS & ~blocked, POINTS & theirs & ~blocked};
    const uint32_t outside = board->own & OUTSIDE;
    if (!board->own || !theirs)
        return;
    if (high == low) {
        Doublet turn = {sink, landing.open, high, 0, start, {0, 0, 0, 0}};
        play_on(&turn, board, ~(uint32_t)0, 0);
    } else if (board->own & ON_BAR) {
        mixed_from_the_bar(board, landing, high, low, sink);
    } else if (outside & (outside - 1)) {
        mixed_in_the_field(board, landing, high, low, sink);
    } else {
        mixed_near_home(board, landing, high, low, sink);
    }
    if (sink->count == start) {
        memcpy(next_row(sink), board->at, SLOTS);
        note_moves(sink, NULL, NULL, 0);
    }
}

/* --- the module -------------------------------------------------------------------------------------------------- */

typedef struct {
    PyTypeObject *found;
    PyTypeObject *maker;
    PyTypeObject *maker_iterator;
    PyTypeObject *block;
} State;

static State *state_of(PyObject *module)
{
    return (State *)PyModule_GetState(module);
}

static void free_instance(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (PyType_GetFlags(type) & Py_TPFLAGS_HAVE_GC)
        PyObject_GC_Del(self);
    else
        PyObject_Free(self);
    Py_DECREF(type);
}

/* --- Found: the results of one roll in one object ------------------------------------------------------------------ */

typedef struct {
    PyObject_VAR_HEAD
    int8_t rows[];
} Found;

static Py_ssize_t found_length(PyObject *self)
{
    return Py_SIZE(self);
}

static PyObject *found_row(const Found *found, Py_ssize_t index)
{
    return PyBytes_FromStringAndSize((const char *)found->rows + SLOTS * index, SLOTS);
}

static PyObject *found_item(PyObject *self, Py_ssize_t index)
{
    if (index < 0 || index >= Py_SIZE(self)) {
        PyErr_Format(PyExc_IndexError, "there is no result %zd, there are %zd", index, Py_SIZE(self));
        return NULL;
    }
    return found_row((Found *)self, index);
}

static int found_contains(PyObject *self, PyObject *board)
{
    if (!PyBytes_Check(board) || PyBytes_Size(board) != SLOTS)
        return 0;
    const char *wanted = PyBytes_AsString(board);
    for (Py_ssize_t index = 0; index < Py_SIZE(self); index++) {
        if (memcmp(((Found *)self)->rows + SLOTS * index, wanted, SLOTS) == 0)
            return 1;
    }
    return 0;
}

static PyType_Slot found_slots[] = {
    {Py_tp_doc, (void *)"The boards that a roll leads to, 26 bytes each, as the opponent sees them."},
    {Py_tp_dealloc, (void *)free_instance},
    {Py_sq_length, (void *)found_length},
    {Py_sq_item, (void *)found_item},
    {Py_sq_contains, (void *)found_contains},
    {0, NULL},
};

static PyType_Spec found_spec = {
    .name = "gammonrules.movegen._kernel.Found",
    .basicsize = offsetof(Found, rows),
    .itemsize = SLOTS,
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = found_slots,
};

static PyObject *found_from(const State *state, const Sink *sink)
{
    Found *found = PyObject_NewVar(Found, state->found, (Py_ssize_t)sink->count);
    if (found != NULL)
        memcpy(found->rows, sink->boards, SLOTS * sink->count);
    return (PyObject *)found;
}

static int read_die(PyObject *die)
{
    const long face = PyLong_Check(die) ? PyLong_AsLong(die) : 0;
    if (face >= 1 && face <= 6)
        return (int)face;
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_OverflowError))
        PyErr_Format(PyExc_ValueError, "a die shows a whole number from 1 to 6, not %.100R", die);
    return 0;
}

static bool read_arguments(PyObject *const *args, Py_ssize_t number, Board *board, int *high, int *low)
{
    if (number != 3) {
        PyErr_Format(PyExc_TypeError, "a board and two dice are needed, not %zd arguments", number);
        return false;
    }
    if (!PyBytes_Check(args[0]) || PyBytes_Size(args[0]) != SLOTS) {
        PyErr_Format(PyExc_TypeError, "a board is %d bytes, not %.100R", SLOTS, args[0]);
        return false;
    }
    *high = read_die(args[1]);
    *low = *high ? read_die(args[2]) : 0;
    if (!*high || !*low)
        return false;
    if (*high < *low) {
        PyErr_Format(PyExc_ValueError, "the larger die comes first, not %d before %d", *high, *low);
        return false;
    }
    if (!read_board((const int8_t *)PyBytes_AsString(args[0]), board)) {
        PyErr_SetString(PyExc_ValueError, "no board: more than 15 checkers a side, or a checker on the other side's bar");
        return false;
    }
    return true;
}

static PyObject *legal_plays(PyObject *module, PyObject *const *args, Py_ssize_t number)
{
    Board board;
    int high, low;
    int8_t rows[SLOTS * USUAL_PLAYS];
    Sink sink = {.boards = rows, .capacity = USUAL_PLAYS};
    if (!read_arguments(args, number, &board, &high, &low))
        return NULL;
    enumerate(&board, high, low, &sink);
    if (!sink.full)
        return found_from(state_of(module), &sink);
    sink = (Sink){.boards = PyMem_Malloc(SLOTS * MOST_PLAYS), .capacity = MOST_PLAYS};
    if (sink.boards == NULL)
        return PyErr_NoMemory();
    enumerate(&board, high, low, &sink);
    PyObject *found = NULL;
    if (sink.full)
        PyErr_SetString(PyExc_SystemError, "a roll has more results than there can be");
    else
        found = found_from(state_of(module), &sink);
    PyMem_Free(sink.boards);
    return found;
}

/* --- Maker: values made without running their constructor -------------------------------------------------------------- */

enum { MOST_FIELDS = 4 };

typedef struct {
    PyObject_HEAD
    PyTypeObject *type;
    newfunc new_object;
    PyObject *no_arguments;
    Py_ssize_t number;
    struct {
        PyObject *member;
        descrsetfunc set;
    } fields[MOST_FIELDS];
} Maker;

static PyObject *make(const Maker *maker, PyObject *const *values)
{
    PyObject *made = maker->new_object(maker->type, maker->no_arguments, NULL);
    for (Py_ssize_t i = 0; made != NULL && i < maker->number; i++) {
        if (maker->fields[i].set(maker->fields[i].member, made, values[i]) < 0)
            Py_CLEAR(made);
    }
    return made;
}

static PyObject *maker_make(PyObject *self, PyObject *const *values, Py_ssize_t number)
{
    const Maker *maker = (Maker *)self;
    if (number != maker->number) {
        PyErr_Format(PyExc_TypeError, "%zd values are needed, not %zd", maker->number, number);
        return NULL;
    }
    return make(maker, values);
}

static int maker_traverse(PyObject *self, visitproc visit, void *arg)
{
    const Maker *maker = (Maker *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(maker->type);
    for (Py_ssize_t i = 0; i < MOST_FIELDS; i++)
        Py_VISIT(maker->fields[i].member);
    return 0;
}

static void maker_dealloc(PyObject *self)
{
    Maker *maker = (Maker *)self;
    PyObject_GC_UnTrack(self);
    Py_CLEAR(maker->type);
    Py_CLEAR(maker->no_arguments);
    for (Py_ssize_t i = 0; i < MOST_FIELDS; i++)
        Py_CLEAR(maker->fields[i].member);
    free_instance(self);
}

/* The slots of a class by name; they must be its own, or the setters could write anywhere. */
static bool read_fields(Maker *maker, PyObject *names)
{
    for (Py_ssize_t i = 0; i < maker->number; i++) {
        PyObject *name = PyTuple_GetItem(names, i + 1);
        PyObject *member = name != NULL ? PyObject_GetAttr((PyObject *)maker->type, name) : NULL;
        if (member == NULL)
            return false;
        maker->fields[i].member = member;
        if (!Py_IS_TYPE(member, &PyMemberDescr_Type)) {
            PyErr_Format(PyExc_TypeError, "%R is no slot of %R", name, maker->type);
            return false;
        }
        maker->fields[i].set = (descrsetfunc)PyType_GetSlot(&PyMemberDescr_Type, Py_tp_descr_set);
    }
    return true;
}

static PyObject *new_maker(PyTypeObject *maker_type, PyObject *args, PyObject *keywords)
{
    const Py_ssize_t number = PyTuple_Size(args) - 1;
    PyObject *type = number >= 0 ? PyTuple_GetItem(args, 0) : NULL;
    if (keywords != NULL || number > MOST_FIELDS || type == NULL || !PyType_Check(type)) {
        PyErr_Format(PyExc_TypeError, "a class and the names of at most %d slots are needed", MOST_FIELDS);
        return NULL;
    }
    const newfunc new_object = (newfunc)PyType_GetSlot(&PyBaseObject_Type, Py_tp_new);
    if (PyType_GetSlot((PyTypeObject *)type, Py_tp_new) != (void *)new_object) {
        PyErr_Format(PyExc_TypeError, "%R is not made by object.__new__", type);
        return NULL;
    }
    Maker *maker = PyObject_GC_New(Maker, maker_type);
    if (maker == NULL)
        return NULL;
    maker->type = (PyTypeObject *)Py_NewRef(type);
    maker->new_object = new_object;
    maker->number = number;
    memset(maker->fields, 0, sizeof maker->fields);
    maker->no_arguments = PyTuple_New(0);
    PyObject_GC_Track((PyObject *)maker);
    if (maker->no_arguments == NULL || !read_fields(maker, args))
        Py_CLEAR(maker);
    return (PyObject *)maker;
}

static PyMethodDef maker_methods[] = {
    {"make", (PyCFunction)(void (*)(void))maker_make, METH_FASTCALL, "A new value with these fields, unchecked."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot maker_slots[] = {
    {Py_tp_doc, (void *)"Makes values of a slotted class without running its constructor."},
    {Py_tp_new, (void *)new_maker},
    {Py_tp_dealloc, (void *)maker_dealloc},
    {Py_tp_traverse, (void *)maker_traverse},
    {Py_tp_methods, maker_methods},
    {0, NULL},
};

static PyType_Spec maker_spec = {
    .name = "gammonrules.movegen._kernel.Maker",
    .basicsize = sizeof(Maker),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = maker_slots,
};

/* --- MakerIterator: the plays of a Found, one after the other ---------------------------------------------------------- */

enum { FOUND, MAKE_PLAY, MAKE_POSITION, BEFORE, DICE, CHECKERS, PARTS };

typedef struct {
    PyObject_HEAD
    Py_ssize_t next;
    PyObject *parts[PARTS];
} MakerIterator;

static PyObject *iterator_next(PyObject *self)
{
    MakerIterator *iterator = (MakerIterator *)self;
    PyObject *const *parts = iterator->parts;
    if (iterator->next >= Py_SIZE(parts[FOUND]))
        return NULL;
    PyObject *board = found_row((Found *)parts[FOUND], iterator->next++);
    if (board == NULL)
        return NULL;
    PyObject *position = make((Maker *)parts[MAKE_POSITION], (PyObject *[]){board, parts[CHECKERS]});
    Py_DECREF(board);
    if (position == NULL)
        return NULL;
    PyObject *play = make((Maker *)parts[MAKE_PLAY], (PyObject *[]){parts[BEFORE], parts[DICE], position});
    Py_DECREF(position);
    return play;
}

static int iterator_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    for (int i = 0; i < PARTS; i++)
        Py_VISIT(((MakerIterator *)self)->parts[i]);
    return 0;
}

static void iterator_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    for (int i = 0; i < PARTS; i++)
        Py_CLEAR(((MakerIterator *)self)->parts[i]);
    free_instance(self);
}

static PyObject *plays_of(PyObject *module, PyObject *const *args, Py_ssize_t number)
{
    const State *state = state_of(module);
    if (number != PARTS || !Py_IS_TYPE(args[FOUND], state->found) || !Py_IS_TYPE(args[MAKE_PLAY], state->maker) ||
        !Py_IS_TYPE(args[MAKE_POSITION], state->maker) || ((Maker *)args[MAKE_PLAY])->number != 3 ||
        ((Maker *)args[MAKE_POSITION])->number != 2) {
        PyErr_SetString(PyExc_TypeError, "a Found, a Maker of 3 fields, one of 2, and 3 values are needed");
        return NULL;
    }
    MakerIterator *iterator = PyObject_GC_New(MakerIterator, state->maker_iterator);
    if (iterator == NULL)
        return NULL;
    iterator->next = 0;
    for (int i = 0; i < PARTS; i++)
        iterator->parts[i] = Py_NewRef(args[i]);
    PyObject_GC_Track((PyObject *)iterator);
    return (PyObject *)iterator;
}

static PyType_Slot iterator_slots[] = {
    {Py_tp_dealloc, (void *)iterator_dealloc},
    {Py_tp_traverse, (void *)iterator_traverse},
    {Py_tp_iter, (void *)PyObject_SelfIter},
    {Py_tp_iternext, (void *)iterator_next},
    {0, NULL},
};

static PyType_Spec iterator_spec = {
    .name = "gammonrules.movegen._kernel.MakerIterator",
    .basicsize = sizeof(MakerIterator),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = iterator_slots,
};

/* --- Block: memory that was filled without the interpreter, handed on without a copy --------------------------------- */

typedef struct {
    PyObject_HEAD
    void *data;
    Py_ssize_t size;
} Block;

static int block_buffer(PyObject *self, Py_buffer *view, int flags)
{
    return PyBuffer_FillInfo(view, self, ((Block *)self)->data, ((Block *)self)->size, 0, flags);
}

static void block_dealloc(PyObject *self)
{
    free(((Block *)self)->data);
    free_instance(self);
}

static PyType_Slot block_slots[] = {
    {Py_tp_doc, (void *)"A writable buffer of bytes."},
    {Py_tp_dealloc, (void *)block_dealloc},
    {Py_bf_getbuffer, (void *)block_buffer},
    {0, NULL},
};

static PyType_Spec block_spec = {
    .name = "gammonrules.movegen._kernel.Block",
    .basicsize = sizeof(Block),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = block_slots,
};

/* A block that owns this memory, which is trimmed to its size; the memory is freed if there is no block. */
static PyObject *block_of(const State *state, void *data, size_t size)
{
    void *trimmed = realloc(data, size ? size : 1);
    Block *block = PyObject_New(Block, state->block);
    if (trimmed != NULL)
        data = trimmed;
    if (block == NULL) {
        free(data);
        return NULL;
    }
    block->data = data;
    block->size = (Py_ssize_t)size;
    return (PyObject *)block;
}

/* --- many boards at once ---------------------------------------------------------------------------------------------- */

typedef enum { DONE, NO_MEMORY, BAD_BOARD, BAD_DICE, TOO_MANY } Ending;

typedef struct {
    const int8_t *points; /* count x 26 */
    const int8_t *dice;   /* count x 2, in either order */
    size_t count;
    int64_t *offsets; /* count + 1 */
    Sink sink;
    size_t stopped_at;
} Batch;

/* Make sure that the results of one more roll fit. */
static bool reserve(Sink *sink)
{
    if (sink->capacity - sink->count >= MOST_PLAYS)
        return true;
    const size_t capacity = sink->capacity + sink->capacity / 2 + MOST_PLAYS;
    if (capacity > PY_SSIZE_T_MAX / SLOTS)
        return false;
    int8_t *boards = realloc(sink->boards, capacity * SLOTS);
    if (boards == NULL)
        return false;
    sink->boards = boards;
    int8_t *moves = realloc(sink->moves, capacity * MOVES);
    if (moves == NULL)
        return false;
    sink->moves = moves;
    sink->capacity = capacity;
    return true;
}

/* Fill offsets and sink; runs without the interpreter, so it looks at nothing twice that somebody else may change. */
static Ending run_batch(Batch *batch)
{
    batch->offsets[0] = 0;
    for (size_t i = 0; i < batch->count; i++) {
        Board board;
        const int one = batch->dice[2 * i], other = batch->dice[2 * i + 1];
        batch->stopped_at = i;
        if (one < 1 || one > 6 || other < 1 || other > 6)
            return BAD_DICE;
        if (!read_board(batch->points + SLOTS * i, &board))
            return BAD_BOARD;
        if (!reserve(&batch->sink))
            return NO_MEMORY;
        enumerate(&board, one > other ? one : other, one > other ? other : one, &batch->sink);
        if (batch->sink.full)
            return TOO_MANY;
        batch->offsets[i + 1] = (int64_t)batch->sink.count;
    }
    return DONE;
}

static void tell_ending(Ending ending, size_t stopped_at)
{
    if (ending == NO_MEMORY)
        PyErr_NoMemory();
    else if (ending == BAD_DICE)
        PyErr_Format(PyExc_ValueError, "case %zu: a die shows a whole number from 1 to 6", stopped_at);
    else if (ending == BAD_BOARD)
        PyErr_Format(PyExc_ValueError,
                     "case %zu: no board, more than 15 checkers a side or a checker on the other side's bar", stopped_at);
    else
        PyErr_Format(PyExc_SystemError, "case %zu: a roll has more results than there can be", stopped_at);
}

/* The memory of the batch as three blocks. */
static PyObject *batch_result(const State *state, Batch *batch)
{
    PyObject *result = NULL;
    PyObject *offsets = block_of(state, batch->offsets, (batch->count + 1) * sizeof(int64_t));
    PyObject *boards = block_of(state, batch->sink.boards, batch->sink.count * SLOTS);
    PyObject *moves = block_of(state, batch->sink.moves, batch->sink.count * MOVES);
    if (offsets != NULL && boards != NULL && moves != NULL)
        result = PyTuple_Pack(3, offsets, boards, moves);
    Py_XDECREF(offsets);
    Py_XDECREF(boards);
    Py_XDECREF(moves);
    return result;
}

static PyObject *legal_plays_of_views(const State *state, const Py_buffer *points, const Py_buffer *dice)
{
    if (points->len % SLOTS || dice->len % 2 || points->len / SLOTS != dice->len / 2) {
        PyErr_Format(PyExc_ValueError, "%zd bytes of boards and %zd of dice do not belong together", points->len, dice->len);
        return NULL;
    }
    Batch batch = {.points = points->buf, .dice = dice->buf, .count = (size_t)(points->len / SLOTS)};
    Ending ending = NO_MEMORY;
    if (batch.count < PY_SSIZE_T_MAX / sizeof(int64_t))
        batch.offsets = malloc((batch.count + 1) * sizeof(int64_t));
    if (batch.offsets != NULL) {
        Py_BEGIN_ALLOW_THREADS
        ending = run_batch(&batch);
        Py_END_ALLOW_THREADS
    }
    if (ending == DONE)
        return batch_result(state, &batch);
    tell_ending(ending, batch.stopped_at);
    free(batch.offsets);
    free(batch.sink.boards);
    free(batch.sink.moves);
    return NULL;
}

static PyObject *legal_plays_of_many(PyObject *module, PyObject *const *args, Py_ssize_t number)
{
    Py_buffer points, dice;
    PyObject *result = NULL;
    if (number != 2) {
        PyErr_Format(PyExc_TypeError, "boards and dice are needed, not %zd arguments", number);
        return NULL;
    }
    if (PyObject_GetBuffer(args[0], &points, PyBUF_SIMPLE) < 0)
        return NULL;
    if (PyObject_GetBuffer(args[1], &dice, PyBUF_SIMPLE) == 0) {
        result = legal_plays_of_views(state_of(module), &points, &dice);
        PyBuffer_Release(&dice);
    }
    PyBuffer_Release(&points);
    return result;
}

/* --- the module object ---------------------------------------------------------------------------------------------- */

static PyMethodDef functions[] = {
    {"legal_plays", (PyCFunction)(void (*)(void))legal_plays, METH_FASTCALL,
     "legal_plays(board, high, low)\n--\n\nEvery board that a roll leads to, each once, as the opponent sees it."},
    {"plays_of", (PyCFunction)(void (*)(void))plays_of, METH_FASTCALL,
     "plays_of(found, make_play, make_position, before, dice, checkers)\n--\n\nThe plays of a Found."},
    {"legal_plays_of_many", (PyCFunction)(void (*)(void))legal_plays_of_many, METH_FASTCALL,
     "legal_plays_of_many(points, dice)\n--\n\n"
     "The results of N boards (26 bytes each) and rolls (2 bytes each): offsets (N + 1 int64), boards (M x 26 bytes) and\n"
     "moves (M x 4 x 2 bytes, from and to, -1 where unused)."},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject *new_type(PyObject *module, PyType_Spec *spec)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
}

static int fill_module(PyObject *module)
{
    State *state = state_of(module);
    if ((state->found = new_type(module, &found_spec)) == NULL || (state->maker = new_type(module, &maker_spec)) == NULL ||
        (state->maker_iterator = new_type(module, &iterator_spec)) == NULL ||
        (state->block = new_type(module, &block_spec)) == NULL)
        return -1;
    return PyModule_AddType(module, state->found) < 0 ? -1 : PyModule_AddType(module, state->maker);
}

static int traverse_module(PyObject *module, visitproc visit, void *arg)
{
    const State *state = state_of(module);
    Py_VISIT(state->found);
    Py_VISIT(state->maker);
    Py_VISIT(state->maker_iterator);
    Py_VISIT(state->block);
    return 0;
}

static int clear_module(PyObject *module)
{
    State *state = state_of(module);
    Py_CLEAR(state->found);
    Py_CLEAR(state->maker);
    Py_CLEAR(state->maker_iterator);
    Py_CLEAR(state->block);
    return 0;
}

static void free_module(void *module)
{
    clear_module((PyObject *)module);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, (void *)fill_module},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef kernel = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_kernel",
    .m_doc = "The compiled twin of gammonrules.movegen.pure.",
    .m_size = sizeof(State),
    .m_methods = functions,
    .m_slots = module_slots,
    .m_traverse = traverse_module,
    .m_clear = clear_module,
    .m_free = free_module,
};

PyMODINIT_FUNC PyInit__kernel(void)
{
    return PyModuleDef_Init(&kernel);
}
