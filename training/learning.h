/* Lessons: samples are collected by streams and learned in batches. */

enum { STREAMS = 16, RANGES = 8, PASSES = 2, STEPS_OF_LESSON = 2000 };

/* A list of samples that grows. */
typedef struct {
    Sample *samples;
    size_t count, capacity;
} Samples;

static void reserve_samples(Samples *list, size_t capacity)
{
    if (capacity <= list->capacity)
        return;
    list->capacity = capacity > 2 * list->capacity ? capacity : 2 * list->capacity;
    list->samples = realloc(list->samples, list->capacity * sizeof *list->samples);
    if (!list->samples)
        fail("not enough memory for %zu samples; use smaller lessons", list->capacity);
}

/* --- boards of the benchmark ------------------------------------------------------------------------------------------------ */

/* Hashes of boards of the benchmark, in order. */
static struct {
    uint64_t *hashes;
    size_t count;
} benchmark;

/* FNV-1a, 64 bits. */
static uint64_t hash_of(const int8_t *at)
{
    uint64_t hash = 0xCBF29CE484222325;
    for (int place = 0; place < SLOTS; place++)
        hash = (hash ^ (uint8_t)at[place]) * 0x100000001B3;
    return hash;
}

static void read_benchmark(const char *path)
{
    FILE *const file = open_file(path, "rb");
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    benchmark.count = (size_t)size / sizeof *benchmark.hashes;
    benchmark.hashes = malloc((size_t)size + 1);
    if (size < 8 || !benchmark.hashes || fread(benchmark.hashes, sizeof *benchmark.hashes, benchmark.count, file) != benchmark.count)
        fail("%s has no hashes of boards; delete it, and it is made again", path);
    fclose(file);
    for (size_t i = 1; i < benchmark.count; i++) {
        if (benchmark.hashes[i - 1] >= benchmark.hashes[i])
            fail("%s is not in order; delete it, and it is made again", path);
    }
}

static bool is_of_benchmark(const int8_t *at)
{
    const uint64_t hash = hash_of(at);
    size_t low = 0, high = benchmark.count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (benchmark.hashes[middle] < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low < benchmark.count && benchmark.hashes[low] == hash;
}

/* Nothing is learned of a game that is over, or of a board of the benchmark. */
static void add_sample(Samples *list, const int8_t *at, int role, const EndChances *target)
{
    Row row;
    read_single(at, &row);
    if (!row.mine || !row.theirs || is_of_benchmark(at))
        return;
    reserve_samples(list, list->count + 1);
    Sample *const sample = &list->samples[list->count++];
    *sample = (Sample){.kind = (uint8_t)class_of(&row), .role = (uint8_t)role, .target = *target};
    memcpy(sample->at, at, SLOTS);
}

/* --- batches ---------------------------------------------------------------------------------------------------------------- */

typedef struct {
    const Samples *list;
    const uint32_t *numbers; /* of the samples of the batch */
    int count;
    Kind kind;
    float rate;
    double errors[CHUNKS];
} Batch;

static float gradients[CHUNKS][TOTAL];

static void add_gradients_of_chunk(void *argument, int chunk)
{
    Batch *const batch = argument;
    float *const numbers = state.numbers + start_of(batch->kind), *const gradient = gradients[chunk] + start_of(batch->kind);
    const float weight = 1 / (float)batch->count;
    batch->errors[chunk] = 0;
    for (int i = batch->count * chunk / CHUNKS; i < batch->count * (chunk + 1) / CHUNKS; i++) {
        const Sample *const sample = &batch->list->samples[batch->numbers[i]];
        batch->errors[chunk] += batch->kind < CLASSES ? add_gradient(numbers, gradient, sample, weight)
                                                      : add_gradient_of_pruning(numbers, gradient, sample, weight);
    }
}

static void step_down_range(void *argument, int range)
{
    const Batch *const batch = argument;
    const size_t start = start_of(batch->kind), size = SIZES[batch->kind];
    const Optimizer optimizer = {state.numbers + start, state.mean + start, state.square + start};
    float *const of_chunks[CHUNKS] = {gradients[0] + start, gradients[1] + start, gradients[2] + start, gradients[3] + start};
    step_down(&optimizer, of_chunks, size * (size_t)range / RANGES, size * (size_t)(range + 1) / RANGES, batch->rate);
}

static double learn_batch(Batch *batch, float rate)
{
    double error = 0;
    batch->rate = adam_rate(++state.steps[batch->kind], rate);
    run_tasks(CHUNKS, add_gradients_of_chunk, batch);
    run_tasks(RANGES, step_down_range, batch);
    for (int chunk = 0; chunk < CHUNKS; chunk++)
        error += batch->errors[chunk];
    return error;
}

/* What a lesson learned: the squared error of each kind of network before its steps, and of how many samples. */
typedef struct {
    double errors[NETWORKS];
    int64_t counts[NETWORKS];
} Progress;

/* Learn samples in this order, each network in batches of its own. A last batch that is less than a quarter full is left out. */
static void learn_in_order(const Samples *list, const uint32_t *order, size_t count, int size, float rate, Progress *progress)
{
    static uint32_t waiting[NETWORKS][4096];
    int waits[NETWORKS] = {0};
    for (size_t i = 0; i <= count; i++) {
        for (int kind = 0; kind < NETWORKS; kind++) {
            const bool is_full = waits[kind] == size || (i == count && waits[kind] > size / 4);
            if (!is_full)
                continue;
            Batch batch = {.list = list, .numbers = waiting[kind], .count = waits[kind], .kind = (Kind)kind};
            progress->errors[kind] += learn_batch(&batch, rate);
            progress->counts[kind] += waits[kind];
            waits[kind] = 0;
        }
        if (i < count) {
            const int kind = list->samples[order[i]].kind;
            waiting[kind][waits[kind]++] = order[i];
        }
    }
}

static uint32_t *make_order(size_t count)
{
    uint32_t *const order = malloc((count + 1) * sizeof *order);
    if (!order)
        fail("not enough memory to put %zu samples in order; use smaller lessons", count);
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    return order;
}

static void learn_all(const Samples *list, int passes, int size, float rate, uint64_t *random, Progress *progress)
{
    uint32_t *const order = make_order(list->count);
    for (int pass = 0; pass < passes; pass++) {
        shuffle(order, list->count, random);
        learn_in_order(list, order, list->count, size, rate, progress);
    }
    free(order);
}
