/* Every function of gammonrules.h, called with whatever a stranger may write and pass: `exports WEIGHTS ROUNDS SEED`, with the
 * path of selftaught.bin.
 *
 * .ci/sanitize compiles it with AddressSanitizer and UndefinedBehaviorSanitizer, which show wrong reads, writes and numbers
 * that run over. It checks besides that what is refused changes nothing, and that no action makes a match impossible.
 */

#include "../../src/gammonrules/c/opponent.c"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                                 \
    do {                                                                                                                 \
        if (!(condition)) {                                                                                              \
            fprintf(stderr, "round %ld: %s\n", round_number, #condition);                                                \
            abort();                                                                                                     \
        }                                                                                                                \
    } while (0)

static const int32_t ODD[] = {
    INT32_MIN, INT32_MIN + 1, -1000000001, -1000000000, -256,    -128,    -16,     -2,      -1,         0,          1,
    2,         3,             4,           5,           6,       7,       15,      16,      25,         26,         64,
    127,       1000,          1001,        3060,        1 << 23, 1 << 24, 1 << 25, 1 << 30, 1000000000, 2000000000, INT32_MAX,
};
static const int FIELDS_OF_MATCH = offsetof(Match, board) / sizeof(int32_t);
static long round_number;
static uint64_t state_of_rng;
static long refused, done, possible, asked;

/* xorshift64* */
static uint32_t random_word(void)
{
    state_of_rng ^= state_of_rng >> 12;
    state_of_rng ^= state_of_rng << 25;
    state_of_rng ^= state_of_rng >> 27;
    return (uint32_t)(state_of_rng * 0x2545F4914F6CDD1D >> 32);
}

static int below(int count)
{
    return (int)(random_word() % (uint32_t)count);
}

static int32_t any_number(void)
{
    switch (below(4)) {
    case 0:
        return ODD[below(sizeof ODD / sizeof *ODD)];
    case 1:
        return (int32_t)random_word();
    default:
        return below(9) - 2;
    }
}

/* Some checkers of each side, anywhere. */
static void write_checkers(int8_t *board, int checkers)
{
    memset(board, 0, SLOTS);
    for (int i = below(checkers) + 1; i > 0; i--) {
        const int mine = 1 + below(BAR), theirs = below(BAR);
        board[mine] = (int8_t)(board[mine] + (board[mine] >= 0));
        board[theirs] = (int8_t)(board[theirs] - (board[theirs] <= 0));
    }
}

static void write_board(int8_t *board)
{
    static const int8_t START[SLOTS] = {0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0};
    const int kind = below(5);
    if (kind == 0)
        memcpy(board, START, SLOTS);
    else
        write_checkers(board, kind == 1 ? 3 : MAX_CHECKERS);
    for (int changes = kind == 4 ? below(SLOTS) : 0; changes > 0; changes--) {
        const int slot = below(SLOTS);
        board[slot] = (int8_t)random_word();
    }
}

/* A match before its first roll. */
static void write_new(Match *match)
{
    *match = (Match){
        .on_roll = NOBODY,
        .cube = 1,
        .owner = NOBODY,
        .doubled_by = NOBODY,
        .resigned_by = NOBODY,
        .winner = NOBODY,
        .length = below(6),
        .checkers = MAX_CHECKERS,
    };
    match->rules.opening = below(2);
    if (below(4)) {
        match->rules.cube = match->rules.gammons = 1;
        match->rules.crawford = below(2);
        match->rules.jacoby = below(2);
        match->rules.beavers = below(4);
        match->rules.auto_doubles = below(3);
        match->rules.max_cube = below(2) ? 1 << below(6) : 0;
        match->rules.backgammons = below(2);
    } else {
        match->rules.scoring = PIPS_SCORING;
        match->length = 0;
    }
    write_board(match->board);
}

static void write_match(Match *match)
{
    int32_t fields[sizeof(Match) / sizeof(int32_t)];
    if (gammonrules_problems() && !below(4))
        write_new(match);
    switch (below(200)) {
    case 0:
        write_new(match);
        break;
    case 1: /* noise */
        for (size_t i = 0; i < sizeof *match; i++)
            ((uint8_t *)match)[i] = (uint8_t)random_word();
        break;
    case 2: /* a few fields */
    case 3:
    case 4:
    case 5:
    case 6:
        memcpy(fields, match, sizeof *match);
        for (int changes = 1 + below(3); changes > 0; changes--) {
            const int field = below(FIELDS_OF_MATCH);
            fields[field] = any_number();
        }
        memcpy(match, fields, sizeof *match);
        break;
    case 7:
        write_board(match->board);
        break;
    default: /* as it is */
        break;
    }
}

static void ask_about_board(void)
{
    int8_t *const board = gammonrules_board();
    const int checkers = below(2) ? MAX_CHECKERS : any_number();
    const int high = below(4) ? 1 + below(6) : any_number(), low = below(4) ? 1 + below(6) : any_number();
    write_board(board);
    gammonrules_wrong(checkers);
    const int count = gammonrules_plays(high, low);
    CHECK(0 <= count && count <= GAMMONRULES_MAX_PLAYS);
    CHECK(gammonrules_turn(high, low) >= (count > 0));
    gammonrules_playable(any_number());
    gammonrules_facts(checkers);
    gammonrules_perft(below(1000) ? any_number() % 2 : 2);
    for (int i = 0; i < ID_LENGTH && below(2); i++)
        gammonrules_text()[i] = (uint8_t)(below(4) ? BASE64[below(64)] : (int)random_word());
    if (gammonrules_read_id(checkers) && checkers <= MAX_CHECKERS)
        CHECK(!gammonrules_wrong(checkers));
    gammonrules_write_id();
}

/* A board for `act`: mostly one of the plays of the match. */
static void write_play(const Match *match)
{
    int8_t *const board = gammonrules_board();
    memcpy(board, match->board, SLOTS);
    const int count = gammonrules_plays(match->high, match->low);
    if (count && below(8))
        memcpy(board, gammonrules_boards() + SLOTS * below(count), SLOTS);
    else
        write_board(board);
}

/* Mostly an action that is legal. */
static int any_action(void)
{
    const uint32_t legal = gammonrules_actions(NOBODY);
    if (!legal || !below(4))
        return below(20) ? below(ACTIONS) : any_number();
    for (;;) {
        const int action = below(ACTIONS);
        if (legal >> action & 1)
            return action;
    }
}

static void act(Match *match)
{
    const int action = any_action();
    const int player = below(8) ? NOBODY : below(2) ? below(2) : any_number();
    const int number = below(8) ? 1 + below(action == NEXT_GAME ? 2 : 6) - 2 * (action == NEXT_GAME) : any_number();
    const int other = !below(8) ? any_number() : action == NEXT_GAME ? MAX_CHECKERS : 1 + below(6);
    const bool was_possible = !gammonrules_problems();
    if (action == PLAY)
        write_play(match);
    else if (action == NEXT_GAME)
        write_board(gammonrules_board());
    const Match before = *match;
    const int reason = below(64) ? gammonrules_act(action, player, number, other) : gammonrules_forfeit(player, number);
    possible += was_possible;
    refused += reason != 0;
    done += !reason;
    if (reason)
        CHECK(memcmp(&before, match, sizeof before) == 0);
    else if (was_possible)
        CHECK(!gammonrules_problems() || (action == NEXT_GAME && outcome_on(match->board, match->checkers)));
}

static void ask_about_match(void)
{
    const int player = below(2) ? below(3) - 1 : any_number();
    CHECK(gammonrules_problems() <= MAX_PROBLEMS);
    gammonrules_problem_numbers();
    gammonrules_phase();
    gammonrules_to_act();
    gammonrules_winner();
    const uint32_t actions = gammonrules_actions(player);
    for (int action = 0; action < ACTIONS; action++)
        CHECK(!(actions >> action & 1) || !gammonrules_why_not(action, player));
    if (!below(16))
        CHECK(gammonrules_possible_wins(player) < 8);
}

/* From 0 to below 1, mostly. */
static double any_random(void)
{
    static const double OTHERS[] = {1, -1, 2, NAN, INFINITY, -INFINITY, 1e300, -1e-300};
    return below(8) ? random_word() / 4294967296.0 : OTHERS[below(8)];
}

static void ask_for_weights(void)
{
    uint8_t *const byte = gammonrules_weights() + below(FILE_SIZE);
    const uint8_t change = (uint8_t)below(256);
    *byte ^= change;
    CHECK((gammonrules_read_weights(FILE_SIZE) == 0) == (change == 0));
    *byte ^= change;
    const int size = any_number();
    CHECK(gammonrules_read_weights(size) != 0 || size == FILE_SIZE);
    CHECK(gammonrules_weights_version() > 0);
}

static void check_equities(int count)
{
    for (int i = 0; i < count; i++) {
        CHECK(isfinite(gammonrules_equities()[i]));
        CHECK(gammonrules_order()[i] < count);
    }
    for (int i = 0; i < CHANCES * (count ? count : 1); i++)
        CHECK(0 <= gammonrules_chances()[i] && gammonrules_chances()[i] <= 1);
}

/* What it decides is legal, and it changes no match. */
static void ask_opponent(Match *match)
{
    const int level = below(8) ? 1 : below(4) ? any_number() : 2;
    const int strength = below(8) ? below(4) : any_number();
    const Match before = *match;
    const int decided = gammonrules_decide(level, strength, any_random());
    CHECK(memcmp(&before, match, sizeof before) == 0);
    CHECK(-BEYOND_EQUITY_TABLE <= decided && decided < ACTIONS);
    asked += decided > 0;
    if (decided > 0) {
        CHECK(!gammonrules_why_not(decided, NOBODY));
        CHECK(decided == ROLL || !gammonrules_act(decided, NOBODY, 0, 0));
        *match = before;
    }
    gammonrules_also()[below(MAX_PLAYS)] = (uint8_t)random_word();
    const int count = gammonrules_candidates(level), of_cube = gammonrules_cube(level);
    CHECK(memcmp(&before, match, sizeof before) == 0);
    CHECK(gammonrules_looked_at() <= MAX_PLAYS);
    if (count > 0 || !of_cube)
        check_equities(count > 0 ? count : 0);
}

static void read_file(const char *path)
{
    FILE *const file = fopen(path, "rb");
    CHECK(file && fread(gammonrules_weights(), 1, FILE_SIZE, file) == FILE_SIZE);
    fclose(file);
    CHECK(!gammonrules_read_weights(FILE_SIZE));
}

int main(int count, char **arguments)
{
    const long rounds = count > 2 ? atol(arguments[2]) : 1000000;
    Match *const match = gammonrules_match();
    state_of_rng = (count > 3 ? strtoull(arguments[3], NULL, 10) : 0) + 1;
    CHECK(gammonrules_decide(1, STRONG, 0) == -NO_WEIGHTS);
    read_file(count > 1 ? arguments[1] : "selftaught.bin");
    write_new(match);
    for (round_number = 0; round_number < rounds; round_number++) {
        if (!below(8))
            ask_about_board();
        write_match(match);
        ask_about_match();
        if (!below(64))
            ask_opponent(match);
        if (!below(8192))
            ask_for_weights();
        act(match);
    }
    printf("%ld rounds: %ld with a possible match; %ld actions done, %ld refused; %ld decisions\n", rounds, possible, done,
           refused, asked);
    return 0;
}
