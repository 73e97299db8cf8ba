/* selftaught: a network that taught itself backgammon, what it sees of a board, and one roll ahead; and the table of bear-offs
 * that it leaves the last rolls to. examples/td_gammon.py has the network in NumPy; tests/batch/test_chances.py compares
 * them. It is included after _outcomes.c, and has no state: the host has the weights and the table.
 *
 * Sums are made in the same order on every machine, so that the same plays are chosen wherever floats are not contracted.
 */

#include "_bearoffs.c"

/* --- weights ---------------------------------------------------------------------------------------------------------- */

enum {
    NAMED_INPUTS = 5,
    SIDE_INPUTS = 10,
    SEEN = INPUTS + 2 * NAMED_INPUTS + 1 + 2 * SIDE_INPUTS,
    HIDDEN = 120,
    ENDS = 6, /* backgammon, gammon and single game won, and the same lost */
    NUMBERS = SEEN * HIDDEN + HIDDEN + HIDDEN * ENDS + ENDS,
    FILE_HEADER = 16,
    FILE_SIZE = FILE_HEADER + 2 * NUMBERS,
    NEAR = 12, /* pips from which a checker can be hit or blocked by what is looked at */
    CHANCES = 5
};

/* The weights, and for each set of distances, bit 0 for one pip, the share of the rolls by which checkers there hit if nothing
 * is in the way, and of those by which a checker can move both dice if the points there are blocked. */
typedef struct {
    float first[SEEN][HIDDEN], first_bias[HIDDEN], last[HIDDEN][ENDS], last_bias[ENDS];
    float hits[1 << NEAR], escapes[1 << NEAR];
} Network;

typedef enum { WEIGHTS_READ, WRONG_SIZE, WRONG_HEADER, WRONG_SUM, NOT_FINITE } WeightsProblem;

static inline uint32_t four_bytes(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* CRC-32, as zlib has it, of bytes that follow those of this sum. */
static uint32_t checksum(uint32_t sum, const uint8_t *bytes, size_t count)
{
    sum = ~sum;
    for (size_t i = 0; i < count; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320 : 0);
    }
    return ~sum;
}

/* A float of 16 bits; NaN and infinity have all five bits of the exponent. */
static float float_of_half(uint32_t half)
{
    const uint32_t exponent = half >> 10 & 31, fraction = half & 1023;
    const float size = exponent ? (float)(fraction | 1024) : (float)fraction;
    const float scale = (float)((uint32_t)1 << (exponent ? exponent : 1)) / (float)(1 << 25);
    return half >> 15 ? -size * scale : size * scale;
}

static uint32_t half_at(const uint8_t *halves, size_t index)
{
    return (uint32_t)halves[2 * index] | (uint32_t)halves[2 * index + 1] << 8;
}

static bool are_finite(const uint8_t *halves)
{
    for (size_t i = 0; i < NUMBERS; i++) {
        if ((half_at(halves, i) >> 10 & 31) == 31)
            return false;
    }
    return true;
}

static bool has_distance(uint32_t set, int distance)
{
    return distance <= NEAR && set >> (distance - 1) & 1;
}

static void count_rolls(Network *network)
{
    for (uint32_t set = 0; set < 1 << NEAR; set++) {
        int hits = 0, escapes = 0;
        for (int a = 1; a <= 6; a++) {
            for (int b = 1; b <= 6; b++) {
                const bool at_a = has_distance(set, a), at_b = has_distance(set, b), at_sum = has_distance(set, a + b);
                const bool at_more = a == b && (has_distance(set, 3 * a) || has_distance(set, 4 * a));
                hits += at_a || at_b || at_sum || at_more;
                escapes += !at_sum && !(at_a && at_b);
            }
        }
        network->hits[set] = (float)(hits / 36.0);
        network->escapes[set] = (float)(escapes / 36.0);
    }
}

/* Read a file of weights: "SELF", its version, how many numbers follow, their checksum, and they in 16 bits, all with the
 * lowest byte first. If it cannot be read, the network stays as it is. */
static WeightsProblem read_weights(const uint8_t *file, size_t size, Network *network)
{
    const uint8_t *numbers = file + FILE_HEADER;
    if (size != FILE_SIZE)
        return WRONG_SIZE;
    if (memcmp(file, "SELF", 4) != 0 || four_bytes(file + 8) != NUMBERS)
        return WRONG_HEADER;
    if (four_bytes(file + 12) != checksum(checksum(0, file, 12), numbers, size - FILE_HEADER))
        return WRONG_SUM;
    if (!are_finite(numbers))
        return NOT_FINITE;
    float *const values = &network->first[0][0];
    for (size_t i = 0; i < NUMBERS; i++)
        values[i] = float_of_half(half_at(numbers, i));
    count_rolls(network);
    return WEIGHTS_READ;
}

/* --- what it sees ------------------------------------------------------------------------------------------------------- */

/* A side of a board in its own numbering, and the places of the other side in that side's numbering. */
typedef struct {
    const int8_t *at;
    Side facts;
    uint32_t places, made;
} View;

static View view_of(const int8_t *at)
{
    const Slots slots = load(at);
    return (View){at, read_side(at), more_than(0, slots), more_than(1, slots)};
}

/* Of these places in the other side's numbering, which are behind a place, by their distance. */
static inline uint32_t behind(uint32_t places, int place)
{
    return places >> (SLOTS - place) & ((1 << NEAR) - 1);
}

/* Whether a checker of the other side reaches a place with one die, from the bar itself if it has any there. */
static inline bool is_in_range(const View *other, int place)
{
    return other->facts.bar ? place <= 6 : (behind(other->places, place) & 63) != 0;
}

static void write_named(const View *mine, const View *theirs, float *inputs)
{
    int home = 0, back = mine->facts.bar, blots = 0;
    for (int point = 1; point < BAR; point++) {
        const int checkers = mine->at[point];
        home += point <= 6 && checkers > 1;
        back += point > 18 && checkers > 0 ? checkers : 0;
        blots += checkers == 1 && is_in_range(theirs, point);
    }
    const int named[NAMED_INPUTS] = {mine->facts.prime, mine->facts.anchors, home, back, blots};
    for (int i = 0; i < NAMED_INPUTS; i++)
        inputs[i] = (float)named[i] / 4;
}

/* Shots at blots, and how far checkers are blocked. */
static void write_side(const Network *network, const View *mine, const View *theirs, float *inputs)
{
    uint32_t all_shots = 0;
    float cost = 0, all = 0, outside = 0, back = 0, pips = 0, far_free = 1, near_free = 1;
    for (int place = 1; place <= BAR; place++) {
        const int checkers = mine->at[place] > 0 ? mine->at[place] : 0;
        const float free = network->escapes[behind(theirs->made, place)], moving = (float)checkers * free;
        if (checkers == 1 && place < BAR) {
            const uint32_t shots = behind(theirs->places, place);
            all_shots |= shots;
            cost += (1 - (float)place / 25) * network->hits[shots];
        }
        all += moving / 15;
        outside += place > 6 ? (float)(place - 6) / 100 * moving : 0;
        back += place > 18 ? moving / 10 : 0;
        pips += (float)(place * checkers) / 100;
        if (place > 12)
            far_free = free < far_free ? free : far_free;
        else if (place > 6)
            near_free = free < near_free ? free : near_free;
    }
    const float rear_free = network->escapes[behind(theirs->made, mine->facts.rear)];
    const float side[SIDE_INPUTS] = {
        network->hits[all_shots], cost, all, outside, back, rear_free, far_free, near_free, pips, (float)mine->facts.rear / 25,
    };
    memcpy(inputs, side, sizeof side);
}

/* The inputs of a board on which the game goes on. */
static void write_seen(const Network *network, const Row *row, float *inputs)
{
    int8_t turned_row[WIDTH];
    store(turned_row, turned(row->at));
    const View mine = view_of(row->at), theirs = view_of(turned_row);
    write_inputs(inputs, row, MAX_CHECKERS);
    inputs += INPUTS;
    write_named(&mine, &theirs, inputs);
    write_named(&theirs, &mine, inputs + NAMED_INPUTS);
    inputs += 2 * NAMED_INPUTS;
    *inputs++ = mine.facts.rear + theirs.facts.rear > BAR; /* contact */
    write_side(network, &mine, &theirs, inputs);
    write_side(network, &theirs, &mine, inputs + SIDE_INPUTS);
}

/* --- what it says ------------------------------------------------------------------------------------------------------- */

/* The inputs that are not 0, which are a third or fewer. */
typedef struct {
    int count;
    uint8_t number[SEEN];
    float value[SEEN];
} Active;

static void find_active(const float *inputs, Active *active)
{
    int count = 0;
    for (int i = 0; i < SEEN; i++) {
        active->number[count] = (uint8_t)i;
        active->value[count] = inputs[i];
        count += inputs[i] != 0;
    }
    active->count = count;
}

#if defined(__wasm__) /* without SIMD, which not all browsers have */
enum { ABREAST = 8 };
#else
enum { ABREAST = 40 }; /* hidden units whose sums stay in registers */
#endif

#if !defined(GAMMONRULES_PLAIN_C) && defined(__GNUC__)
#if defined(__clang__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 40")
#endif
typedef float FourFloats __attribute__((vector_size(16), aligned(4), may_alias));
typedef float EightFloats __attribute__((vector_size(32), aligned(4), may_alias));
#else
#define UNROLLED
typedef float FourFloats;
#endif

/* The sums of the hidden units, as many at once as Lanes has floats. Each is added up in the order of the inputs. */
#define DEFINE_ADD_UP(name, Lanes)                                                                                       \
    static void name(const Network *network, const Active *active, float *hidden)                                        \
    {                                                                                                                    \
        enum { WIDE = sizeof(Lanes) / sizeof(float), ACROSS = ABREAST / WIDE };                                          \
        for (int unit = 0; unit < HIDDEN; unit += ABREAST) {                                                             \
            Lanes sums[ACROSS];                                                                                          \
            UNROLLED                                                                                                     \
            for (int k = 0; k < ACROSS; k++)                                                                             \
                sums[k] = *(const Lanes *)(network->first_bias + unit + k * WIDE);                                       \
            for (int i = 0; i < active->count; i++) {                                                                    \
                const float *const weights = network->first[active->number[i]] + unit, value = active->value[i];         \
                UNROLLED                                                                                                 \
                for (int k = 0; k < ACROSS; k++)                                                                         \
                    sums[k] += value * *(const Lanes *)(weights + k * WIDE);                                             \
            }                                                                                                            \
            UNROLLED                                                                                                     \
            for (int k = 0; k < ACROSS; k++)                                                                             \
                *(Lanes *)(hidden + unit + k * WIDE) = sums[k];                                                          \
        }                                                                                                                \
    }
DEFINE_ADD_UP(add_up, FourFloats)
#if !defined(GAMMONRULES_PLAIN_C) && defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
__attribute__((target("avx2"))) DEFINE_ADD_UP(add_up_by_avx2, EightFloats)
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#else
#define HAS_AVX2 false
#define add_up_by_avx2 add_up
#endif

/* The sums of the ends, of the hidden units that are above 0. */
static void add_up_ends(const Network *network, const float *hidden, double *ends)
{
    double sums[ENDS];
    UNROLLED
    for (int end = 0; end < ENDS; end++)
        sums[end] = network->last_bias[end];
    for (int unit = 0; unit < HIDDEN; unit++) {
        const double value = hidden[unit] > 0 ? hidden[unit] : 0;
        UNROLLED
        for (int end = 0; end < ENDS; end++)
            sums[end] += value * network->last[unit][end];
    }
    UNROLLED
    for (int end = 0; end < ENDS; end++)
        ends[end] = sums[end];
}

/* e to a number from -100 to 0, the same on every machine. */
static double power_of_e(double number)
{
    const double log_2 = 0.69314718055994530942;
    const int halvings = (int)(0.5 - number / log_2);
    const double rest = number + halvings * log_2;
    const uint64_t bits = (uint64_t)(1023 - halvings) << 52;
    double scale, sum = 1;
    memcpy(&scale, &bits, sizeof scale);
    for (int i = 11; i > 0; i--)
        sum = 1 + sum * rest / i;
    return sum * scale;
}

/* The chances of the ends that are possible, which add up to 1. */
static void share_out(const double *sums, Outcomes possible, double *ends)
{
    static const Outcomes OUTCOME[ENDS] = {
        BACKGAMMON, GAMMON, SINGLE, SINGLE << LEVELS, GAMMON << LEVELS, BACKGAMMON << LEVELS,
    };
    double highest = -1e30, all = 0;
    for (int end = 0; end < ENDS; end++)
        highest = possible & OUTCOME[end] && sums[end] > highest ? sums[end] : highest;
    for (int end = 0; end < ENDS; end++) {
        const double below = sums[end] - highest;
        ends[end] = possible & OUTCOME[end] && below > -100 ? power_of_e(below) : 0;
        all += ends[end];
    }
    for (int end = 0; end < ENDS; end++)
        ends[end] /= all;
}

/* The five chances of the player on roll, as equity/chances.py has them, of a game that is over. */
static void chances_of_end(int outcome, float *chances)
{
    for (int i = 0; i < CHANCES; i++)
        chances[i] = i < 3 ? outcome > i : -outcome > i - 2;
}

static void chances_of_network(const Network *network, const Row *row, Outcomes possible, float *chances)
{
    Active active;
    float inputs[SEEN], hidden[HIDDEN];
    double sums[ENDS], ends[ENDS];
    write_seen(network, row, inputs);
    find_active(inputs, &active);
    (HAS_AVX2 ? add_up_by_avx2 : add_up)(network, &active, hidden);
    add_up_ends(network, hidden, sums);
    share_out(sums, possible, ends);
    const double nested[CHANCES] = {
        ends[0] + ends[1] + ends[2], ends[0] + ends[1], ends[0], ends[4] + ends[5], ends[5],
    };
    for (int i = 0; i < CHANCES; i++)
        chances[i] = (float)nested[i];
}

/* The network and the table that judge boards with 15 checkers a side, and memory for the table. The table and the memory may
 * be missing (NULL) if no board is near a bear-off: see is_near_bearoff. */
typedef struct {
    const Network *network;
    const BearoffTable *bearoffs;
    KnownSides *known;
} Evaluator;

/* The five chances of a board: exact where the game is over, those of the table in a bear-off without gammons, else those of
 * the network among the outcomes that are possible. */
static void chances_of(const Evaluator *evaluator, const Row *row, float *chances)
{
    LookAhead ahead;
    if (!row->mine || !row->theirs) {
        chances_of_end(outcome_of(row, MAX_CHECKERS), chances);
    } else if (evaluator->bearoffs && is_bearoff(row)) {
        memset(chances, 0, CHANCES * sizeof *chances);
        chances[0] = (float)win_of_bearoff(evaluator->bearoffs, evaluator->known, row);
    } else {
        const Outcomes possible = possible_outcomes_of(&ahead, row->at, MAX_CHECKERS);
        chances_of_network(evaluator->network, row, possible, chances);
    }
}

/* --- one roll ahead ------------------------------------------------------------------------------------------------------ */

enum { ROLLS = 21 };

static float points_of_chances(const float *chances)
{
    return 2 * chances[0] - 1 + chances[1] + chances[2] - chances[3] - chances[4];
}

static void flip_chances(const float *chances, float *flipped)
{
    const float seen[CHANCES] = {1 - chances[0], chances[3], chances[4], chances[1], chances[2]};
    memcpy(flipped, seen, sizeof seen);
}

/* Of the rolls 11, 21, 31 and so on to 66. */
static const int WEIGHTS_OF_ROLLS[ROLLS] = {1, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 1, 2, 2, 2, 1, 2, 2, 1, 2, 1};

/* The chances of a player after a roll that they have played, and how useful the cube then is to the opponent, who rolls. */
typedef struct {
    float chances[CHANCES], efficiency;
} AfterRoll;

/* The efficiency of the cube before a roll in a bear-off: less than elsewhere, since chances jump. It is 0 if the opponent bears
 * off the rest with any roll, since then nobody turns the cube again: that is one or two checkers of three pips or
 * less. tests/engine/test_last_rolls.py measures both. */
static double bearoff_efficiency(const Row *row)
{
    const int left = -(row->at[24] + row->at[23] + row->at[22]);
    const int pips = -(row->at[24] + 2 * row->at[23] + 3 * row->at[22]);
    return left == row->theirs && left <= 2 && pips <= 3 ? 0 : 0.5;
}

static double cube_efficiency(const Row *row)
{
    return is_bearoff(row) ? bearoff_efficiency(row) : 0.68;
}

/* Write what follows each of the 21 rolls, played as is best in points without a cube, for the player on roll. `boards` has room
 * for all plays of a roll. */
static void look_at_rolls(const Evaluator *evaluator, const Row *row, int8_t *boards, AfterRoll *by_roll)
{
    for (int low = 1; low <= 6; low++) {
        for (int high = low; high <= 6; high++, by_roll++) {
            Board board;
            Sink sink = {.boards = boards, .capacity = MAX_PLAYS};
            float chances[CHANCES], least = 4;
            read_board(row->at, &board);
            enumerate(&board, high, low, &sink);
            for (size_t i = 0; i < sink.count; i++) {
                Row after;
                const Rows rows = {boards, sink.count, MAX_CHECKERS};
                read_row(&rows, i, &after);
                chances_of(evaluator, &after, chances);
                const float points = points_of_chances(chances);
                if (points < least) {
                    least = points;
                    flip_chances(chances, by_roll->chances);
                    by_roll->efficiency = (float)cube_efficiency(&after);
                }
            }
        }
    }
}

static void mean_of_rolls(const AfterRoll *by_roll, float *chances)
{
    for (int i = 0; i < CHANCES; i++) {
        double sum = 0;
        for (int roll = 0; roll < ROLLS; roll++)
            sum += WEIGHTS_OF_ROLLS[roll] * (double)by_roll[roll].chances[i];
        chances[i] = (float)(sum / 36);
    }
}

/* The mean of the chances after all rolls, and the result where the game is over. */
static void chances_ahead(const Evaluator *evaluator, const Row *row, int8_t *boards, float *chances)
{
    AfterRoll by_roll[ROLLS];
    if (!row->mine || !row->theirs) {
        chances_of_end(outcome_of(row, MAX_CHECKERS), chances);
        return;
    }
    look_at_rolls(evaluator, row, boards, by_roll);
    mean_of_rolls(by_roll, chances);
}
