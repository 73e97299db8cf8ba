/* Trains the networks: trainer FOLDER OPTIONS BENCHMARK WORKERS [START STAGES].
 *
 * FOLDER has the state and all that is written. BENCHMARK has the hashes of the boards that nothing is learned of. START is a file of
 * weights from which a new run begins, after so many STAGES. A call does one stage, or the rest of it. Exit status: 0 the stage is
 * done, 1 error, 2 all stages are done, 3 stopped by a signal. README.md describes the stages.
 */

#include "common.h"
#include <signal.h>
#include <time.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#include "workers.h"
#include "options.h"
#include "state.h"
#include "learning.h"
#include "streams.h"

static const double REPORT_AFTER = 60; /* seconds of processors */
enum { DONE, FAILED, ALL_DONE, STOPPED };

static volatile sig_atomic_t is_stopped;

static void stop(int number)
{
    (void)number;
    is_stopped = 1;
}

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* --- records ------------------------------------------------------------------------------------------------------------------ */

static void path_of_records(char *path, int stage)
{
    char name[64];
    snprintf(name, sizeof name, "%03d-%s.records", stage + 1, STAGE_NAMES[options.stages[stage].kind]);
    path_in_folder(path, name);
}

/* What a stopped run wrote after its last state is cut off, so that no record is there twice. */
static FILE *open_records(void)
{
    char path[MAX_PATH];
    path_of_records(path, state.stage);
    FILE *const file = open_file(path, state.records ? "r+b" : "w+b");
    fseek(file, 0, SEEK_END);
    if (ftell(file) < state.records * (long)sizeof(Sample)) {
        printf("%s is shorter than the state says: stage %d begins again\n", path, state.stage + 1);
        state.lesson = state.records = 0;
    }
    if (ftruncate(fileno(file), state.records * (long)sizeof(Sample)) != 0)
        fail("cannot cut %s", path);
    fseek(file, 0, SEEK_END);
    return file;
}

static void append_records(FILE *file, const Samples *list)
{
    if (fwrite(list->samples, sizeof *list->samples, list->count, file) != list->count || fflush(file) != 0)
        fail("cannot write records; is the disk full?");
    state.records += (int64_t)list->count;
}

static bool is_sample(const Sample *sample)
{
    Row row;
    const Rows single = {sample->at, 1, MAX_CHECKERS};
    return sample->kind < CLASSES && read_row(&single, 0, &row) && row.mine && row.theirs && class_of(&row) == sample->kind;
}

static void read_records(int stage, Samples *list)
{
    char path[MAX_PATH];
    path_of_records(path, stage);
    FILE *const file = open_file(path, "rb");
    fseek(file, 0, SEEK_END);
    const size_t count = (size_t)ftell(file) / sizeof(Sample);
    rewind(file);
    reserve_samples(list, list->count + count);
    if (fread(list->samples + list->count, sizeof(Sample), count, file) != count)
        fail("cannot read %s", path);
    fclose(file);
    for (size_t i = list->count; i < list->count + count; i++) {
        if (!is_sample(&list->samples[i]))
            fail("%s is damaged; move the whole folder away to begin a new run", path);
    }
    list->count += count;
}

/* --- stages -------------------------------------------------------------------------------------------------------------------- */

/* What a stage needs in all of its lessons. */
typedef struct {
    const StageOptions *stage;
    int64_t lessons;
    FILE *records;      /* that are written */
    Samples taught;     /* of a fit */
    uint32_t *order;    /* of an epoch of a fit */
    int64_t epoch;
    Streams streams;
    Samples collected;
} Course;

static const struct {
    Task *collect;
    bool is_recorded;
    int passes;
} FORMS[STAGE_KINDS] = {
    [TD] = {play_games, false, PASSES},       [PRUNING] = {play_for_pruning, false, 1}, [TARGETS] = {find_targets, true, 0},
    [BEAROFFS] = {find_bearoffs, true, 0},    [FIT] = {NULL, false, 0},                 [GROUPS] = {find_groups, true, 0},
};

static float rate_of_lesson(const Course *course)
{
    const double *const values = course->stage->values;
    return falling_rate(values[FROM_RATE], values[TO_RATE], (double)state.lesson / (double)course->lessons);
}

static void begin_networks(Kind from, Kind to)
{
    uint64_t random = seed_of(options.seed, state.stage, 0, STREAMS + 1);
    const size_t start = start_of(from), size = start_of(to) - start;
    for (int kind = (int)from; kind < (int)to; kind++) {
        make_random_network((Kind)kind, state.numbers + start_of((Kind)kind), &random);
        state.steps[kind] = 0;
    }
    memset(state.mean + start, 0, size * sizeof *state.mean);
    memset(state.square + start, 0, size * sizeof *state.square);
}

static int64_t samples_of_lesson(const StageOptions *stage)
{
    return (int64_t)(STEPS_OF_LESSON * stage->values[BATCH]);
}

static int64_t lessons_of_epoch(const Course *course)
{
    const int64_t size = samples_of_lesson(course->stage);
    return ((int64_t)course->taught.count + size - 1) / size;
}

/* All records of targets and bear-offs since a stage. */
static void begin_fit(Course *course)
{
    for (int stage = (int)course->stage->values[SINCE]; stage < state.stage; stage++) {
        const StageKind kind = options.stages[stage].kind;
        if (kind == TARGETS || kind == BEAROFFS)
            read_records(stage, &course->taught);
    }
    if (!course->taught.count)
        fail("options: stage %d, fit, has no records of an earlier stage to learn", state.stage + 1);
    course->order = make_order(course->taught.count);
    course->epoch = -1;
    course->lessons = lessons_of_epoch(course) * (int64_t)course->stage->values[EPOCHS];
}

/* The order of an epoch follows from its number, so a fit may go on in the middle of one. */
static void learn_lesson_of_fit(Course *course, Progress *progress)
{
    const int64_t per_epoch = lessons_of_epoch(course), epoch = state.lesson / per_epoch, size = samples_of_lesson(course->stage);
    if (epoch != course->epoch) {
        uint64_t random = seed_of(options.seed, state.stage, epoch, STREAMS);
        for (size_t i = 0; i < course->taught.count; i++)
            course->order[i] = (uint32_t)i;
        shuffle(course->order, course->taught.count, &random);
        course->epoch = epoch;
    }
    const int64_t from = state.lesson % per_epoch * size, left = (int64_t)course->taught.count - from;
    learn_in_order(&course->taught, course->order + from, (size_t)(left < size ? left : size), (int)course->stage->values[BATCH],
                   rate_of_lesson(course), progress);
}

static void collect(Course *course)
{
    Streams *const streams = &course->streams;
    Samples *const all = &course->collected;
    for (int stream = 0; stream < STREAMS; stream++) {
        streams->seeds[stream] = seed_of(options.seed, state.stage, state.lesson, stream);
        streams->lists[stream].count = 0;
        streams->games[stream] = 0;
    }
    run_tasks(STREAMS, FORMS[course->stage->kind].collect, streams);
    all->count = 0;
    for (int stream = 0; stream < STREAMS; stream++) {
        const Samples *const list = &streams->lists[stream];
        reserve_samples(all, all->count + list->count);
        if (list->count)
            memcpy(all->samples + all->count, list->samples, list->count * sizeof *list->samples);
        all->count += list->count;
        state.games += streams->games[stream];
    }
    state.samples += (int64_t)all->count;
}

static void teach_lesson(Course *course, Progress *progress)
{
    const StageKind kind = course->stage->kind;
    if (kind == FIT) {
        learn_lesson_of_fit(course, progress);
        return;
    }
    collect(course);
    if (course->records)
        append_records(course->records, &course->collected);
    uint64_t random = seed_of(options.seed, state.stage, state.lesson, STREAMS);
    learn_all(&course->collected, FORMS[kind].passes, (int)course->stage->values[BATCH], rate_of_lesson(course), &random, progress);
}

static void begin_stage(Course *course)
{
    course->stage = course->streams.stage = &options.stages[state.stage];
    course->lessons = (int64_t)course->stage->values[LESSONS];
    const StageKind kind = course->stage->kind;
    if (kind == FIT)
        begin_fit(course);
    if (FORMS[kind].is_recorded)
        course->records = open_records();
    if (state.lesson == 0 && kind == FIT)
        begin_networks(RACE, RACE_PRUNING);
    if (state.lesson == 0 && kind == PRUNING)
        begin_networks(RACE_PRUNING, NETWORKS);
}

/* Records must not be lost when the state that counts them is safe. */
static void sync_records(const Course *course)
{
    if (course->records && fsync(fileno(course->records)) != 0)
        fail("cannot write records: %s", strerror(errno));
}

static void report(const Course *course, Progress *progress)
{
    static const char *const NETWORK_NAMES[NETWORKS] = {"race", "contact", "race pruning", "contact pruning"};
    printf("stage %d of %d, %s: lesson %lld of %lld; %.3f processor hours, %lld games, %lld samples", state.stage + 1, options.count,
           STAGE_NAMES[course->stage->kind], (long long)state.lesson, (long long)course->lessons, state.seconds / 3600,
           (long long)state.games, (long long)state.samples);
    for (int kind = 0; kind < NETWORKS; kind++) {
        if (progress->counts[kind])
            printf("; %s off by %.4f", NETWORK_NAMES[kind], __builtin_sqrt(progress->errors[kind] / (double)progress->counts[kind]));
    }
    printf("\n");
    fflush(stdout);
    memset(progress, 0, sizeof *progress);
}

/* The manifest is made of these files, one for each finished stage. */
static void save_counts(void)
{
    char name[64], text[200];
    snprintf(name, sizeof name, "%03d-%s.json", state.stage + 1, STAGE_NAMES[options.stages[state.stage].kind]);
    const int length = snprintf(text, sizeof text, "{\"stage\": %d, \"processor_hours\": %.3f, \"games\": %lld, \"samples\": %lld}\n",
                                state.stage + 1, state.seconds / 3600, (long long)state.games, (long long)state.samples);
    write_file(name, text, (size_t)length);
}

static void finish_stage(const Course *course)
{
    if (course->stage->kind == PRUNING)
        state.has_pruning = true;
    save_weights();
    save_counts();
    state.stage++;
    state.lesson = state.records = 0;
    save_state();
}

/* Returns whether the stage was finished. */
static bool run_stage(void)
{
    static Course course;
    static Progress progress;
    double saved = 0, reported = 0, last = 0;
    begin_stage(&course);
    while (state.lesson < course.lessons) {
        teach_lesson(&course, &progress);
        state.lesson++;
        const double now = processor_seconds();
        state.seconds += now - last;
        last = now;
        if (is_stopped || now - saved >= options.save_after) {
            sync_records(&course);
            save_state();
            saved = now;
        }
        if (is_stopped || now - reported > REPORT_AFTER || state.lesson == course.lessons) {
            report(&course, &progress);
            reported = now;
        }
        if (is_stopped && state.lesson < course.lessons)
            return false;
    }
    sync_records(&course);
    finish_stage(&course);
    return true;
}

static void begin_run(const char *start, const char *stages)
{
    memset(&state, 0, sizeof state);
    begin_networks(RACE, NETWORKS);
    if (start) {
        state.has_pruning = load_weights(start, state.numbers);
        state.stage = atoi(stages);
        if (state.stage < 1 || state.stage > options.count)
            fail("the weights were made by stage %s, but the options have %d stages; add stages, or use --fresh", stages, options.count);
    }
    save_state();
}

int main(int count, char **arguments)
{
    if (count != 5 && count != 7)
        fail("usage: trainer FOLDER OPTIONS BENCHMARK WORKERS [START STAGES]");
    const int workers = strspn(arguments[4], "0123456789") == strlen(arguments[4]) ? atoi(arguments[4]) : 0;
    if (workers < 1 || workers > MAX_WORKERS)
        fail("--workers must be from 1 to %d, not '%s'", MAX_WORKERS, arguments[4]);
    signal(SIGTERM, stop);
    signal(SIGINT, stop);
    signal(SIGPIPE, SIG_IGN); /* nobody may read the reports any more */
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* if train.py is killed */
#endif
    folder = arguments[1];
    lock_folder();
    read_options(arguments[2]);
    read_benchmark(arguments[3]);
    if (!load_state())
        begin_run(count > 5 ? arguments[5] : NULL, count > 5 ? arguments[6] : NULL);
    if (state.stage == options.count)
        return ALL_DONE;
    prepare_tables();
    start_workers(workers);
    return run_stage() ? DONE : STOPPED;
}
