/* The networks and how they learn: one for races and one for contact, with one hidden layer each, and two small ones that only
 * say which plays deserve a look.
 *
 * All numbers of all networks lie in one array, so that the optimizer, the files and the state need no knowledge of layers. Every
 * sum has a fixed order. Vectors are GCC's and Clang's own: a processor with wider ones adds the same numbers in the same order.
 */

#if defined(__x86_64__) && defined(__linux__) && !defined(ONE_PROCESSOR)
#define FAST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FAST
#endif
typedef float SixteenFloats __attribute__((vector_size(64), aligned(4), may_alias));
typedef float EightOfEnds __attribute__((vector_size(32), aligned(4), may_alias));

/* --- layout ----------------------------------------------------------------------------------------------------------------- */

/* Each class of positions has a network, and then one for pruning. */
typedef enum { RACE, CONTACT, CLASSES, RACE_PRUNING = CLASSES, CONTACT_PRUNING, NETWORKS } Kind;
enum { CHUNKS = 4 };  /* of a batch, each with a gradient of its own */

#ifndef CONTACT_UNITS
#define CONTACT_UNITS 256
#endif
#ifndef RACE_UNITS
#define RACE_UNITS 64
#endif
enum {
    LANES = 16,
    BLOCK = 64, /* hidden units whose sums stay in registers */
    MAX_UNITS = CONTACT_UNITS > RACE_UNITS ? CONTACT_UNITS : RACE_UNITS,
    ENDS_WIDE = 8, /* the six ends with padding */
    PRUNING_UNITS = 32,
    COUNTS = 32, /* checkers on a place, from -15 to 15, and padding */
    PRUNING_SIZE = SLOTS * COUNTS * PRUNING_UNITS + 2 * PRUNING_UNITS + LANES
};
#define SIZE_OF(units) ((size_t)(INPUT_ROWS + 1 + ENDS_WIDE) * (units) + ENDS_WIDE)
enum { TOTAL = SIZE_OF(RACE_UNITS) + SIZE_OF(CONTACT_UNITS) + 2 * PRUNING_SIZE };
_Static_assert(CONTACT_UNITS % BLOCK == 0 && RACE_UNITS % BLOCK == 0, "hidden units come in blocks");

static const int UNITS_OF[CLASSES] = {RACE_UNITS, CONTACT_UNITS};
static const size_t SIZES[NETWORKS] = {SIZE_OF(RACE_UNITS), SIZE_OF(CONTACT_UNITS), PRUNING_SIZE, PRUNING_SIZE};

static size_t start_of(Kind kind)
{
    size_t start = 0;
    for (int before = 0; before < (int)kind; before++)
        start += SIZES[before];
    return start;
}

/* Where the numbers of a network with a hidden layer are. */
typedef struct {
    int units;
    float *first, *first_bias, *last, *last_bias;
} Layers;

static inline Layers layers_at(float *numbers, Kind kind)
{
    const int units = UNITS_OF[kind];
    float *const bias = numbers + INPUT_ROWS * units;
    return (Layers){units, numbers, bias, bias + units, bias + units + ENDS_WIDE * units};
}

/* Where those of a network for pruning are. Its inputs are the places, each with one of 31 counts of checkers. */
typedef struct {
    float (*first)[COUNTS][PRUNING_UNITS];
    float *first_bias, *last, *last_bias;
} Pruning;

static inline Pruning pruning_at(float *numbers)
{
    float *const bias = numbers + SLOTS * COUNTS * PRUNING_UNITS;
    return (Pruning){(float(*)[COUNTS][PRUNING_UNITS])numbers, bias, bias + PRUNING_UNITS, bias + 2 * PRUNING_UNITS};
}

/* Small random numbers for the inputs, so that hidden units differ; biases begin at 0. */
static void make_random_network(Kind kind, float *numbers, uint64_t *random)
{
    memset(numbers, 0, SIZES[kind] * sizeof *numbers);
    if (kind >= CLASSES) {
        const Pruning layers = pruning_at(numbers);
        for (int i = 0; i < SLOTS * COUNTS * PRUNING_UNITS; i++)
            numbers[i] = (float)(0.05 * random_normal(random));
        for (int unit = 0; unit < PRUNING_UNITS; unit++)
            layers.last[unit] = (float)(0.2 * random_normal(random));
        return;
    }
    const Layers layers = layers_at(numbers, kind);
    for (int i = 0; i < REAL_INPUTS * layers.units; i++)
        layers.first[i] = (float)(0.12 * random_normal(random));
    const double spread = layers.units == CONTACT_UNITS ? 0.15 / 16 : 0.15 / 8;
    for (int unit = 0; unit < layers.units; unit++) {
        for (int end = 0; end < ENDS; end++)
            layers.last[ENDS_WIDE * unit + end] = (float)(spread * random_normal(random));
    }
}

static void read_single(const int8_t *at, Row *row)
{
    const Rows single = {at, 1, MAX_CHECKERS};
    read_row(&single, 0, row);
}

/* --- forward ------------------------------------------------------------------------------------------------------------------ */

/* The probabilities of the six ends, or what is expected of them. */
typedef struct {
    float of[ENDS];
} EndChances;

/* The inputs that are not 0. */
typedef struct {
    int count;
    uint16_t rows[INPUT_ROWS + 1];
    float values[INPUT_ROWS + 1];
} Inputs;

static void keep_inputs(const float *inputs, Inputs *kept)
{
    int count = 0;
    for (int i = 0; i < INPUT_ROWS; i++) {
        kept->rows[count] = (uint16_t)i;
        kept->values[count] = inputs[i];
        count += inputs[i] != 0;
    }
    kept->count = count;
}

/* The sums of the hidden units, from sums of other inputs or the biases on. */
FAST static void add_inputs(const Layers *layers, const Inputs *inputs, const float *before, float *sums)
{
    for (int block = 0; block < layers->units; block += BLOCK) {
        SixteenFloats lanes[BLOCK / LANES];
        for (int k = 0; k < BLOCK / LANES; k++)
            lanes[k] = *(const SixteenFloats *)(before + block + LANES * k);
        for (int i = 0; i < inputs->count; i++) {
            const float *const weights = layers->first + inputs->rows[i] * layers->units + block;
            const float value = inputs->values[i];
            for (int k = 0; k < BLOCK / LANES; k++)
                lanes[k] += value * *(const SixteenFloats *)(weights + LANES * k);
        }
        for (int k = 0; k < BLOCK / LANES; k++)
            *(SixteenFloats *)(sums + block + LANES * k) = lanes[k];
    }
}

/* The sums of the ends. Hidden units below 0 count as 0, and are set to it. */
FAST static void add_units(const Layers *layers, float *units, float *ends)
{
    EightOfEnds even = *(const EightOfEnds *)layers->last_bias, odd = {0};
    for (int unit = 0; unit < layers->units; unit += 2) {
        units[unit] = units[unit] > 0 ? units[unit] : 0;
        units[unit + 1] = units[unit + 1] > 0 ? units[unit + 1] : 0;
        even += units[unit] * *(const EightOfEnds *)(layers->last + ENDS_WIDE * unit);
        odd += units[unit + 1] * *(const EightOfEnds *)(layers->last + ENDS_WIDE * (unit + 1));
    }
    *(EightOfEnds *)ends = even + odd;
}

static inline int rear_of(const Row *row)
{
    return highest_bit(more_than(0, row->slots) | 1);
}

static inline int rear_of_theirs(const Row *row)
{
    return BAR - lowest(below_zero(row->slots) | BIT(BAR));
}

static inline Kind class_of(const Row *row)
{
    return rear_of(row) + rear_of_theirs(row) < BAR ? RACE : CONTACT;
}

/* Whether each end may still come: a side that has borne off a checker loses no gammon, and in a race a side without a checker in
 * the other's home board or on the bar loses no backgammon. */
static void find_possible_ends(const Row *row, bool *possible)
{
    const bool is_race = class_of(row) == RACE;
    possible[1] = row->theirs == MAX_CHECKERS;
    possible[0] = possible[1] && !(is_race && rear_of_theirs(row) <= 18);
    possible[2] = possible[3] = true;
    possible[4] = row->mine == MAX_CHECKERS;
    possible[5] = possible[4] && !(is_race && rear_of(row) <= 18);
}

static EndChances share_ends(const Row *row, const float *sums)
{
    bool possible[ENDS];
    EndChances chances;
    float highest = -1e30f, all = 0;
    find_possible_ends(row, possible);
    for (int end = 0; end < ENDS; end++)
        highest = possible[end] && sums[end] > highest ? sums[end] : highest;
    for (int end = 0; end < ENDS; end++) {
        const float below = sums[end] - highest;
        chances.of[end] = possible[end] && below > -60 ? exp_of(below) : 0;
        all += chances.of[end];
    }
    for (int end = 0; end < ENDS; end++)
        chances.of[end] /= all;
    return chances;
}

static inline float points_of(const EndChances *chances)
{
    const float *const of = chances->of;
    return 3 * of[0] + 2 * of[1] + of[2] - of[3] - 2 * of[4] - 3 * of[5];
}

static inline EndChances flip_ends(const EndChances *chances)
{
    EndChances flipped;
    for (int end = 0; end < ENDS; end++)
        flipped.of[end] = chances->of[ENDS - 1 - end];
    return flipped;
}

static _Thread_local KnownSides known_sides;

/* Whether the chances are known without a network: the game is over, or the board is in the table of bear-offs. */
static bool find_exact_ends(const Row *row, EndChances *chances)
{
    if (!row->mine || !row->theirs) {
        const int outcome = outcome_of(row, MAX_CHECKERS);
        *chances = (EndChances){{0}};
        chances->of[outcome > 0 ? 3 - outcome : 2 - outcome] = 1;
        return true;
    }
    if (is_bearoff(row)) {
        const float win = (float)win_of_bearoff(&bearoffs, &known_sides, row);
        *chances = (EndChances){{0, 0, win, 1 - win, 0, 0}};
        return true;
    }
    return false;
}

/* --- pruning ------------------------------------------------------------------------------------------------------------------- */

FAST static void add_places(const Pruning *layers, const int8_t *at, float *sums)
{
    SixteenFloats low = *(const SixteenFloats *)layers->first_bias;
    SixteenFloats high = *(const SixteenFloats *)(layers->first_bias + LANES);
    for (int place = 0; place < SLOTS; place++) {
        const float *const weights = layers->first[place][at[place] + MAX_CHECKERS];
        low += *(const SixteenFloats *)weights;
        high += *(const SixteenFloats *)(weights + LANES);
    }
    *(SixteenFloats *)sums = low;
    *(SixteenFloats *)(sums + LANES) = high;
}

/* The sums of a board from those of another: only places that differ are added. */
FAST static void add_differences(const Pruning *layers, const int8_t *at, const int8_t *other, const float *before, float *sums)
{
    SixteenFloats low = *(const SixteenFloats *)before, high = *(const SixteenFloats *)(before + LANES);
    for (int place = 0; place < SLOTS; place++) {
        if (at[place] == other[place])
            continue;
        const float *const to = layers->first[place][at[place] + MAX_CHECKERS];
        const float *const from = layers->first[place][other[place] + MAX_CHECKERS];
        low += *(const SixteenFloats *)to - *(const SixteenFloats *)from;
        high += *(const SixteenFloats *)(to + LANES) - *(const SixteenFloats *)(from + LANES);
    }
    *(SixteenFloats *)sums = low;
    *(SixteenFloats *)(sums + LANES) = high;
}

/* The estimated points of the player on roll. */
static float points_of_pruning(const Pruning *layers, const float *sums)
{
    float lanes[LANES], points = *layers->last_bias;
    for (int k = 0; k < LANES; k++) {
        const float low = sums[k] > 0 ? sums[k] : 0, high = sums[k + LANES] > 0 ? sums[k + LANES] : 0;
        lanes[k] = low * layers->last[k] + high * layers->last[k + LANES];
    }
    for (int k = 0; k < LANES; k++)
        points += lanes[k];
    return points;
}

/* --- learning --------------------------------------------------------------------------------------------------------------------- */

/* A board seen by the player on roll, and what a network should answer. */
typedef struct {
    int8_t at[SLOTS];
    uint8_t kind; /* of the network that learns it */
    uint8_t role; /* in a file of records, what the board is there for */
    EndChances target; /* for pruning only of[0] is used, the points */
} Sample;

FAST static void add_gradient_of_inputs(const Inputs *inputs, const float *slopes, int units, float *gradient)
{
    for (int i = 0; i < inputs->count; i++) {
        float *const to = gradient + inputs->rows[i] * units;
        const float value = inputs->values[i];
        for (int unit = 0; unit < units; unit += LANES)
            *(SixteenFloats *)(to + unit) += value * *(const SixteenFloats *)(slopes + unit);
    }
}

/* The slope of each hidden unit that is above 0, and the gradient of the last layer. */
FAST static void add_gradient_of_units(const Layers *layers, const Layers *gradient, const float *units, const float *ends,
                                       float *slopes)
{
    const EightOfEnds end_slopes = *(const EightOfEnds *)ends;
    for (int unit = 0; unit < layers->units; unit++) {
        slopes[unit] = 0;
        if (units[unit] <= 0)
            continue;
        const EightOfEnds part = end_slopes * *(const EightOfEnds *)(layers->last + ENDS_WIDE * unit);
        slopes[unit] = (part[0] + part[4] + (part[1] + part[5])) + (part[2] + part[3]);
        *(EightOfEnds *)(gradient->last + ENDS_WIDE * unit) += units[unit] * end_slopes;
        gradient->first_bias[unit] += slopes[unit];
    }
}

/* Add the gradient of the cross-entropy of a board. Returns the squared error of its points. */
static double add_gradient(float *numbers, float *gradient, const Sample *sample, float weight)
{
    float inputs[INPUT_ROWS], units[MAX_UNITS], slopes[MAX_UNITS], sums[ENDS_WIDE], ends[ENDS_WIDE] = {0};
    Inputs kept;
    Row row;
    const Layers layers = layers_at(numbers, sample->kind), slopes_of = layers_at(gradient, sample->kind);
    read_single(sample->at, &row);
    write_all_inputs(&row, inputs);
    keep_inputs(inputs, &kept);
    add_inputs(&layers, &kept, layers.first_bias, units);
    add_units(&layers, units, sums);
    const EndChances found = share_ends(&row, sums);
    for (int end = 0; end < ENDS; end++) {
        ends[end] = weight * (found.of[end] - sample->target.of[end]);
        slopes_of.last_bias[end] += ends[end];
    }
    add_gradient_of_units(&layers, &slopes_of, units, ends, slopes);
    add_gradient_of_inputs(&kept, slopes, layers.units, gradient);
    const double error = (double)points_of(&found) - (double)points_of(&sample->target);
    return error * error;
}

/* Add the gradient of a network for pruning, of the squared error of the points. Returns the squared error. */
static double add_gradient_of_pruning(float *numbers, float *gradient, const Sample *sample, float weight)
{
    float sums[PRUNING_UNITS], slopes[PRUNING_UNITS];
    const Pruning layers = pruning_at(numbers), slopes_of = pruning_at(gradient);
    add_places(&layers, sample->at, sums);
    const float error = points_of_pruning(&layers, sums) - sample->target.of[0];
    *slopes_of.last_bias += weight * error;
    for (int unit = 0; unit < PRUNING_UNITS; unit++) {
        slopes[unit] = sums[unit] > 0 ? weight * error * layers.last[unit] : 0;
        slopes_of.last[unit] += sums[unit] > 0 ? weight * error * sums[unit] : 0;
        slopes_of.first_bias[unit] += slopes[unit];
    }
    for (int place = 0; place < SLOTS; place++) {
        float *const to = slopes_of.first[place][sample->at[place] + MAX_CHECKERS];
        for (int unit = 0; unit < PRUNING_UNITS; unit++)
            to[unit] += slopes[unit];
    }
    return (double)error * error;
}

/* Adam's means of a gradient and of its square, as in the paper by Kingma and Ba (2015): .9 and .999. */
typedef struct {
    float *numbers, *mean, *square;
} Optimizer;

static double power_of(double base, int64_t steps)
{
    const double exponent = (double)steps * log_of(base);
    return exponent < -60 ? 0 : power_of_e(exponent);
}

/* The rate of a step, corrected for means that began at 0. */
static float adam_rate(int64_t steps, float rate)
{
    return (float)((double)rate * __builtin_sqrt(1 - power_of(0.999, steps)) / (1 - power_of(0.9, steps)));
}

/* One step of these numbers against the sum of the gradients of all chunks, which are set to 0. */
FAST static void step_down(const Optimizer *optimizer, float *const *gradients, size_t from, size_t to, float rate)
{
    float *restrict const numbers = optimizer->numbers, *restrict const mean = optimizer->mean;
    float *restrict const square = optimizer->square;
    float *restrict const first = gradients[0], *restrict const second = gradients[1];
    float *restrict const third = gradients[2], *restrict const fourth = gradients[3];
    for (size_t i = from; i < to; i++) {
        const float gradient = first[i] + second[i] + (third[i] + fourth[i]);
        first[i] = second[i] = third[i] = fourth[i] = 0;
        mean[i] += 0.1f * (gradient - mean[i]);
        square[i] += 0.001f * (gradient * gradient - square[i]);
        numbers[i] -= rate * mean[i] / (__builtin_sqrtf(square[i]) + 1e-8f);
    }
}
