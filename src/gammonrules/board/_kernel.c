/* Every legal play of a roll, compiled. pure.py explains the rules and the ideas. Both find the same boards in the same
 * order; tests/board/test_kernel.py compares them.
 *
 * In here, a board is seen by the opponent, as the results are: slot f is point 25 - f of the player who moves, their bar
 * is slot 0, the opponent's bar is slot 25, and their checkers are negative. A move goes up, from f to f + die; slot 25
 * and beyond is off. Sets of slots are the bits of a uint32_t, bit f for slot f.
 *
 * No result is found twice, so nothing has to be compared, except near home, where lists are short. A comment at
 * mixed_in_the_field() explains why its masks leave out exactly the duplicates.
 *
 * All this needs is C11 and the stable ABI of CPython 3.11. There is no state outside the module object.
 */

#define PY_SSIZE_T_CLEAN
#if !defined(_MSC_VER) /* there the header chooses what to link, by Py_LIMITED_API; setuptools defines Py_GIL_DISABLED */
#include <pyconfig.h>
#endif
#if !defined(Py_LIMITED_API) && !defined(Py_GIL_DISABLED) /* free-threaded Pythons had no stable ABI at first */
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
#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(_WIN32) || (defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define LITTLE_ENDIAN_FIRST 1
#else
#define LITTLE_ENDIAN_FIRST 0
#endif

enum { INTERFACE = 9 }; /* see generator.py */

enum {
    SLOTS = 26,
    BAR = 25,           /* the opponent's bar, and for the player who moves the first slot that is off */
    WIDTH = 32,         /* slots with padding */
    SLACK = WIDTH - SLOTS,
    MOST_CHECKERS = 15,
    MOST_PLAYS = 3060,  /* 15 checkers share 4 moves in at most C(18, 4) ways; two different dice give at most 255 */
    USUAL_PLAYS = 256,
    MOVES = 8           /* four moves, from and to */
};

#define BIT(slot) ((uint32_t)1 << (slot))
#define ON_BAR BIT(0)
#define POINTS (BIT(25) - BIT(1))
#define OUTSIDE (BIT(19) - BIT(0))

/* --- boards ------------------------------------------------------------------------------------------------------ */

/* All slots of a board; the padding is 0. */
#if USE_SSE2
typedef struct {
    __m128i half[2];
} Slots;
#else
typedef struct {
    int8_t at[WIDTH];
} Slots;
#endif

typedef struct {
    Slots slots;
    uint32_t own;   /* the slots with checkers of the player who moves */
    uint32_t blots; /* the points with a single checker of the opponent */
} Board;

/* Where the results go: rows of 26 counts, and rows of 8 numbers if moves are wanted. Every row is written in its full
 * WIDTH, over the start of the next one, so the last row is followed by SLACK. */
typedef struct {
    int8_t *boards;
    int8_t *moves; /* or NULL */
    size_t count;
    size_t capacity;
    bool full; /* something did not fit */
} Sink;

/* The moves of a play: from and to of the first move in the lowest two bytes, and so on; unused bits are all set. */
typedef uint64_t Moves;

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

static inline Slots load(const int8_t *row)
{
#if USE_SSE2
    const __m128i *halves = (const __m128i *)(const void *)row;
    return (Slots){{_mm_loadu_si128(halves), _mm_loadu_si128(halves + 1)}};
#else
    Slots slots;
    memcpy(slots.at, row, WIDTH);
    return slots;
#endif
}

static inline void store(int8_t *row, Slots slots)
{
#if USE_SSE2
    __m128i *halves = (__m128i *)(void *)row;
    _mm_storeu_si128(halves, slots.half[0]);
    _mm_storeu_si128(halves + 1, slots.half[1]);
#else
    memcpy(row, slots.at, WIDTH);
#endif
}

static inline Slots plus(Slots slots, const int8_t *row)
{
#if USE_SSE2
    const Slots other = load(row);
    slots.half[0] = _mm_add_epi8(slots.half[0], other.half[0]);
    slots.half[1] = _mm_add_epi8(slots.half[1], other.half[1]);
#else
    for (int slot = 0; slot < WIDTH; slot++)
        slots.at[slot] = (int8_t)(slots.at[slot] + row[slot]);
#endif
    return slots;
}

/* The slots with a count below 0. */
static inline uint32_t below_zero(Slots slots)
{
#if USE_SSE2
    return (uint32_t)_mm_movemask_epi8(slots.half[0]) | (uint32_t)_mm_movemask_epi8(slots.half[1]) << 16;
#else
    uint32_t found = 0;
    for (int part = 0; part < WIDTH / 8; part++) {
        uint64_t eight;
        memcpy(&eight, slots.at + 8 * part, 8);
        /* the top bit of each byte, moved side by side */
        found |= (uint32_t)((eight >> 7 & 0x0101010101010101) * (LITTLE_ENDIAN_FIRST ? 0x0102040810204080 : 0x8040201008040201) >> 56)
                 << 8 * part;
    }
    return found;
#endif
}

/* The slots with a count above this limit. */
static inline uint32_t more_than(int8_t limit, Slots slots)
{
    int8_t less[WIDTH];
    store(less, slots);
    for (int slot = 0; slot < WIDTH; slot++)
        less[slot] = (int8_t)(limit - less[slot]);
    return below_zero(load(less));
}

/* 26 counts as the player who moves sees them, turned around: order reversed, signs changed. */
static inline Slots turned(const int8_t *points)
{
#if USE_SSE2
    const __m128i *ends[2] = {(const __m128i *)(const void *)(points + SLOTS - 16), (const __m128i *)(const void *)points};
    Slots slots;
    for (int half = 0; half < 2; half++) {
        const __m128i quads = _mm_shuffle_epi32(_mm_loadu_si128(ends[half]), _MM_SHUFFLE(1, 0, 3, 2));
        const __m128i low = _mm_shufflelo_epi16(quads, _MM_SHUFFLE(0, 1, 2, 3));
        const __m128i pairs = _mm_shufflehi_epi16(low, _MM_SHUFFLE(0, 1, 2, 3));
        const __m128i bytes = _mm_or_si128(_mm_slli_epi16(pairs, 8), _mm_srli_epi16(pairs, 8));
        slots.half[half] = _mm_sub_epi8(_mm_setzero_si128(), bytes);
    }
    slots.half[1] = _mm_srli_si128(slots.half[1], WIDTH - SLOTS);
    return slots;
#else
    int8_t at[WIDTH] = {0};
    for (int slot = 0; slot < SLOTS; slot++)
        at[slot] = (int8_t)-points[SLOTS - 1 - slot];
    return load(at);
#endif
}

/* How many checkers the opponent has, and how many more that is than the player who moves has. */
static inline void count_checkers(Slots slots, int *theirs, int *more)
{
    *theirs = *more = 0;
#if USE_SSE2
    const __m128i zero = _mm_setzero_si128(), top = _mm_set1_epi8((char)-128);
    for (int half = 0; half < 2; half++) {
        const __m128i at = slots.half[half];
        const __m128i sum = _mm_sad_epu8(_mm_and_si128(at, _mm_cmpgt_epi8(at, zero)), zero);
        const __m128i all = _mm_sad_epu8(_mm_xor_si128(at, top), zero); /* 128 too many in each slot */
        *theirs += _mm_cvtsi128_si32(sum) + _mm_cvtsi128_si32(_mm_srli_si128(sum, 8));
        *more += _mm_cvtsi128_si32(all) + _mm_cvtsi128_si32(_mm_srli_si128(all, 8)) - 16 * 128;
    }
#else
    for (int slot = 0; slot < SLOTS; slot++) {
        *theirs += slots.at[slot] > 0 ? slots.at[slot] : 0;
        *more += slots.at[slot];
    }
#endif
}

/* Read 26 counts as the player who moves sees them. False if they cannot be a board: more than 15 checkers a side, or a
 * checker on the other side's bar. Blots are found later. No count is read twice, as another thread may change it. */
static bool read_board(const int8_t *points, Board *board)
{
    int theirs, more;
    board->slots = turned(points);
    board->own = below_zero(board->slots);
    board->blots = 0;
    count_checkers(board->slots, &theirs, &more);
    return theirs <= MOST_CHECKERS && theirs - more <= MOST_CHECKERS && !(board->own & BIT(BAR)) &&
           !(more_than(0, board->slots) & ON_BAR);
}

/* What a move from f by d adds to each slot, without a hit (h = 0) and with one (h = 1). A blot counts 1 and the mover's
 * checker -1, so a hit changes the point by 2, and the opponent's bar by 1. Bearing off hits nothing. */
#define AT(s, f, d, h) ((s) == (f)) - (1 + (h)) * ((s) == (f) + (d))
#define ROW(f, d, h)                                                                                                     \
    {AT(0, f, d, h),  AT(1, f, d, h),  AT(2, f, d, h),  AT(3, f, d, h),  AT(4, f, d, h),  AT(5, f, d, h),                \
     AT(6, f, d, h),  AT(7, f, d, h),  AT(8, f, d, h),  AT(9, f, d, h),  AT(10, f, d, h), AT(11, f, d, h),               \
     AT(12, f, d, h), AT(13, f, d, h), AT(14, f, d, h), AT(15, f, d, h), AT(16, f, d, h), AT(17, f, d, h),               \
     AT(18, f, d, h), AT(19, f, d, h), AT(20, f, d, h), AT(21, f, d, h), AT(22, f, d, h), AT(23, f, d, h),               \
     AT(24, f, d, h), h}
#define ROWS(d, h)                                                                                                       \
    {ROW(0, d, h),  ROW(1, d, h),  ROW(2, d, h),  ROW(3, d, h),  ROW(4, d, h),  ROW(5, d, h),  ROW(6, d, h),             \
     ROW(7, d, h),  ROW(8, d, h),  ROW(9, d, h),  ROW(10, d, h), ROW(11, d, h), ROW(12, d, h), ROW(13, d, h),            \
     ROW(14, d, h), ROW(15, d, h), ROW(16, d, h), ROW(17, d, h), ROW(18, d, h), ROW(19, d, h), ROW(20, d, h),            \
     ROW(21, d, h), ROW(22, d, h), ROW(23, d, h), ROW(24, d, h)}
static const int8_t STEP[7][2][BAR][WIDTH] = {
    {{{0}}},
    {ROWS(1, 0), ROWS(1, 1)},
    {ROWS(2, 0), ROWS(2, 1)},
    {ROWS(3, 0), ROWS(3, 1)},
    {ROWS(4, 0), ROWS(4, 1)},
    {ROWS(5, 0), ROWS(5, 1)},
    {ROWS(6, 0), ROWS(6, 1)},
};
#undef ROW
#undef AT

/* The slots after a move. Whole rows are added: processors stall when they read a row in which single bytes have just
 * been changed, and a branch on whether a blot is hit cannot be predicted. */
static inline Slots stepped(const Board *board, int from, int die)
{
    return plus(board->slots, STEP[die][board->blots >> die >> from & 1][from]);
}

static inline Board moved(const Board *board, int from, int die)
{
    const Slots slots = stepped(board, from, die);
    return (Board){slots, below_zero(slots), board->blots & ~BIT(from + die)};
}

/* --- results ----------------------------------------------------------------------------------------------------- */

#define UNUSED (~(Moves)0)

/* What to change in the 16 unused bits of a move to write it: from in the lower byte, to in the upper. */
#define ROW(f, d, h) 0xFFFF ^ ((BAR - (f)) | ((f) + (d) < BAR ? BAR - (f) - (d) : 0) << 8)
static const uint16_t WRITTEN[7][BAR] = {{0}, ROWS(1, ), ROWS(2, ), ROWS(3, ), ROWS(4, ), ROWS(5, ), ROWS(6, )};
#undef ROW
#undef ROWS

/* These moves plus one more, which becomes move `number` (0 to 3) and is still unused. */
static inline Moves and_then(Moves moves, int number, int from, int die)
{
    return moves ^ (Moves)WRITTEN[die][from] << 16 * number;
}

static inline void write_moves(int8_t *row, Moves moves)
{
    if (LITTLE_ENDIAN_FIRST) {
        memcpy(row, &moves, MOVES);
        return;
    }
    for (int i = 0; i < MOVES; i++)
        row[i] = (int8_t)(uint8_t)(moves >> 8 * i);
}

static inline void put_same(Sink *sink, const Board *board, Moves moves)
{
    if (sink->count == sink->capacity) {
        sink->full = true;
        return;
    }
    if (sink->moves != NULL)
        write_moves(sink->moves + MOVES * sink->count, moves);
    store(sink->boards + SLOTS * sink->count++, board->slots);
}

/* Add the boards after one more move from each of these slots; it is move `number` of the play. */
static inline void put_all(Sink *sink, const Board *board, uint32_t from, int die, Moves before, int number)
{
    int8_t *const boards = sink->boards, *const moves = sink->moves;
    const size_t capacity = sink->capacity;
    size_t count = sink->count;
    for (; from && count != capacity; from &= from - 1, count++) {
        const int slot = lowest(from);
        store(boards + SLOTS * count, stepped(board, slot, die));
        if (moves != NULL)
            write_moves(moves + MOVES * count, and_then(before, number, slot, die));
    }
    sink->full |= from != 0;
    sink->count = count;
}

/* --- the rules --------------------------------------------------------------------------------------------------- */

/* The points on which a checker may land, which do not change during a turn; the opponent's among them are blots. */
static inline uint32_t find_open(Board *board, uint32_t theirs)
{
    const uint32_t open = POINTS & ~more_than(1, board->slots);
    board->blots = open & theirs;
    return open;
}

/* The slots from which a die can be played. */
static inline uint32_t sources(uint32_t own, uint32_t open, int die)
{
    const uint32_t reach = open >> die;
    if (own & ON_BAR)
        return reach & ON_BAR;
    if (own & OUTSIDE || !own)
        return own & reach;
    /* all are home: a die bears off from its own point, or from the highest point held if that is lower */
    const int rear = lowest(own), exact = BAR - die;
    return own & (reach | BIT(rear > exact ? rear : exact));
}

typedef struct {
    Sink *sink;
    uint32_t open;
    int die;
    int most;     /* moves in each result so far; fewer are not a legal play */
    size_t start; /* index of the first result */
} Doublet;

static inline void deepen(Doublet *turn, int depth)
{
    if (depth > turn->most) {
        turn->most = depth;
        turn->sink->count = turn->start;
    }
}

/* As many moves of a doublet as possible, from sources that never go back, so that no result comes twice. */
static void play_on(Doublet *turn, const Board *board, uint32_t allowed, Moves moves, int depth)
{
    const int die = turn->die;
    uint32_t from = sources(board->own, turn->open, die) & allowed;
    if (!from && depth > 0 && depth >= turn->most) {
        deepen(turn, depth);
        put_same(turn->sink, board, moves);
    }
    if (from && depth == 3) {
        deepen(turn, 4);
        put_all(turn->sink, board, from, die, moves, 3);
        return;
    }
    for (; from; from &= from - 1) {
        const int slot = lowest(from);
        const Board after = moved(board, slot, die);
        play_on(turn, &after, ~(BIT(slot) - 1), and_then(moves, depth, slot, die), depth + 1);
    }
}

/* Add the boards after the low die from each of these slots, where the high die has been played from a. The move from
 * farther back is written first. */
static inline void put_pairs(Sink *sink, const Board *now, int a, int high, uint32_t partners, int low)
{
    int8_t *const boards = sink->boards, *const moves = sink->moves;
    const size_t capacity = sink->capacity;
    const Moves first = and_then(UNUSED, 0, a, high), second = and_then(UNUSED, 1, a, high);
    size_t count = sink->count;
    for (; partners && count != capacity; partners &= partners - 1, count++) {
        const int b = lowest(partners);
        store(boards + SLOTS * count, stepped(now, b, low));
        if (moves == NULL)
            continue;
        write_moves(moves + MOVES * count, b < a ? and_then(second, 0, b, low) : and_then(first, 1, b, low));
    }
    sink->full |= partners != 0;
    sink->count = count;
}

/* Two different dice where no checker enters or bears off: the high one first, then the low one first.
 *
 * Two moves from different slots leave different boards, except where one checker ends where the other begins: then the
 * only change is that a checker goes from s to s + high + low. This board is the result of
 *   s and then s + high, if s + high is open;
 *   s + low and then s, high die first, if the mover has checkers on s + low;
 *   s and then s + low, low die first, if s + low is open;
 * and these differ only if a blot is hit on the way. The first in this order is kept.
 */
static void mixed_in_the_field(const Board *board, uint32_t open, int high, int low, Sink *sink)
{
    const uint32_t own = board->own, blots = board->blots;
    const uint32_t highs = own & open >> high, lows = own & open >> low;
    const uint32_t quiet = open & ~blots;
    const size_t start = sink->count;
    for (uint32_t rest = highs; rest; rest &= rest - 1) {
        const int a = lowest(rest);
        const Board now = moved(board, a, high);
        uint32_t partners = now.own & open >> low;
        if (a >= low && quiet & BIT(a - low + high)) /* already found from a - low */
            partners &= ~BIT(a - low);
        put_pairs(sink, &now, a, high, partners, low);
    }
    const uint32_t runs = lows & open >> low >> high, over_high = highs & open >> high >> low;
    for (uint32_t rest = runs & ~(own >> low) & ~(over_high & quiet >> high & quiet >> low); rest; rest &= rest - 1) {
        const int s = lowest(rest);
        const Board now = moved(board, s, low);
        put_all(sink, &now, BIT(s + low), high, and_then(UNUSED, 0, s, low), 1);
    }
    if (sink->count == start)
        put_all(sink, board, highs ? highs : lows, highs ? high : low, UNUSED, 0);
}

/* Enter with one die, then play the other from any slot that is not left out. */
static void enter(const Board *board, uint32_t open, int die, int then, uint32_t left_out, Sink *sink)
{
    if (!(open & BIT(die)))
        return;
    const Board now = moved(board, 0, die);
    put_all(sink, &now, sources(now.own, open, then) & ~left_out, then, and_then(UNUSED, 0, 0, die), 1);
}

/* Two different dice with checkers on the bar: the two orders differ in where the first checker enters. */
static void mixed_from_the_bar(const Board *board, uint32_t open, int high, int low, Sink *sink)
{
    const uint32_t entries = BIT(high) | BIT(low);
    const size_t start = sink->count;
    uint32_t same = 0;
    if (moved(board, 0, high).own & ON_BAR) /* two enter, one with each die, in either order */
        same = (open & entries) == entries ? ON_BAR : 0;
    else if (open & BIT(high) && open & BIT(high + low) && !(board->blots & entries))
        same = BIT(low); /* one checker enters and runs on, in either order */
    enter(board, open, high, low, 0, sink);
    enter(board, open, low, high, same, sink);
    if (sink->count == start)
        put_all(sink, board, open & entries ? ON_BAR : 0, open & BIT(high) ? high : low, UNUSED, 0);
}

/* Drop the last row if it is a duplicate. */
static void keep_once(Sink *sink, size_t start)
{
    if (sink->full)
        return;
    const int8_t *last = sink->boards + SLOTS * (sink->count - 1);
    for (const int8_t *row = sink->boards + SLOTS * start; row < last; row += SLOTS) {
        /* the home board first, since most rows differ there */
        if (memcmp(row + SLOTS - 8, last + SLOTS - 8, 8) == 0 && memcmp(row, last, SLOTS - 8) == 0) {
            sink->count--;
            return;
        }
    }
}

static void play_in_turn(const Board *board, uint32_t open, int die, int then, Sink *sink, size_t start)
{
    for (uint32_t firsts = sources(board->own, open, die); firsts; firsts &= firsts - 1) {
        const Board now = moved(board, lowest(firsts), die);
        for (uint32_t rest = sources(now.own, open, then); rest; rest &= rest - 1) {
            put_all(sink, &now, BIT(lowest(rest)), then, UNUSED, 0);
            keep_once(sink, start);
        }
    }
}

/* The moves to a result, as moves_to() in pure.py finds them: from the rear, larger die first; one move alone only if both
 * dice do not lead there, or if it ends the game. False if none do. */
static bool retrace(const Board *board, uint32_t open, const int8_t *result, const int *dice, int left, Moves *moves)
{
    int8_t at[WIDTH];
    uint32_t playable = 0, changed = board->own;
    store(at, board->slots);
    for (int i = 0; i < left; i++)
        playable |= sources(board->own, open, dice[i]);
    if (!playable && memcmp(at, result, SLOTS) == 0)
        return true;
    while (changed && at[lowest(changed)] >= result[lowest(changed)])
        changed &= changed - 1;
    bool alone = false; /* one move leads there, and leaves nothing for the other die */
    for (int i = 0; changed && i < left && (i == 0 || dice[i] != dice[0]); i++) {
        const int source = lowest(changed);
        Moves rest = UNUSED;
        if (!(sources(board->own, open, dice[i]) & BIT(source)))
            continue;
        const Board after = moved(board, source, dice[i]);
        /* only two dice can differ: without the second, the first is left */
        if (!retrace(&after, open, result, i == 0 ? dice + 1 : dice, left - 1, &rest) || (alone && rest == UNUSED))
            continue;
        *moves = and_then(rest << 16 | 0xFFFF, 0, source, dice[i]);
        if (rest != UNUSED || !after.own)
            return true;
        alone = true;
    }
    return alone;
}

/* Two different dice where checkers may be borne off: one after the other, in both orders. */
static void mixed_near_home(const Board *board, uint32_t open, int high, int low, Sink *sink)
{
    const size_t start = sink->count;
    const int dice[2] = {high, low};
    play_in_turn(board, open, high, low, sink, start);
    play_in_turn(board, open, low, high, sink, start);
    if (sink->count == start)
        put_all(sink, board, sources(board->own, open, high), high, UNUSED, 0);
    if (sink->count == start)
        put_all(sink, board, sources(board->own, open, low), low, UNUSED, 0);
    /* a checker may be borne off by one die or by both, so the moves must not depend on which was found first */
    for (size_t i = start; sink->moves != NULL && i < sink->count; i++) {
        Moves moves = UNUSED;
        retrace(board, open, sink->boards + SLOTS * i, dice, 2, &moves);
        write_moves(sink->moves + MOVES * i, moves);
    }
}

/* Add every distinct board that a roll leads to: none if the game is over, the same board if nothing can be played. */
static void enumerate(Board *board, int high, int low, Sink *sink)
{
    const size_t start = sink->count;
    const uint32_t theirs = more_than(0, board->slots), outside = board->own & OUTSIDE;
    const uint32_t open = find_open(board, theirs);
    if (!board->own || !theirs)
        return;
    if (high == low) {
        Doublet turn = {sink, open, high, 0, start};
        play_on(&turn, board, ~(uint32_t)0, UNUSED, 0);
    } else if (board->own & ON_BAR) {
        mixed_from_the_bar(board, open, high, low, sink);
    } else if (outside & (outside - 1)) {
        mixed_in_the_field(board, open, high, low, sink);
    } else {
        mixed_near_home(board, open, high, low, sink);
    }
    if (sink->count == start)
        put_same(sink, board, UNUSED);
}

/* --- what can be read from boards ---------------------------------------------------------------------------------------- */

/* A checked board as the player on roll sees it. */
typedef struct {
    Slots slots;
    int8_t at[WIDTH];
    int mine, theirs; /* checkers on the board and the bar */
} Row;

typedef struct {
    const int8_t *points; /* count x 26 */
    size_t count;
    int checkers; /* that a side has at most */
} Rows;

/* False if it cannot be a board: too many checkers, or one on the other side's bar. No count is read twice, as another
 * thread may change it. */
static inline bool read_row(const Rows *rows, size_t index, Row *row)
{
    const int8_t *points = rows->points + SLOTS * index;
    int more;
#if USE_SSE2
    const __m128i first = _mm_loadu_si128((const __m128i *)(const void *)points);
    const __m128i last = _mm_loadu_si128((const __m128i *)(const void *)(points + SLOTS - 16));
    row->slots = (Slots){{first, _mm_srli_si128(last, SLACK)}};
#else
    memset(row->slots.at, 0, WIDTH);
    memcpy(row->slots.at, points, SLOTS);
#endif
    store(row->at, row->slots);
    count_checkers(row->slots, &row->mine, &more);
    row->theirs = row->mine - more;
    return row->mine <= rows->checkers && row->theirs <= rows->checkers && row->at[0] <= 0 && row->at[BAR] >= 0;
}

/* Each of these fills the memory for all rows, or returns the index of the first that is no board; the number of rows if
 * all are. They run without the interpreter. */
typedef size_t Fill(const Rows *rows, void *out);

static size_t fill_flipped(const Rows *rows, void *out)
{
    Row row;
    for (size_t i = 0; i < rows->count; i++) {
        if (!read_row(rows, i, &row))
            return i;
        store(row.at, turned(row.at));
        memcpy((int8_t *)out + SLOTS * i, row.at, SLOTS);
    }
    return rows->count;
}

static size_t fill_pip_counts(const Rows *rows, void *out)
{
    Row row;
    for (size_t i = 0; i < rows->count; i++) {
        int32_t pips[2], all = 0;
        if (!read_row(rows, i, &row))
            return i;
        pips[0] = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            pips[0] += slot * (row.at[slot] > 0 ? row.at[slot] : 0);
            all += slot * row.at[slot];
        }
        pips[1] = BAR * row.theirs - (pips[0] - all); /* the opponent counts their points from the other end */
        memcpy((int32_t *)out + 2 * i, pips, sizeof pips);
    }
    return rows->count;
}

/* 1, 2 or 3 if the player on roll has won, below 0 if they have lost, 0 if the game goes on. */
static inline int outcome_of(const Row *row, int checkers)
{
    const uint32_t their_home = BIT(26) - BIT(19), my_home = BIT(7) - BIT(0); /* each with the bar of who may be there */
    if (row->mine && row->theirs)
        return 0;
    if (row->mine)
        return row->mine < checkers ? -1 : more_than(0, row->slots) & their_home ? -3 : -2;
    return row->theirs < checkers ? 1 : below_zero(row->slots) & my_home ? 3 : 2;
}

static size_t fill_outcomes(const Rows *rows, void *out)
{
    Row row;
    for (size_t i = 0; i < rows->count; i++) {
        if (!read_row(rows, i, &row) || (!row.mine && !row.theirs))
            return i;
        ((int8_t *)out)[i] = (int8_t)outcome_of(&row, rows->checkers);
    }
    return rows->count;
}

enum { POINT_INPUTS = 4 * 24, INPUTS = 198 };

/* The four inputs of a point for -15 to 15 checkers of a side; the other side's count as none. */
#define NONE {0, 0, 0, 0}
#define MORE(n) {1, 1, 1, ((n) - 3) / 2.0f}
static const float UNITS[2 * MOST_CHECKERS + 1][4] = {
    NONE,         NONE,         NONE,    NONE,    NONE,    NONE,    NONE,    NONE,
    NONE,         NONE,         NONE,    NONE,    NONE,    NONE,    NONE,    NONE, /* up to 0 */
    {1, 0, 0, 0}, {1, 1, 0, 0}, MORE(3), MORE(4), MORE(5), MORE(6), MORE(7), MORE(8),
    MORE(9),      MORE(10),     MORE(11), MORE(12), MORE(13), MORE(14), MORE(15),
};
#undef NONE
#undef MORE

static inline void write_inputs(float *inputs, const Row *row, int checkers)
{
    const float(*const none)[4] = UNITS + MOST_CHECKERS;
    for (int point = 1; point < BAR; point++) {
        memcpy(inputs + 4 * (point - 1), none[row->at[point]], sizeof *none);
        memcpy(inputs + 4 * (point - 1) + POINT_INPUTS, none[-row->at[point]], sizeof *none);
    }
    const float others[INPUTS - 2 * POINT_INPUTS] = {
        (float)row->at[BAR] / 2,
        (float)-row->at[0] / 2,
        (float)((double)(checkers - row->mine) / checkers),
        (float)((double)(checkers - row->theirs) / checkers),
        1,
        0,
    };
    memcpy(inputs + 2 * POINT_INPUTS, others, sizeof others);
}

/* All boards are checked before anything is written, since the memory is the caller's. */
static size_t fill_features(const Rows *rows, void *out)
{
    Row row;
    for (size_t i = 0; i < rows->count; i++) {
        if (!read_row(rows, i, &row))
            return i;
    }
    for (size_t i = 0; i < rows->count; i++) {
        if (!read_row(rows, i, &row)) /* another thread has changed it */
            return i;
        write_inputs((float *)out + INPUTS * i, &row, rows->checkers);
    }
    return rows->count;
}

/* --- Position IDs --------------------------------------------------------------------------------------------------- */

/* 80 bits, which position_id.py describes, as 14 characters of six bits each: 25 counts of the opponent, in their own
 * numbering and their bar last, and then 25 of the player on roll. */
enum { ID_LENGTH = 14, ID_BYTES = 10, FIELDS = 25, ID_DIGITS = 4 * ID_BYTES / 2, NO_BASE64 = 64 };

static const char BASE64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* A 1 for each checker of a side and a 0 after each of its places, the lowest place in the lowest bits. */
static inline uint64_t bits_of_side(const int8_t *at)
{
    uint64_t bits = 0;
    int end = 0;
    for (int place = 1; place <= BAR; place++) {
        const int checkers = at[place] > 0 ? at[place] : 0;
        bits |= (((uint64_t)1 << checkers) - 1) << end;
        end += checkers + 1;
    }
    return bits;
}

/* The characters of an ID as NumPy stores texts, four bytes for each; two more are written. */
static inline void encode(uint64_t low, uint64_t high, uint32_t *characters)
{
    for (int group = 0; group < 4; group++) {
        uint32_t three = 0;
        for (int byte = 3 * group; byte < 3 * group + 3; byte++)
            three = three << 8 | (uint8_t)(byte < 8 ? low >> 8 * byte : byte < ID_BYTES ? high >> 8 * (byte - 8) : 0);
        for (int part = 0; part < 4; part++)
            characters[4 * group + part] = (uint8_t)BASE64[three >> (18 - 6 * part) & 63];
    }
}

static size_t fill_ids(const Rows *rows, void *out)
{
    Row row;
    int8_t turned_row[WIDTH];
    uint32_t characters[ID_LENGTH + 2];
    for (size_t i = 0; i < rows->count; i++) {
        if (!read_row(rows, i, &row) || (!row.mine && !row.theirs))
            return i;
        store(turned_row, turned(row.at));
        const uint64_t mine = bits_of_side(row.at), theirs = bits_of_side(turned_row);
        const int length = FIELDS + row.theirs; /* 25 to 40 */
        encode(theirs | mine << length, mine >> (64 - length), characters);
        memcpy((uint32_t *)out + ID_LENGTH * i, characters, ID_LENGTH * sizeof *characters);
    }
    return rows->count;
}

typedef struct {
    int checkers, pips, bar, prime, anchors, rear;
} Side;

/* One side of a board, in its own numbering. */
static Side read_side(const int8_t *at)
{
    Side side = {.rear = -1};
    for (int place = 1, stretch = 0; place <= BAR; place++) {
        const int checkers = at[place] > 0 ? at[place] : 0;
        stretch = checkers > 1 && place < BAR ? stretch + 1 : 0;
        side.checkers += checkers;
        side.pips += place * checkers;
        side.bar = checkers; /* the last place */
        side.rear = checkers ? place : side.rear;
        side.prime = stretch > side.prime ? stretch : side.prime;
        side.anchors += stretch && place > 18;
    }
    return side;
}

/* What four bits say, the lowest first: how many counts end in them, these counts, and the checkers after the last of them. */
typedef struct {
    uint8_t ended, begun;
    int8_t counts[4];
} Digit;
static const Digit DIGITS[16] = {
    {4, 0, {0, 0, 0, 0}}, {3, 0, {1, 0, 0}}, {3, 0, {0, 1, 0}}, {2, 0, {2, 0}}, {3, 0, {0, 0, 1}}, {2, 0, {1, 1}},
    {2, 0, {0, 2}},       {1, 0, {3}},       {3, 1, {0, 0, 0}}, {2, 1, {1, 0}}, {2, 1, {0, 1}},    {1, 1, {2}},
    {2, 2, {0, 0}},       {1, 2, {1}},       {1, 3, {0}},       {0, 4, {0}},
};

typedef struct {
    const uint8_t *texts; /* count x width characters */
    size_t count, width;
    int checkers;
    uint8_t value[256]; /* of each character; NO_BASE64 for others */
} Ids;

/* The bytes of an ID. False if there is another character, or bits are set beyond the tenth byte. */
static inline bool decode(const Ids *ids, const uint8_t *text, uint8_t *bytes)
{
    uint32_t wrong = 0;
    for (int group = 0; group < 4; group++) {
        uint32_t three = 0;
        for (int at = 4 * group; at < 4 * group + 4; at++) {
            const uint32_t value = at < ID_LENGTH ? ids->value[text[at]] : 0;
            wrong |= value & NO_BASE64;
            three = three << 6 | value;
        }
        for (int byte = 0; byte < 3; byte++)
            bytes[3 * group + byte] = (uint8_t)(three >> (16 - 8 * byte));
    }
    return !wrong && !bytes[ID_BYTES];
}

/* Write the counts, which end in a 0 each, and return how many there are: 80 without checkers. */
static inline int read_counts(const uint8_t *bytes, int8_t *counts)
{
    int ended = 0, begun = 0;
    for (int i = 0; i < ID_DIGITS; i++) {
        const Digit *digit = &DIGITS[bytes[i / 2] >> 4 * (i % 2) & 15];
        memcpy(counts + ended, digit->counts, sizeof digit->counts);
        counts[ended] = (int8_t)(counts[ended] + begun);
        begun = digit->begun + (digit->ended ? 0 : begun);
        ended += digit->ended;
    }
    return ended;
}

/* Whether both sides have a checker on the bar against a closed board. */
static inline bool are_shut_out(const int8_t *points)
{
    bool both = points[0] && points[BAR];
    for (int point = 1; point <= 6 && both; point++)
        both = points[point] > 1 && points[BAR - point] < -1;
    return both;
}

/* False if it is not the usual text of a board that can be. Then the caller reads it with more patience, and says what is
 * wrong. */
static bool read_id(const Ids *ids, const uint8_t *text, int8_t *points)
{
    uint8_t bytes[ID_BYTES + 2];
    int8_t counts[8 * ID_BYTES + 4] = {0}, sides[2][WIDTH] = {{0}};
    int mine, more;
    if (!decode(ids, text, bytes))
        return false;
    const int ones = 8 * ID_BYTES - read_counts(bytes, counts);
    memcpy(sides[0] + 1, counts, FIELDS);
    memcpy(sides[1] + 1, counts + FIELDS, FIELDS);
    const Slots opposing = turned(sides[0]), board = plus(opposing, sides[1]);
    const bool is_shared = below_zero(opposing) & more_than(0, load(sides[1]));
    store(sides[0], board);
    memcpy(points, sides[0], SLOTS);
    count_checkers(board, &mine, &more);
    const int theirs = mine - more; /* other ones are bits after the board */
    return mine <= ids->checkers && theirs <= ids->checkers && mine + theirs > 0 && mine + theirs == ones && !is_shared &&
           !are_shut_out(sides[0]);
}

/* Write the boards of these IDs, and which of them could be read. It runs without the interpreter. */
static void fill_boards(Ids *ids, int8_t *points, uint8_t *is_read)
{
    memset(ids->value, NO_BASE64, sizeof ids->value);
    for (uint8_t value = 0; value < 64; value++)
        ids->value[(uint8_t)BASE64[value]] = value;
    for (size_t i = 0; i < ids->count; i++)
        is_read[i] = read_id(ids, ids->texts + ids->width * i, points + SLOTS * i);
}

/* --- the module -------------------------------------------------------------------------------------------------- */

typedef struct {
    void *data;
    size_t size; /* bytes */
} Memory;

enum { OFFSETS, BOARDS, MOVE_ROWS, KINDS };

typedef struct {
    PyTypeObject *found;
    PyTypeObject *maker;
    PyTypeObject *maker_iterator;
    PyTypeObject *block;
    PyObject *number[256]; /* the int for each byte of a board */
    Memory spare[KINDS]; /* memory of an earlier batch, for the next one */
} State;

static State *state_of(PyObject *module)
{
    return (State *)PyModule_GetState(module);
}

static PyTypeObject *new_type(PyObject *module, PyType_Spec *spec)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
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
        PyErr_Format(PyExc_IndexError, "there is no result %zd among %zd", index, Py_SIZE(self));
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
    .name = "gammonrules.board._kernel.Found",
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

static bool is_board(PyObject *value)
{
    if (PyBytes_Check(value) && PyBytes_Size(value) == SLOTS)
        return true;
    PyErr_Format(PyExc_TypeError, "a board is %d bytes, not %.100R", SLOTS, value);
    return false;
}

static bool read_arguments(PyObject *const *args, Py_ssize_t number, Board *board, int *high, int *low)
{
    if (number != 3) {
        PyErr_Format(PyExc_TypeError, "expected a board and two dice, not %zd arguments", number);
        return false;
    }
    if (!is_board(args[0]))
        return false;
    *high = read_die(args[1]);
    *low = *high ? read_die(args[2]) : 0;
    if (!*high || !*low)
        return false;
    if (*high < *low) {
        PyErr_Format(PyExc_ValueError, "the larger die comes first, not %d before %d", *high, *low);
        return false;
    }
    if (!read_board((const int8_t *)PyBytes_AsString(args[0]), board)) {
        PyErr_SetString(PyExc_ValueError, "not a board: more than 15 checkers a side, or a checker on the other side's bar");
        return false;
    }
    return true;
}

static PyObject *legal_plays(PyObject *module, PyObject *const *args, Py_ssize_t number)
{
    Board board;
    int high, low;
    int8_t rows[SLOTS * USUAL_PLAYS + SLACK];
    Sink sink = {.boards = rows, .capacity = USUAL_PLAYS};
    if (!read_arguments(args, number, &board, &high, &low))
        return NULL;
    enumerate(&board, high, low, &sink);
    if (!sink.full)
        return found_from(state_of(module), &sink);
    sink = (Sink){.boards = PyMem_Malloc(SLOTS * MOST_PLAYS + SLACK), .capacity = MOST_PLAYS};
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

/* A move as a Python tuple; if it hits, that blot is gone. */
static PyObject *move_of(int from, int to, uint32_t *blots)
{
    const uint32_t target = to > 0 ? BIT(BAR - to) : 0;
    const bool hit = *blots & target;
    *blots &= ~target;
    return Py_BuildValue("(iiN)", from, to, PyBool_FromLong(hit));
}

static PyObject *list_of(Moves moves, uint32_t blots)
{
    PyObject *list = PyList_New(0);
    for (; list != NULL && (moves & 0xFF) != 0xFF; moves = moves >> 16 | (Moves)0xFFFF << 48) {
        PyObject *move = move_of((int)(moves & 0xFF), (int)(moves >> 8 & 0xFF), &blots);
        if (move == NULL || PyList_Append(list, move) < 0)
            Py_CLEAR(list);
        Py_XDECREF(move);
    }
    return list;
}

static PyObject *moves_to(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    Board board;
    int dice[4];
    Moves moves = UNUSED;
    if (number != 4 || !PyBytes_Check(args[3]) || PyBytes_Size(args[3]) != SLOTS) {
        PyErr_Format(PyExc_TypeError, "expected a board, two dice and the board after them (%d bytes)", SLOTS);
        return NULL;
    }
    if (!read_arguments(args, 3, &board, &dice[0], &dice[1]))
        return NULL;
    dice[2] = dice[3] = dice[0];
    const uint32_t open = find_open(&board, more_than(0, board.slots));
    if (!retrace(&board, open, (const int8_t *)PyBytes_AsString(args[3]), dice, dice[0] == dice[1] ? 4 : 2, &moves))
        Py_RETURN_NONE;
    return list_of(moves, board.blots);
}

/* --- a turn move by move ------------------------------------------------------------------------------------------------- */

/* After k moves of a doublet, 15 checkers can share them in C(14 + k, k) ways; two different dice give fewer stages. */
enum { BOTH = 7, MOST_STAGES = 1 + 15 + 120 + 680 + 3060, MOST_BRANCHES = 15 * (1 + 15 + 120 + 680), BUCKETS = 1 << 13 };

typedef struct {
    uint16_t after; /* index of a stage */
    uint8_t from, die;
} Branch;

typedef struct {
    Board board;
    int left;            /* how many dice of a doublet; else BOTH, the one die that is left, or 0 */
    uint16_t first, end; /* its branches */
    uint16_t number;     /* of those that are kept */
    bool kept;           /* a legal play can be completed */
} Stage;

typedef struct {
    Stage stages[MOST_STAGES];
    Branch branches[MOST_BRANCHES];
    uint16_t buckets[BUCKETS]; /* the index of a stage plus 1, at a place that its hash gives */
    uint16_t stage_count, branch_count;
    int high, low;
} Graph;

/* Where the index of a stage is, or would be: then it is 0. */
static uint16_t *bucket_of(Graph *graph, const Slots *slots, int left)
{
    uint64_t words[WIDTH / 8], hash = (uint64_t)left;
    memcpy(words, slots, WIDTH);
    for (int i = 0; i < WIDTH / 8; i++) {
        hash = (hash ^ words[i]) * 0x9E3779B97F4A7C15;
        hash ^= hash >> 32;
    }
    for (;; hash++) {
        uint16_t *bucket = &graph->buckets[hash % BUCKETS];
        if (!*bucket)
            return bucket;
        const Stage *stage = &graph->stages[*bucket - 1];
        if (stage->left == left && memcmp(&stage->board.slots, slots, WIDTH) == 0)
            return bucket;
    }
}

static uint16_t add_stage(Graph *graph, Board board, int left)
{
    uint16_t *bucket = bucket_of(graph, &board.slots, left);
    if (!*bucket) {
        graph->stages[graph->stage_count] = (Stage){.board = board, .left = left};
        *bucket = ++graph->stage_count;
    }
    return (uint16_t)(*bucket - 1);
}

/* Add the moves of a stage, from the rear, larger die first. Where both dice bear off the same checker, no higher one is
 * left, so that both then allow the same: the smaller is used. */
static void add_branches(Graph *graph, Stage *stage, uint32_t open)
{
    const bool is_doublet = graph->high == graph->low;
    const int one = is_doublet || stage->left == BOTH ? graph->high : stage->left;
    const int dice[2] = {one, graph->high + graph->low - one};
    const int number = stage->left == 0 ? 0 : stage->left == BOTH ? 2 : 1;
    uint32_t from[2] = {0, 0};
    for (int i = 0; i < number; i++)
        from[i] = sources(stage->board.own, open, dice[i]);
    from[0] &= ~(from[1] & ~(BIT(BAR - graph->low) - 1));
    stage->first = graph->branch_count;
    for (uint32_t rest = from[0] | from[1]; rest; rest &= rest - 1) {
        const int slot = lowest(rest);
        for (int i = 0; i < number; i++) {
            if (!(from[i] & BIT(slot)))
                continue;
            const int left = is_doublet ? stage->left - 1 : number == 2 ? dice[1 - i] : 0;
            const uint16_t after = add_stage(graph, moved(&stage->board, slot, dice[i]), left);
            graph->branches[graph->branch_count++] = (Branch){after, (uint8_t)slot, (uint8_t)dice[i]};
        }
    }
    stage->end = graph->branch_count;
}

/* Keep the stages from which a legal play can be completed, and number them. Returns how many they are. */
static uint16_t keep_fruitful(Graph *graph)
{
    uint16_t number = 0;
    int least = graph->stages[0].left; /* the dice left where a play ends: as few as possible, the lower if it is one */
    for (int i = 1; i < graph->stage_count; i++)
        least = graph->stages[i].left < least ? graph->stages[i].left : least;
    for (int i = graph->stage_count - 1; i >= 0; i--) {
        Stage *stage = &graph->stages[i];
        stage->kept = stage->left == least || (!stage->board.own && *bucket_of(graph, &stage->board.slots, least));
        for (int j = stage->first; j < stage->end; j++)
            stage->kept |= graph->stages[graph->branches[j].after].kept;
    }
    for (int i = 0; i < graph->stage_count; i++) {
        graph->stages[i].number = number;
        number = (uint16_t)(number + graph->stages[i].kept);
    }
    return number;
}

/* A move as a Python tuple: from, to, die, and the number of the node after it. */
static PyObject *branch_tuple(const State *state, const Graph *graph, const Branch *branch)
{
    const int to = branch->from + branch->die < BAR ? BAR - branch->from - branch->die : 0;
    PyObject *tuple = NULL, *number = PyLong_FromLong(graph->stages[branch->after].number);
    if (number != NULL) {
        tuple = PyTuple_Pack(4, state->number[BAR - branch->from], state->number[to], state->number[branch->die], number);
        Py_DECREF(number);
    }
    return tuple;
}

static PyObject *node_tuple(const State *state, const Graph *graph, const Stage *stage)
{
    Py_ssize_t size = 0;
    for (int j = stage->first; j < stage->end; j++)
        size += graph->stages[graph->branches[j].after].kept;
    PyObject *node = PyTuple_New(size);
    for (int j = stage->end; node != NULL && j-- > stage->first;) {
        if (!graph->stages[graph->branches[j].after].kept)
            continue;
        PyObject *branch = branch_tuple(state, graph, &graph->branches[j]);
        if (branch == NULL)
            Py_CLEAR(node);
        else
            PyTuple_SetItem(node, --size, branch);
    }
    return node;
}

static PyObject *turn_nodes(PyObject *module, PyObject *const *args, Py_ssize_t number)
{
    Board board;
    int high, low;
    if (!read_arguments(args, number, &board, &high, &low))
        return NULL;
    Graph *graph = PyMem_Malloc(sizeof *graph);
    if (graph == NULL)
        return PyErr_NoMemory();
    memset(graph->buckets, 0, sizeof graph->buckets);
    graph->stage_count = graph->branch_count = 0;
    graph->high = high;
    graph->low = low;
    const uint32_t theirs = more_than(0, board.slots), open = find_open(&board, theirs);
    add_stage(graph, board, high == low ? 4 : BOTH);
    for (int i = 0; i < graph->stage_count && board.own && theirs; i++)
        add_branches(graph, &graph->stages[i], open);
    PyObject *nodes = PyTuple_New(keep_fruitful(graph));
    for (int i = 0; i < graph->stage_count && nodes != NULL; i++) {
        const Stage *stage = &graph->stages[i];
        PyObject *node = stage->kept ? node_tuple(state_of(module), graph, stage) : NULL;
        if (node != NULL)
            PyTuple_SetItem(nodes, stage->number, node);
        else if (stage->kept)
            Py_CLEAR(nodes);
    }
    PyMem_Free(graph);
    return nodes;
}

/* --- functions for the hottest loops --------------------------------------------------------------------------------- */

static int plain_face(PyObject *die)
{
    int overflow = 0;
    const long face = PyLong_CheckExact(die) ? PyLong_AsLongAndOverflow(die, &overflow) : 0;
    return face >= 1 && face <= 6 ? (int)face : 0;
}

/* The faces of a roll as a number of two digits, if it is a string like "31" or a pair of ints; 0 for anything else. */
/* As board_facts.py. */
static PyObject *facts_of(PyObject *Py_UNUSED(module), PyObject *value)
{
    if (!is_board(value))
        return NULL;
    const int8_t *board = (const int8_t *)PyBytes_AsString(value);
    int8_t opposing[WIDTH];
    store(opposing, turned(board));
    const Side mine = read_side(board), theirs = read_side(opposing);
    if (mine.checkers > MOST_CHECKERS || theirs.checkers > MOST_CHECKERS) {
        PyErr_Format(PyExc_ValueError, "a side has at most %d checkers", MOST_CHECKERS);
        return NULL;
    }
    uint32_t wide[ID_LENGTH + 2];
    char identifier[ID_LENGTH];
    const int length = FIELDS + theirs.checkers;
    const uint64_t bits = bits_of_side(board);
    encode(bits_of_side(opposing) | bits << length, bits >> (64 - length), wide);
    for (int i = 0; i < ID_LENGTH; i++)
        identifier[i] = (char)wide[i];
    return Py_BuildValue("s#Oiiiiiiiiii", identifier, (Py_ssize_t)ID_LENGTH, mine.rear + theirs.rear < BAR ? Py_True : Py_False,
                         mine.checkers, mine.pips, mine.bar, mine.prime, mine.anchors, theirs.checkers, theirs.pips, theirs.bar,
                         theirs.prime, theirs.anchors);
}

static PyObject *faces_of(PyObject *module, PyObject *dice)
{
    int one = 0, other = 0;
    if (PyTuple_CheckExact(dice) && PyTuple_Size(dice) == 2) {
        one = plain_face(PyTuple_GetItem(dice, 0));
        other = plain_face(PyTuple_GetItem(dice, 1));
    } else if (PyUnicode_CheckExact(dice) && PyUnicode_GetLength(dice) == 2) {
        const uint32_t first = PyUnicode_ReadChar(dice, 0) - '0', second = PyUnicode_ReadChar(dice, 1) - '0';
        one = first <= 6 ? (int)first : 0;
        other = second <= 6 ? (int)second : 0;
    }
    return Py_NewRef(state_of(module)->number[one && other ? 10 * one + other : 0]);
}

/* --- Maker: values made without running their constructor -------------------------------------------------------------- */

typedef struct {
    PyObject_VAR_HEAD /* the size is the number of fields */
    PyTypeObject *type;
    allocfunc allocate;
    Py_ssize_t offsets[]; /* of each field, in bytes */
} Maker;

static PyObject **field_of(PyObject *value, Py_ssize_t offset)
{
    return (PyObject **)(void *)((char *)value + offset);
}

static PyObject *make(PyObject *self, PyObject *const *values)
{
    const Maker *maker = (Maker *)self;
    PyObject *made = maker->allocate(maker->type, 0);
    for (Py_ssize_t i = 0; made != NULL && i < Py_SIZE(self); i++)
        *field_of(made, maker->offsets[i]) = Py_NewRef(values[i]);
    return made;
}

static PyObject *maker_make(PyObject *self, PyObject *const *values, Py_ssize_t number)
{
    if (number != Py_SIZE(self)) {
        PyErr_Format(PyExc_TypeError, "expected %zd values, not %zd", Py_SIZE(self), number);
        return NULL;
    }
    return make(self, values);
}

static int maker_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Maker *)self)->type);
    return 0;
}

static void maker_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_CLEAR(((Maker *)self)->type);
    free_instance(self);
}

/* The offset of a slot in the objects of its class, or -1. The stable ABI does not give it, but the setter of the slot
 * changes an empty object at that place only. Setters of slots refuse objects without the slot; other descriptors may do
 * anything, so they are not tried. */
static Py_ssize_t find_offset(PyTypeObject *type, PyObject *empty, PyObject *name)
{
    const descrsetfunc set = (descrsetfunc)PyType_GetSlot(&PyMemberDescr_Type, Py_tp_descr_set);
    PyObject *member = PyObject_GetAttr((PyObject *)type, name);
    Py_ssize_t offset = -1;
    if (member != NULL && !Py_IS_TYPE(member, &PyMemberDescr_Type)) {
        PyErr_Format(PyExc_TypeError, "%R is not a slot of %R", name, type);
    } else if (member != NULL && set(member, empty, Py_None) == 0) {
        offset = sizeof(PyObject);
        while (*field_of(empty, offset) != Py_None)
            offset += (Py_ssize_t)sizeof(PyObject *);
        if (set(member, empty, NULL) < 0)
            offset = -1;
    }
    Py_XDECREF(member);
    return offset;
}

static PyObject *new_maker(PyTypeObject *maker_type, PyObject *args, PyObject *keywords)
{
    const Py_ssize_t number = PyTuple_Size(args) - 1;
    PyObject *given = number >= 0 ? PyTuple_GetItem(args, 0) : NULL;
    PyTypeObject *type = (PyTypeObject *)given;
    if (keywords != NULL || given == NULL || !PyType_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "expected a class and the names of some of its slots");
        return NULL;
    }
    if (PyType_GetSlot(type, Py_tp_new) != PyType_GetSlot(&PyBaseObject_Type, Py_tp_new)) {
        PyErr_Format(PyExc_TypeError, "%R is not made by object.__new__", type);
        return NULL;
    }
    Maker *maker = PyObject_GC_NewVar(Maker, maker_type, number);
    if (maker == NULL)
        return NULL;
    maker->type = (PyTypeObject *)Py_NewRef(given);
    maker->allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    PyObject *empty = maker->allocate(type, 0);
    for (Py_ssize_t i = 0; empty != NULL && i < number; i++) {
        maker->offsets[i] = find_offset(type, empty, PyTuple_GetItem(args, i + 1));
        if (maker->offsets[i] < 0)
            Py_CLEAR(empty);
    }
    PyObject_GC_Track((PyObject *)maker); /* only now that it has its offsets, since code of the class may find it */
    if (empty == NULL)
        Py_CLEAR(maker);
    Py_XDECREF(empty);
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
    .name = "gammonrules.board._kernel.Maker",
    .basicsize = offsetof(Maker, offsets),
    .itemsize = sizeof(Py_ssize_t),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = maker_slots,
};

/* --- the attribute `points` of positions, which programs read for every play ------------------------------------------- */

typedef struct {
    PyObject_HEAD
    Maker *positions; /* its first field is the board */
} Points;

static PyObject *points_get(PyObject *self, PyObject *position, PyObject *Py_UNUSED(type))
{
    PyObject *const *number = ((State *)PyType_GetModuleState(Py_TYPE(self)))->number;
    const Maker *positions = ((Points *)self)->positions;
    if (position == NULL)
        return Py_NewRef(self);
    if (!PyObject_TypeCheck(position, positions->type)) {
        PyErr_Format(PyExc_TypeError, "%.100R is not a position", position);
        return NULL;
    }
    PyObject *board = *field_of(position, positions->offsets[0]);
    if (!is_board(board == NULL ? Py_None : board)) /* made by object.__new__ */
        return NULL;
    const uint8_t *at = (const uint8_t *)PyBytes_AsString(board);
#define NUMBERS(i) number[at[i]], number[at[i + 1]], number[at[i + 2]], number[at[i + 3]], number[at[i + 4]], number[at[i + 5]]
    return PyTuple_Pack(SLOTS, number[at[0]], NUMBERS(1), NUMBERS(7), NUMBERS(13), NUMBERS(19), number[at[25]]);
#undef NUMBERS
}

static int points_set(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(position), PyObject *Py_UNUSED(value))
{
    PyErr_SetString(PyExc_AttributeError, "points cannot be set");
    return -1;
}

static int points_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Points *)self)->positions);
    return 0;
}

static void points_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_CLEAR(((Points *)self)->positions);
    free_instance(self);
}

/* Arguments: the Maker of positions, and the docstring. */
static PyObject *points_of(PyObject *module, PyObject *const *args, Py_ssize_t number)
{
    if (number != 2 || !Py_IS_TYPE(args[0], state_of(module)->maker) || Py_SIZE(args[0]) == 0) {
        PyErr_SetString(PyExc_TypeError, "expected a Maker of a field or more, and a text");
        return NULL;
    }
    const char *doc = PyUnicode_AsUTF8AndSize(args[1], NULL);
    if (doc == NULL)
        return NULL;
    PyType_Slot descriptor_slots[] = {
        {Py_tp_doc, (void *)doc},
        {Py_tp_dealloc, (void *)points_dealloc},
        {Py_tp_traverse, (void *)points_traverse},
        {Py_tp_descr_get, (void *)points_get},
        {Py_tp_descr_set, (void *)points_set},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "gammonrules.board._kernel.Points",
        .basicsize = sizeof(Points),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
        .slots = descriptor_slots,
    };
    PyTypeObject *type = new_type(module, &spec);
    if (type == NULL)
        return NULL;
    Points *points = PyObject_GC_New(Points, type);
    Py_DECREF(type);
    if (points == NULL)
        return NULL;
    points->positions = (Maker *)Py_NewRef(args[0]);
    PyObject_GC_Track((PyObject *)points);
    return (PyObject *)points;
}

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
    const Py_ssize_t index = iterator->next; /* read once, since another thread may be here too */
    if (index >= Py_SIZE(parts[FOUND]))
        return NULL;
    iterator->next = index + 1;
    PyObject *board = found_row((Found *)parts[FOUND], index);
    if (board == NULL)
        return NULL;
    PyObject *position = make(parts[MAKE_POSITION], (PyObject *[]){board, parts[CHECKERS]});
    Py_DECREF(board);
    if (position == NULL)
        return NULL;
    PyObject *play = make(parts[MAKE_PLAY], (PyObject *[]){parts[BEFORE], parts[DICE], position});
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
        !Py_IS_TYPE(args[MAKE_POSITION], state->maker) || Py_SIZE(args[MAKE_PLAY]) != 3 ||
        Py_SIZE(args[MAKE_POSITION]) != 2) {
        PyErr_SetString(PyExc_TypeError, "expected a Found, a Maker of 3 fields, one of 2, and 3 values");
        return NULL;
    }
    for (int i = BEFORE; i < PARTS; i++) {
        if (Py_IS_TYPE(args[i], state->maker_iterator)) { /* nested a million deep, freeing would recurse as deep */
            PyErr_SetString(PyExc_TypeError, "plays cannot contain plays");
            return NULL;
        }
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
    .name = "gammonrules.board._kernel.MakerIterator",
    .basicsize = sizeof(MakerIterator),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = iterator_slots,
};

/* --- Block: memory that was filled without the interpreter, passed on without a copy --------------------------------- */

typedef struct {
    PyObject_HEAD
    Memory memory;
    Py_ssize_t size; /* bytes filled */
    int kind;
} Block;

/* Fresh pages from the system can double the time of a large batch, so the next batch gets those of the last: at most
 * 88 MB in all, enough for 2.5 million plays, or about 100,000 rolls. Larger memory goes back to the system. */
static const size_t MOST_SPARE[KINDS] = {(size_t)4 << 20, (size_t)64 << 20, (size_t)20 << 20};

static void keep_for_the_next(State *state, int kind, Memory memory)
{
#if !defined(Py_GIL_DISABLED) /* without the GIL, two threads could get the same memory */
    const size_t least = (size_t)1 << 16;
    if (memory.size >= least && memory.size <= MOST_SPARE[kind]) {
        const Memory older = state->spare[kind];
        state->spare[kind] = memory;
        memory = older;
    }
#else
    (void)state, (void)kind;
#endif
    free(memory.data);
}

/* The memory of an earlier batch, unless it is larger than this. */
static Memory take_spare(State *state, int kind, size_t most)
{
    const Memory spare = state->spare[kind];
    if (spare.size > most)
        return (Memory){NULL, 0};
    state->spare[kind] = (Memory){NULL, 0};
    return spare;
}

static int block_buffer(PyObject *self, Py_buffer *view, int flags)
{
    return PyBuffer_FillInfo(view, self, ((Block *)self)->memory.data, ((Block *)self)->size, 0, flags);
}

static void block_dealloc(PyObject *self)
{
    Block *block = (Block *)self;
    keep_for_the_next(PyType_GetModuleState(Py_TYPE(self)), block->kind, block->memory);
    free_instance(self);
}

static PyType_Slot block_slots[] = {
    {Py_tp_doc, (void *)"A writable buffer of bytes."},
    {Py_tp_dealloc, (void *)block_dealloc},
    {Py_bf_getbuffer, (void *)block_buffer},
    {0, NULL},
};

static PyType_Spec block_spec = {
    .name = "gammonrules.board._kernel.Block",
    .basicsize = sizeof(Block),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = block_slots,
};

/* A block that owns this memory. It is trimmed only if much of it is unused: otherwise a slightly larger batch would have
 * to enlarge it again. If no block can be made, the memory is freed. */
static PyObject *block_of(const State *state, int kind, Memory memory, size_t size)
{
    if (size < memory.size / 8 * 5) {
        void *trimmed = realloc(memory.data, size ? size : 1);
        if (trimmed != NULL)
            memory = (Memory){trimmed, size ? size : 1};
    }
    Block *block = PyObject_New(Block, state->block);
    if (block == NULL) {
        free(memory.data);
        return NULL;
    }
    block->memory = memory;
    block->size = (Py_ssize_t)size;
    block->kind = kind;
    return (PyObject *)block;
}

/* --- many boards at once ---------------------------------------------------------------------------------------------- */

typedef enum { DONE, NO_MEMORY, BAD_BOARD, BAD_DICE, TOO_MANY } Ending;

typedef struct {
    const int8_t *points; /* count x 26 */
    const volatile int8_t *dice; /* count x 2, in either order */
    size_t count;
    Memory memory[KINDS]; /* count + 1 offsets, and the rows of the sink */
    Sink sink;
    size_t stopped_at;
} Batch;

/* Ask for large pages where the system has them: otherwise most of the time goes into getting small ones. */
static void prefer_large_pages(Memory memory)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = 1 << 16, start = ((uintptr_t)memory.data + page - 1) & ~(page - 1); /* a multiple of any */
    if (memory.size >= (size_t)1 << 22)
        (void)madvise((void *)start, (memory.size - (start - (uintptr_t)memory.data)) & ~(size_t)(page - 1), MADV_HUGEPAGE);
#else
    (void)memory;
#endif
}

static bool enlarge(Memory *memory, size_t size)
{
    if (size <= memory->size)
        return true;
    void *larger = realloc(memory->data, size);
    if (larger == NULL)
        return false;
    *memory = (Memory){larger, size};
    prefer_large_pages(*memory);
    return true;
}

/* Make space for this many results in all. */
static bool make_space(Batch *batch, size_t capacity)
{
    Memory *boards = &batch->memory[BOARDS], *moves = &batch->memory[MOVE_ROWS];
    if (!enlarge(boards, capacity * SLOTS + SLACK) || !enlarge(moves, capacity * MOVES))
        return false;
    const size_t most_boards = (boards->size - SLACK) / SLOTS, most_moves = moves->size / MOVES;
    batch->sink.boards = boards->data;
    batch->sink.moves = moves->data;
    batch->sink.capacity = most_boards < most_moves ? most_boards : most_moves;
    return true;
}

/* Make sure that the results of one more roll fit. There is space for a small part of the batch at first, then for all of
 * it, assuming that the rest is like that part; if that is too much, for some more. */
static bool reserve(Batch *batch, size_t done)
{
    const Sink *sink = &batch->sink;
    const size_t most = (PY_SSIZE_T_MAX - SLACK) / SLOTS / 2, left = batch->count - done;
    if (sink->capacity - sink->count >= MOST_PLAYS)
        return true;
    if (sink->count > most || left > most)
        return false;
    const double average = (double)sink->count / (double)(done ? done : 1) * 1.05, expected = average * (double)left;
    const size_t more = expected < (double)most ? (size_t)expected : 0, least = sink->capacity / 8 + left;
    return (more > least && make_space(batch, sink->count + more + MOST_PLAYS)) ||
           make_space(batch, sink->count + least + MOST_PLAYS);
}

/* Fill offsets and sink. This runs without the interpreter, so nothing is read twice that another thread may change. */
static Ending run_batch(Batch *batch)
{
    int64_t *const offsets = batch->memory[OFFSETS].data;
    offsets[0] = 0;
    for (size_t i = 0; i < batch->count; i++) {
        Board board;
        const int one = batch->dice[2 * i], other = batch->dice[2 * i + 1];
        batch->stopped_at = i;
        if (one < 1 || one > 6 || other < 1 || other > 6)
            return BAD_DICE;
        if (!read_board(batch->points + SLOTS * i, &board))
            return BAD_BOARD;
        if (!reserve(batch, i))
            return NO_MEMORY;
        enumerate(&board, one > other ? one : other, one > other ? other : one, &batch->sink);
        if (batch->sink.full)
            return TOO_MANY;
        offsets[i + 1] = (int64_t)batch->sink.count;
    }
    return DONE;
}

static void raise_ending(Ending ending, size_t stopped_at)
{
    if (ending == NO_MEMORY)
        PyErr_NoMemory();
    else if (ending == BAD_DICE)
        PyErr_Format(PyExc_ValueError, "case %zu: a die shows a whole number from 1 to 6", stopped_at);
    else if (ending == BAD_BOARD)
        PyErr_Format(PyExc_ValueError,
                     "case %zu: not a board: more than 15 checkers a side, or a checker on the other side's bar", stopped_at);
    else
        PyErr_Format(PyExc_SystemError, "case %zu: a roll has more results than there can be", stopped_at);
}

/* The results of the batch as three blocks. */
static PyObject *batch_result(const State *state, const Batch *batch)
{
    const size_t sizes[KINDS] = {(batch->count + 1) * sizeof(int64_t), batch->sink.count * SLOTS, batch->sink.count * MOVES};
    PyObject *blocks[KINDS], *result = NULL;
    for (int kind = 0; kind < KINDS; kind++)
        blocks[kind] = block_of(state, kind, batch->memory[kind], sizes[kind]);
    if (blocks[OFFSETS] != NULL && blocks[BOARDS] != NULL && blocks[MOVE_ROWS] != NULL)
        result = PyTuple_Pack(KINDS, blocks[OFFSETS], blocks[BOARDS], blocks[MOVE_ROWS]);
    for (int kind = 0; kind < KINDS; kind++)
        Py_XDECREF(blocks[kind]);
    return result;
}

/* Take the memory of earlier batches, unless it is far more than this one will need. */
static bool take_spares(State *state, Batch *batch)
{
    const size_t usual = 64, count = batch->count;
    if (count >= PY_SSIZE_T_MAX / (usual * SLOTS))
        return false;
    batch->memory[OFFSETS] = take_spare(state, OFFSETS, usual * count);
    batch->memory[BOARDS] = take_spare(state, BOARDS, usual * count * SLOTS);
    batch->memory[MOVE_ROWS] = take_spare(state, MOVE_ROWS, usual * count * MOVES);
    return enlarge(&batch->memory[OFFSETS], (count + 1) * sizeof(int64_t)) && make_space(batch, 0);
}

static PyObject *legal_plays_of_views(State *state, const Py_buffer *points, const Py_buffer *dice)
{
    if (points->len % SLOTS || dice->len % 2 || points->len / SLOTS != dice->len / 2) {
        PyErr_Format(PyExc_ValueError, "%zd bytes of boards do not match %zd bytes of dice", points->len, dice->len);
        return NULL;
    }
    Batch batch = {.points = points->buf, .dice = dice->buf, .count = (size_t)(points->len / SLOTS)};
    Ending ending = NO_MEMORY;
    if (take_spares(state, &batch)) {
        Py_BEGIN_ALLOW_THREADS
        ending = run_batch(&batch);
        Py_END_ALLOW_THREADS
    }
    if (ending == DONE)
        return batch_result(state, &batch);
    raise_ending(ending, batch.stopped_at);
    for (int kind = 0; kind < KINDS; kind++)
        free(batch.memory[kind].data);
    return NULL;
}

static PyObject *legal_plays_of_many(PyObject *module, PyObject *const *args, Py_ssize_t number)
{
    Py_buffer points, dice;
    PyObject *result = NULL;
    if (number != 2) {
        PyErr_Format(PyExc_TypeError, "expected boards and dice, not %zd arguments", number);
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

/* --- what can be read from many boards ---------------------------------------------------------------------------------- */

static PyObject *fill_view(const Py_buffer *points, const Py_buffer *out, int checkers, size_t width, Fill *fill)
{
    const Rows rows = {points->buf, (size_t)points->len / SLOTS, checkers};
    size_t done;
    if (points->len % SLOTS || (size_t)out->len % width || (size_t)out->len / width != rows.count) {
        PyErr_Format(PyExc_ValueError, "%zd bytes of boards do not match %zd bytes of results", points->len, out->len);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    done = fill(&rows, out->buf);
    Py_END_ALLOW_THREADS
    if (done == rows.count)
        Py_RETURN_NONE;
    PyErr_Format(PyExc_ValueError, "case %zu: not a board", done);
    return NULL;
}

/* Arguments: boards, memory for the results (`width` bytes each), and how many checkers a side has. */
static PyObject *fill_with(PyObject *const *args, Py_ssize_t number, size_t width, Fill *fill)
{
    Py_buffer points, out;
    PyObject *result = NULL;
    const long checkers = number == 3 && PyLong_Check(args[2]) ? PyLong_AsLong(args[2]) : 0;
    if (checkers < 1 || checkers > MOST_CHECKERS) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "expected boards, memory and a number of checkers from 1 to 15");
        return NULL;
    }
    if (PyObject_GetBuffer(args[0], &points, PyBUF_SIMPLE) < 0)
        return NULL;
    if (PyObject_GetBuffer(args[1], &out, PyBUF_WRITABLE) == 0) {
        result = fill_view(&points, &out, (int)checkers, width, fill);
        PyBuffer_Release(&out);
    }
    PyBuffer_Release(&points);
    return result;
}

static PyObject *flip(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    return fill_with(args, number, SLOTS, fill_flipped);
}

static PyObject *pip_counts(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    return fill_with(args, number, 2 * sizeof(int32_t), fill_pip_counts);
}

static PyObject *outcomes(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    return fill_with(args, number, sizeof(int8_t), fill_outcomes);
}

static PyObject *features(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    return fill_with(args, number, INPUTS * sizeof(float), fill_features);
}

static PyObject *to_ids(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    return fill_with(args, number, ID_LENGTH * sizeof(uint32_t), fill_ids);
}

static PyObject *read_views(const Py_buffer *texts, const Py_buffer *points, const Py_buffer *is_read, int checkers)
{
    const size_t count = (size_t)is_read->len, width = count ? (size_t)texts->len / count : ID_LENGTH;
    if (width < ID_LENGTH || (size_t)texts->len != count * width || points->len % SLOTS || (size_t)points->len / SLOTS != count) {
        PyErr_Format(PyExc_ValueError, "%zd bytes of texts and %zd of boards do not match %zd results", texts->len, points->len,
                     is_read->len);
        return NULL;
    }
    Ids ids = {.texts = texts->buf, .count = count, .width = width, .checkers = checkers};
    Py_BEGIN_ALLOW_THREADS
    fill_boards(&ids, points->buf, is_read->buf);
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

/* Arguments: texts, memory for boards, memory for whether each was read, and how many checkers a side has. */
static PyObject *from_ids(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    Py_buffer views[3];
    PyObject *result = NULL;
    int held = 0;
    const long checkers = number == 4 && PyLong_Check(args[3]) ? PyLong_AsLong(args[3]) : 0;
    if (checkers < 1 || checkers > MOST_CHECKERS) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "expected texts, memory for boards and results, and a number of checkers from 1 to 15");
        return NULL;
    }
    while (held < 3 && PyObject_GetBuffer(args[held], &views[held], held ? PyBUF_WRITABLE : PyBUF_SIMPLE) == 0)
        held++;
    if (held == 3)
        result = read_views(&views[0], &views[1], &views[2], (int)checkers);
    while (held > 0)
        PyBuffer_Release(&views[--held]);
    return result;
}

/* --- the best plays of many boards ---------------------------------------------------------------------------------------- */

typedef struct {
    const char *offsets; /* count + 1 int64; nothing in here need be aligned */
    const char *scores;
    char *best; /* count int64, the rows */
    size_t count, rows;
} Choice;

static inline int64_t offset_at(const Choice *choice, size_t index)
{
    int64_t offset;
    memcpy(&offset, choice->offsets + sizeof offset * index, sizeof offset);
    return offset;
}

/* The first of the highest scores of each board, -1 if it has no rows. False if a score is NaN, or offsets fall. */
#define DEFINE_CHOOSE(name, Number)                                                                                      \
    static bool name(const Choice *choice)                                                                               \
    {                                                                                                                    \
        int64_t row = 0;                                                                                                 \
        if (offset_at(choice, 0) != 0)                                                                                   \
            return false;                                                                                                \
        for (size_t i = 0; i < choice->count; i++) {                                                                     \
            const int64_t end = offset_at(choice, i + 1);                                                                \
            int64_t best = row < end ? row : -1;                                                                         \
            Number highest = 0, score;                                                                                   \
            if (end < row || (uint64_t)end > choice->rows)                                                               \
                return false;                                                                                            \
            if (row < end)                                                                                               \
                memcpy(&highest, choice->scores + sizeof score * (size_t)row, sizeof score);                             \
            bool is_number = highest == highest;                                                                         \
            for (; row < end; row++) {                                                                                   \
                memcpy(&score, choice->scores + sizeof score * (size_t)row, sizeof score);                               \
                is_number &= score == score;                                                                             \
                best = score > highest ? row : best;                                                                     \
                highest = score > highest ? score : highest;                                                             \
            }                                                                                                            \
            if (!is_number)                                                                                              \
                return false;                                                                                            \
            memcpy(choice->best + sizeof best * i, &best, sizeof best);                                                  \
        }                                                                                                                \
        return (size_t)row == choice->rows;                                                                              \
    }
DEFINE_CHOOSE(choose_by_float, float)
DEFINE_CHOOSE(choose_by_double, double)
DEFINE_CHOOSE(choose_by_int64, int64_t)
#undef DEFINE_CHOOSE

/* Which of them compares scores of this format of the struct module; NULL if none does. */
static bool (*chooser_of(const Py_buffer *scores))(const Choice *)
{
    const char *format = scores->format == NULL ? "" : scores->format;
    if (*format != 0 && strchr("@=^", *format) != NULL) /* the byte order of this machine; not aligned, perhaps */
        format++;
    if (strcmp(format, "f") == 0)
        return choose_by_float;
    if (strcmp(format, "d") == 0)
        return choose_by_double;
    if ((strcmp(format, "q") == 0 || strcmp(format, "l") == 0) && scores->itemsize == sizeof(int64_t))
        return choose_by_int64;
    return NULL;
}

static PyObject *best_of_views(const Py_buffer *offsets, const Py_buffer *scores, const Py_buffer *best)
{
    bool (*const choose)(const Choice *) = chooser_of(scores);
    const size_t wide = sizeof(int64_t), lengths = (size_t)offsets->len;
    bool done;
    if (choose == NULL) {
        PyErr_SetString(PyExc_TypeError, "scores are floats, doubles, or integers of 8 bytes");
        return NULL;
    }
    if (lengths % wide || lengths == 0 || (size_t)best->len != lengths - wide) {
        PyErr_Format(PyExc_ValueError, "%zd bytes of offsets do not match %zd bytes of results", offsets->len, best->len);
        return NULL;
    }
    const Choice choice = {offsets->buf, scores->buf, best->buf, lengths / wide - 1, (size_t)(scores->len / scores->itemsize)};
    Py_BEGIN_ALLOW_THREADS
    done = choose(&choice);
    Py_END_ALLOW_THREADS
    if (done)
        Py_RETURN_NONE;
    PyErr_SetString(PyExc_ValueError, "a score is not a number, or the offsets do not match the scores");
    return NULL;
}

/* Arguments: offsets, scores, and memory for the rows. */
static PyObject *best(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    static const int flags[3] = {PyBUF_SIMPLE, PyBUF_ND | PyBUF_FORMAT, PyBUF_WRITABLE};
    Py_buffer views[3];
    PyObject *result = NULL;
    int held = 0;
    if (number != 3) {
        PyErr_Format(PyExc_TypeError, "expected offsets, scores and memory, not %zd arguments", number);
        return NULL;
    }
    while (held < 3 && PyObject_GetBuffer(args[held], &views[held], flags[held]) == 0)
        held++;
    if (held == 3)
        result = best_of_views(&views[0], &views[1], &views[2]);
    while (held > 0)
        PyBuffer_Release(&views[--held]);
    return result;
}

/* --- random numbers --------------------------------------------------------------------------------------------------- */

/* Philox4x32-10 (J. Salmon and others, Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011): four words from four. */
static inline void scramble(uint32_t *words, uint64_t key)
{
    uint32_t low_key = (uint32_t)key, high_key = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; round++) {
        const uint64_t ahead = (uint64_t)0xD2511F53 * words[0], behind = (uint64_t)0xCD9E8D57 * words[2];
        words[0] = (uint32_t)(behind >> 32) ^ words[1] ^ low_key;
        words[1] = (uint32_t)behind;
        words[2] = (uint32_t)(ahead >> 32) ^ words[3] ^ high_key;
        words[3] = (uint32_t)ahead;
        low_key += 0x9E3779B9;
        high_key += 0xBB67AE85;
    }
}

static void scramble_rows(char *rows, size_t count, uint64_t key)
{
    uint32_t words[4];
    for (size_t i = 0; i < count; i++, rows += sizeof words) {
        memcpy(words, rows, sizeof words); /* the rows need not be aligned */
        scramble(words, key);
        memcpy(rows, words, sizeof words);
    }
}

/* Arguments: the key, and memory with the counters, four words a row, which random numbers replace. */
static PyObject *philox(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    Py_buffer view;
    if (number != 2 || !PyLong_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "expected a key and counters");
        return NULL;
    }
    const unsigned long long key = PyLong_AsUnsignedLongLong(args[0]);
    if (PyErr_Occurred() || PyObject_GetBuffer(args[1], &view, PyBUF_WRITABLE) < 0)
        return NULL;
    const size_t size = (size_t)view.len, row = 4 * sizeof(uint32_t);
    if (size % row == 0) {
        Py_BEGIN_ALLOW_THREADS
        scramble_rows(view.buf, size / row, key);
        Py_END_ALLOW_THREADS
    } else {
        PyErr_Format(PyExc_ValueError, "%zd bytes are not rows of four words", view.len);
    }
    PyBuffer_Release(&view);
    return size % row == 0 ? Py_NewRef(Py_None) : NULL;
}

/* --- the module object ---------------------------------------------------------------------------------------------- */

static PyMethodDef functions[] = {
    {"legal_plays", (PyCFunction)(void (*)(void))legal_plays, METH_FASTCALL,
     "legal_plays(board, high, low, /)\n--\n\nEvery distinct board that a roll leads to, as the opponent sees it."},
    {"moves_to", (PyCFunction)(void (*)(void))moves_to, METH_FASTCALL,
     "moves_to(board, high, low, after, /)\n--\n\nThe moves that lead to a result, or None: from, to, and whether they hit."},
    {"turn_nodes", (PyCFunction)(void (*)(void))turn_nodes, METH_FASTCALL,
     "turn_nodes(board, high, low, /)\n--\n\nEvery order of moves: nodes of (from, to, die, number of the next node)."},
    {"points_of", (PyCFunction)(void (*)(void))points_of, METH_FASTCALL,
     "points_of(make_position, doc, /)\n--\n\nThe attribute `points` of the class that this Maker makes."},
    {"faces_of", faces_of, METH_O,
     "faces_of(dice, /)\n--\n\n31 for the text \"31\" and the pair (3, 1); 0 for anything else."},
    {"facts_of", facts_of, METH_O, "facts_of(board, /)\n--\n\nWhat a table has of a board: its ID, and counts of both sides."},
    {"plays_of", (PyCFunction)(void (*)(void))plays_of, METH_FASTCALL,
     "plays_of(found, make_play, make_position, before, dice, checkers, /)\n--\n\nThe plays of a Found."},
    {"legal_plays_of_many", (PyCFunction)(void (*)(void))legal_plays_of_many, METH_FASTCALL,
     "legal_plays_of_many(points, dice, /)\n--\n\n"
     "The results of N boards (26 bytes each) and rolls (2 bytes each): offsets (N + 1 int64), boards (M x 26 bytes) and\n"
     "moves (M x 4 x 2 bytes, from and to, -1 where unused)."},
    {"flip", (PyCFunction)(void (*)(void))flip, METH_FASTCALL,
     "flip(points, out, checkers, /)\n--\n\nWrite N boards (26 bytes each), seen by the other side, into out."},
    {"pip_counts", (PyCFunction)(void (*)(void))pip_counts, METH_FASTCALL,
     "pip_counts(points, out, checkers, /)\n--\n\nWrite the pips of both sides (N x 2 int32) into out."},
    {"outcomes", (PyCFunction)(void (*)(void))outcomes, METH_FASTCALL,
     "outcomes(points, out, checkers, /)\n--\n\nWrite who has won, and how much (N bytes), into out."},
    {"features", (PyCFunction)(void (*)(void))features, METH_FASTCALL,
     "features(points, out, checkers, /)\n--\n\nWrite the inputs of a network (N x 198 float32) into out."},
    {"to_ids", (PyCFunction)(void (*)(void))to_ids, METH_FASTCALL,
     "to_ids(points, out, checkers, /)\n--\n\nWrite N Position IDs (14 characters of four bytes each) into out."},
    {"from_ids", (PyCFunction)(void (*)(void))from_ids, METH_FASTCALL,
     "from_ids(texts, points, is_read, checkers, /)\n--\n\n"
     "Write N boards (26 bytes each) and whether they were read (N bytes) from N texts (14 bytes each, or more)."},
    {"best", (PyCFunction)(void (*)(void))best, METH_FASTCALL,
     "best(offsets, scores, out, /)\n--\n\nWrite the row with the highest score of each board (N int64) into out."},
    {"philox", (PyCFunction)(void (*)(void))philox, METH_FASTCALL,
     "philox(key, counters, /)\n--\n\nTurn N x 4 uint32, in place, into the numbers that Philox4x32-10 makes of them."},
    {NULL, NULL, 0, NULL},
};

static int fill_module(PyObject *module)
{
    State *state = state_of(module);
    if ((state->found = new_type(module, &found_spec)) == NULL || (state->maker = new_type(module, &maker_spec)) == NULL ||
        (state->maker_iterator = new_type(module, &iterator_spec)) == NULL ||
        (state->block = new_type(module, &block_spec)) == NULL)
        return -1;
    for (int byte = 0; byte < 256; byte++) {
        if ((state->number[byte] = PyLong_FromLong((int8_t)byte)) == NULL)
            return -1;
    }
    if (PyModule_AddIntConstant(module, "INTERFACE", INTERFACE) < 0 || PyModule_AddType(module, state->found) < 0)
        return -1;
    return PyModule_AddType(module, state->maker);
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
    for (int byte = 0; byte < 256; byte++)
        Py_CLEAR(state->number[byte]);
    for (int kind = 0; kind < KINDS; kind++)
        free(take_spare(state, kind, SIZE_MAX).data);
    return 0;
}

static void free_module(void *module)
{
    clear_module((PyObject *)module);
}

/* Since 3.12 a module must declare that it can be loaded into interpreters with their own GIL. The headers for 3.11 do
 * not have this slot, but its number is part of the stable ABI. */
static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)fill_module},
    {3 /* Py_mod_multiple_interpreters */, (void *)2 /* Py_MOD_PER_INTERPRETER_GIL_SUPPORTED */},
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef kernel = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_kernel",
    .m_doc = "The compiled form of gammonrules.board.pure.",
    .m_size = sizeof(State),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = traverse_module,
    .m_clear = clear_module,
    .m_free = free_module,
};

PyMODINIT_FUNC PyInit__kernel(void)
{
    if (Py_Version < 0x030C0000) /* all interpreters share one GIL, so they do not get here at the same time */
        slots[1] = (PyModuleDef_Slot){0, NULL};
    return PyModuleDef_Init(&kernel);
}
