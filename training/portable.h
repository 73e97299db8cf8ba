/* Random numbers, exp and log. They give the same values on every processor, because they use no function of the C library. */

/* SplitMix64: the state is one word. */
static inline uint64_t next_random(uint64_t *state)
{
    uint64_t word = (*state += 0x9E3779B97F4A7C15);
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
    return word ^ (word >> 31);
}

static inline double random_share(uint64_t *state)
{
    return (double)(next_random(state) >> 11) * 0x1p-53;
}

static inline int random_below(uint64_t *state, int limit)
{
    return (int)((next_random(state) >> 33) % (uint64_t)limit);
}

/* Nearly normal: the sum of twelve uniform numbers has a variance of 1. */
static double random_normal(uint64_t *state)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_share(state);
    return sum;
}

/* Every stream of every lesson has random numbers of its own, so that no state of a generator has to be stored. */
static uint64_t seed_of(uint64_t seed, int64_t stage, int64_t lesson, int64_t stream)
{
    const int64_t parts[] = {stage, lesson, stream};
    for (int i = 0; i < 3; i++) {
        seed ^= (uint64_t)parts[i] + 1;
        seed = next_random(&seed);
    }
    return seed;
}

static void shuffle(uint32_t *order, size_t count, uint64_t *random)
{
    for (size_t i = count; i > 1; i--) {
        const size_t other = next_random(random) % i;
        const uint32_t moved = order[i - 1];
        order[i - 1] = order[other];
        order[other] = moved;
    }
}

/* e to the power of a number from -60 to 0. */
static inline float exp_of(float number)
{
    const int halvings = (int)(0.5f - number * 1.44269504f);
    const float rest = number + (float)halvings * 0.693147181f;
    const uint32_t bits = (uint32_t)(127 - halvings) << 23;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    const float high = 1 / 24.0f + rest * (1 / 120.0f + rest / 720);
    return scale * (1 + rest * (1 + rest * (0.5f + rest * (1 / 6.0f + rest * high))));
}

/* The natural logarithm of a normal number above 0. */
static double log_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023;
    bits = (bits & 0x000FFFFFFFFFFFFF) | 0x3FF0000000000000;
    memcpy(&number, &bits, sizeof number);
    if (number > 1.4142135623730951) {
        number /= 2;
        exponent++;
    }
    const double ratio = (number - 1) / (number + 1), square = ratio * ratio;
    double sum = 0;
    for (int i = 21; i > 0; i -= 2)
        sum = sum * square + 1.0 / i;
    return 2 * ratio * sum + exponent * 0.69314718055994530942;
}

/* A rate that falls from one value to another by equal factors; `share` goes from 0 to 1. */
static float falling_rate(double from, double to, double share)
{
    return (float)(from * power_of_e(share * log_of(to / from)));
}
