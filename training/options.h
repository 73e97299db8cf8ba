/* The options: a line "seed NUMBER", perhaps a line "save SECONDS", and a line for each stage, with its kind, names and values. A '#'
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
    bool has_seed;
    double save_after; /* seconds of processors between two states */
    int count, line; /* stages, and the line that is read */
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
    fprintf(stderr, "trainer: line %d of the options: unknown %s '%s'; use one of:", options.line, problem, name);
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
        fail("line %d of the options: %s must be a number from 0 to %.10g, not '%s'", options.line, name, most, text ? text : "");
    return value;
}

/* Of digits alone, as the manifest repeats the seed. */
static uint64_t read_whole(const char *name, const char *text, double most)
{
    if (!text || !*text || strspn(text, "0123456789") != strlen(text))
        fail("line %d of the options: %s must be a whole number, not '%s'", options.line, name, text ? text : "");
    return (uint64_t)read_number(name, text, most);
}

static void check_stage(const StageOptions *stage)
{
    const double *const values = stage->values;
    if (stage->kind != FIT && values[LESSONS] < 1)
        fail("line %d of the options: %s has no lessons; add 'lessons NUMBER'", options.line, STAGE_NAMES[stage->kind]);
    if (values[SIZE] < 1 || values[EPOCHS] < 1 || values[BATCH] < CHUNKS)
        fail("line %d of the options: size and epochs must be at least 1, batch at least %d", options.line, CHUNKS);
    if (values[FROM_RATE] <= 0 || values[TO_RATE] <= 0)
        fail("line %d of the options: from_rate and to_rate must be above 0", options.line);
}

static void read_stage(int kind)
{
    if (options.count == MAX_STAGES)
        fail("line %d of the options: there are more than %d stages", options.line, MAX_STAGES);
    StageOptions *const stage = &options.stages[options.count++];
    stage->kind = (StageKind)kind;
    memcpy(stage->values, DEFAULTS, sizeof DEFAULTS);
    for (const char *name = strtok(NULL, " \t"); name; name = strtok(NULL, " \t")) {
        const int found = find_name(name, OPTION_NAMES, NAMES);
        if (found == NAMES)
            fail_with_names("name", name, OPTION_NAMES, NAMES);
        const bool is_share = found == FROM_RATE || found == TO_RATE || found == RARE;
        const char *const text = strtok(NULL, " \t");
        stage->values[found] = is_share ? read_number(name, text, LIMITS[found]) : (double)read_whole(name, text, LIMITS[found]);
    }
    check_stage(stage);
}

/* Read "seed NUMBER" or "save SECONDS". */
static void read_setting(const char *word)
{
    const char *const text = strtok(NULL, " \t");
    if (strcmp(word, "save") == 0) {
        options.save_after = read_number(word, text, 20);
    } else if (options.has_seed || options.count) {
        fail("line %d of the options: there must be one seed, before the stages", options.line);
    } else {
        options.seed = read_whole(word, text, 1e15);
        options.has_seed = true;
    }
    if (strtok(NULL, " \t"))
        fail("line %d of the options: %s has one value", options.line, word);
}

static void read_line(char *line, uint32_t *sum)
{
    char copy[MAX_LINE];
    snprintf(copy, sizeof copy, "%s", line);
    const char *const word = strtok(line, " \t");
    if (!word)
        return;
    if (strcmp(word, "save") != 0) /* it changes no weights */
        *sum = checksum(*sum, (const uint8_t *)copy, strlen(copy));
    if (strcmp(word, "save") == 0 || strcmp(word, "seed") == 0) {
        read_setting(word);
        return;
    }
    const int kind = find_name(word, STAGE_NAMES, STAGE_KINDS);
    if (kind == STAGE_KINDS)
        fail_with_names("stage", word, STAGE_NAMES, STAGE_KINDS);
    read_stage(kind);
    options.stages[options.count - 1].sum = *sum;
}

static void read_options(const char *path)
{
    FILE *const file = open_file(path, "r");
    char line[MAX_LINE];
    uint32_t sum = 0;
    while (fgets(line, sizeof line, file)) {
        options.line++;
        if (!strchr(line, '\n') && !feof(file))
            fail("line %d of the options is longer than %d characters", options.line, MAX_LINE - 2);
        line[strcspn(line, "#\r\n")] = 0;
        for (size_t end = strlen(line); end && (line[end - 1] == ' ' || line[end - 1] == '\t'); end--)
            line[end - 1] = 0;
        read_line(line, &sum);
    }
    fclose(file);
    if (!options.has_seed)
        fail("%s has no seed; begin it with 'seed NUMBER'", path);
    if (!options.count)
        fail("%s has no stages; add a line such as 'td lessons 100'", path);
}
