/* The state of a run: one file, replaced by a rename. It holds all weights, the optimizer and all counts. Random numbers follow from
 * the seed, the stage and the lesson. */

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#define STATE_MAGIC "gammonrules training 1"
#define WEIGHTS_MAGIC "gammonrules weights 1"

typedef struct {
    char magic[24];
    uint32_t sum;     /* of all that follows */
    uint32_t options; /* the sum of the options up to this stage */
    int32_t size, stage;
    int64_t lesson, games, samples, records;
    double seconds; /* of processors */
    int64_t steps[NETWORKS];
    int32_t has_pruning, unused;
    float numbers[TOTAL], mean[TOTAL], square[TOTAL];
} State;

/* The weights alone, which are the same for the same options, whenever the run was stopped. */
typedef struct {
    char magic[24];
    uint32_t sum;
    int32_t inputs, contact_units, race_units, has_pruning, total;
    float numbers[TOTAL];
} Weights;

static State state;
static const char *folder;

static void path_in_folder(char *path, const char *name)
{
    if (snprintf(path, MAX_PATH, "%s/%s", folder, name) >= MAX_PATH)
        fail("the path of the folder is too long: %s", folder);
}

/* A renamed file is safe from a power failure when its folder is. */
static void sync_folder(void)
{
    const int descriptor = open(folder, O_RDONLY);
    if (descriptor < 0 || fsync(descriptor) != 0)
        fail("cannot write the folder %s: %s", folder, strerror(errno));
    close(descriptor);
}

/* Two trainers in one folder would overwrite each other's files. The lock ends with the process. */
static void lock_folder(void)
{
    char path[MAX_PATH];
    path_in_folder(path, "lock");
    const int descriptor = open(path, O_RDWR | O_CREAT, 0666);
    if (descriptor < 0)
        fail("cannot write into the folder %s: %s", folder, strerror(errno));
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        fail("another trainer is running in %s; stop it, or use another --folder", folder);
}

static void write_file(const char *name, const void *content, size_t size)
{
    char path[MAX_PATH], part[MAX_PATH];
    char part_name[MAX_PATH];
    snprintf(part_name, sizeof part_name, "%s.part", name);
    path_in_folder(path, name);
    path_in_folder(part, part_name);
    FILE *const file = open_file(part, "wb");
    if (fwrite(content, size, 1, file) != 1 || fflush(file) != 0 || fsync(fileno(file)) != 0 || fclose(file) != 0)
        fail("cannot write %s; is the disk full?", part);
    if (rename(part, path) != 0)
        fail("cannot replace %s: %s", path, strerror(errno));
    sync_folder();
}

/* The file, or false if there is none. */
static bool read_file(const char *path, void *content, size_t size)
{
    FILE *const file = fopen(path, "rb");
    if (!file)
        return false;
    const bool is_whole = fread(content, size, 1, file) == 1 && fgetc(file) == EOF;
    fclose(file);
    if (!is_whole)
        fail("%s is damaged, or of networks of another size", path);
    return true;
}

#define SUM_AFTER(object) checksum(0, (const uint8_t *)&(object)->sum + 4, sizeof *(object) - offsetof(__typeof__(*(object)), sum) - 4)

/* Stages that have not begun may still be changed. */
static uint32_t sum_of_begun_stages(void)
{
    const int begun = state.stage + (state.lesson > 0);
    return begun ? options.stages[begun - 1].sum : 0;
}

static void save_state(void)
{
    memset(state.magic, 0, sizeof state.magic);
    memcpy(state.magic, STATE_MAGIC, sizeof STATE_MAGIC);
    state.size = TOTAL;
    state.options = sum_of_begun_stages();
    state.sum = SUM_AFTER(&state);
    write_file("state.bin", &state, sizeof state);
}

static bool load_state(void)
{
    char path[MAX_PATH];
    path_in_folder(path, "state.bin");
    if (!read_file(path, &state, sizeof state))
        return false;
    if (memcmp(state.magic, STATE_MAGIC, sizeof STATE_MAGIC) != 0 || state.size != TOTAL || state.sum != SUM_AFTER(&state))
        fail("%s is damaged, or of another version; move the whole folder away to begin a new run", path);
    if (state.stage + (state.lesson > 0) > options.count || state.options != sum_of_begun_stages())
        fail("the seed or the options of stage %d or an earlier one have changed since %s was written; change only later stages",
             state.stage + 1, path);
    return true;
}

static void save_weights(void)
{
    static Weights weights;
    char name[64];
    memset(&weights, 0, sizeof weights);
    memcpy(weights.magic, WEIGHTS_MAGIC, sizeof WEIGHTS_MAGIC);
    weights.inputs = REAL_INPUTS;
    weights.contact_units = CONTACT_UNITS;
    weights.race_units = RACE_UNITS;
    weights.has_pruning = state.has_pruning;
    weights.total = TOTAL;
    memcpy(weights.numbers, state.numbers, sizeof weights.numbers);
    weights.sum = SUM_AFTER(&weights);
    snprintf(name, sizeof name, "%03d-%s.weights", state.stage + 1, STAGE_NAMES[options.stages[state.stage].kind]);
    write_file(name, &weights, sizeof weights);
}

/* Read weights. Returns whether they have networks for pruning. */
static bool load_weights(const char *path, float *numbers)
{
    static Weights weights;
    if (!read_file(path, &weights, sizeof weights))
        fail("there is no file %s", path);
    if (memcmp(weights.magic, WEIGHTS_MAGIC, sizeof WEIGHTS_MAGIC) != 0 || weights.sum != SUM_AFTER(&weights))
        fail("%s is not a file of weights, or it is damaged", path);
    memcpy(numbers, weights.numbers, sizeof weights.numbers);
    return weights.has_pruning;
}
