/* The game in C: boards, every legal play of a roll, a turn move by move, what can be read from boards, Position IDs.
 * board/pure.py explains the rules and the ideas. Both find the same boards in the same order; tests/board/test_kernel.py
 * compares them. It is included by what makes it callable: board/_kernel.c for Python, and rules.c for WebAssembly.
 *
 * In here, a board is seen by the opponent, as the results are: slot f is point 25 - f of the player who moves, their bar
 * is slot 0, the opponent's bar is slot 25, and their checkers are negative. A move goes up, from f to f + die; slot 25
 * and beyond is off. Sets of slots are the bits of a uint32_t, bit f for slot f.
 *
 * No result is found twice, so nothing has to be compared, except near home, where lists are short. A comment at
 * mixed_in_the_field() explains why its masks leave out exactly the duplicates.
 *
 * All this needs is C11. There is no state.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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
#if defined(_WIN32) || (defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define LITTLE_ENDIAN_FIRST 1
#else
#define LITTLE_ENDIAN_FIRST 0
#endif

enum {
    SLOTS = 26,
    BAR = 25,           /* the opponent's bar, and for the player who moves the first slot that is off */
    WIDTH = 32,         /* slots with padding */
    SLACK = WIDTH - SLOTS,
    MAX_CHECKERS = 15,
    MAX_PLAYS = 3060,  /* 15 checkers share 4 moves in at most C(18, 4) ways; two different dice give at most 255 */
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
    return theirs <= MAX_CHECKERS && theirs - more <= MAX_CHECKERS && !(board->own & BIT(BAR)) &&
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
static const float UNITS[2 * MAX_CHECKERS + 1][4] = {
    NONE,         NONE,         NONE,    NONE,    NONE,    NONE,    NONE,    NONE,
    NONE,         NONE,         NONE,    NONE,    NONE,    NONE,    NONE,    NONE, /* up to 0 */
    {1, 0, 0, 0}, {1, 1, 0, 0}, MORE(3), MORE(4), MORE(5), MORE(6), MORE(7), MORE(8),
    MORE(9),      MORE(10),     MORE(11), MORE(12), MORE(13), MORE(14), MORE(15),
};
#undef NONE
#undef MORE

static inline void write_inputs(float *inputs, const Row *row, int checkers)
{
    const float(*const none)[4] = UNITS + MAX_CHECKERS;
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

/* --- a turn move by move ------------------------------------------------------------------------------------------------- */

/* After k moves of a doublet, 15 checkers can share them in C(14 + k, k) ways; two different dice give fewer stages. */
enum { BOTH = 7, MAX_MOVE_STAGES = 1 + 15 + 120 + 680 + 3060, MAX_BRANCHES = 15 * (1 + 15 + 120 + 680), BUCKETS = 1 << 13 };

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
    Stage stages[MAX_MOVE_STAGES];
    Branch branches[MAX_BRANCHES];
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

/* Fill the graph of a turn. Returns how many stages are kept; the first is always among them. */
static uint16_t explore(Graph *graph, Board board, int high, int low)
{
    memset(graph->buckets, 0, sizeof graph->buckets);
    graph->stage_count = graph->branch_count = 0;
    graph->high = high;
    graph->low = low;
    const uint32_t theirs = more_than(0, board.slots), open = find_open(&board, theirs);
    add_stage(graph, board, high == low ? 4 : BOTH);
    for (int i = 0; i < graph->stage_count && board.own && theirs; i++)
        add_branches(graph, &graph->stages[i], open);
    return keep_fruitful(graph);
}
