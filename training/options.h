/* The options: a line "seed NUMBER", perhaps a line "save SECONDS", and a line for each stage: its kind, then names and values. '#'
 * begins a comment. */

enum { MAX_STAGES = 200, MAX_LINE = 400 };

typedef enum { TD, PRUNING, TARGETS, BEAROFFS, FIT, GROUPS, STAGE_KINDS } StageKind;
static const char *const STAGE_NAMES[STAGE_KINDS] = {"td", "pruning", "targets", "bearoffs", "fit", "groups"};

typedef enum { LESSONS, SIZE, FROM_RATE, TO_RATE, BATCH, RARE, EPOCHS, SINCE, NAMES } OptionName;
static const char *const OPTION_NAMES[NAMES] = {"lessons", "size", "from_rate", "to_rate", "batch", "rare", "epochs", "since"};
static const double DEFAULTS[NAMES] = {0, 960, 0.0006, 0.0001, 256, 0.15, 10, 0};
static const double LIMITS[NAMES] = {1e7, 1e6, 1, 1, 4096, 1, 1000, MAX_STAGES};

typedef struct {
    StageKind kind;
    double values[NAMES];
    uint32_t sum; /* of the lines up to this one */
} StageOptions;

static struct {
    uint64_t seed;
    double save_after; /* seconds of processors between two states */
    int count;
    StageOptions stages[MAX_STAGES];
} options = {.save_after = 15};

static int find_name(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(name, names[i]) == 0)
            return i;
    }
    return count;
}

static void fail_with_names(const char *problem, const char *name, const char *const *names, int count)
{
    fprintf(stderr, "trainer: options: unknown %s '%s'; use one of:", problem, name);
    for (int i = 0; i < count; i++)
        fprintf(stderr, " %s", names[i]);
    fprintf(stderr, "\n");
    exit(1);
}

static double read_number(const char *name, const char *text, double most)
{
    char *end;
    const double value = text ? strtod(text, &end) : -1;
    if (!text || end == text || *end || !(value >= 0 && value <= most))
        fail("options: %s must be a number from 0 to %g, not '%s'", name, most, text ? text : "");
    return value;
}

static void read_stage(int kind, uint32_t sum)
{
    if (options.count == MAX_STAGES)
        fail("options: more than %d stages", MAX_STAGES);
    StageOptions *const stage = &options.stages[options.count++];
    stage->kind = (StageKind)kind;
    stage->sum = sum;
    memcpy(stage->values, DEFAULTS, sizeof DEFAULTS);
    for (const char *name = strtok(NULL, " \t"); name; name = strtok(NULL, " \t")) {
        const int found = find_name(name, OPTION_NAMES, NAMES);
        if (found == NAMES)
            fail_with_names("name", name, OPTION_NAMES, NAMES);
        stage->values[found] = read_number(name, strtok(NULL, " \t"), LIMITS[found]);
    }
    if (stage->kind != FIT && stage->values[LESSONS] < 1)
        fail("options: stage %d, %s, has no lessons; add 'lessons NUMBER'", options.count, STAGE_NAMES[kind]);
    if (stage->values[SIZE] < 1 || stage->values[BATCH] < CHUNKS || stage->values[FROM_RATE] <= 0 || stage->values[TO_RATE] <= 0)
        fail("options: stage %d: size, from_rate and to_rate must be above 0, batch at least %d", options.count, CHUNKS);
}

static void read_options(const char *path)
{
    FILE *const file = open_file(path, "r");
    char line[MAX_LINE];
    uint32_t sum = 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "#\r\n")] = 0;
        for (size_t end = strlen(line); end && line[end - 1] == ' '; end--)
            line[end - 1] = 0;
        sum = checksum(sum, (const uint8_t *)line, strlen(line));
        const char *const word = strtok(line, " \t");
        if (!word)
            continue;
        if (strcmp(word, "seed") == 0) {
            options.seed = (uint64_t)read_number(word, strtok(NULL, " \t"), 1e15);
            continue;
        }
        if (strcmp(word, "save") == 0) {
            options.save_after = read_number(word, strtok(NULL, " \t"), 20);
            continue;
        }
        const int kind = find_name(word, STAGE_NAMES, STAGE_KINDS);
        if (kind == STAGE_KINDS)
            fail_with_names("stage", word, STAGE_NAMES, STAGE_KINDS);
        read_stage(kind, sum);
    }
    fclose(file);
    if (!options.count)
        fail("%s has no stages", path);
}
