/* The game of _game.c for WebAssembly: rules.js calls it, and any host can. generate.py compiles it to rules.wasm.
 *
 * A host writes 26 counts to `board`, as the player on roll sees them: their points are 1 to 24, 25 is their bar, and 0
 * that of the opponent, whose checkers count below zero. It asks what is `wrong` with them, and then what it wants to
 * know. Nothing is kept between the calls but this memory, and nothing is asked of the host.
 */

#include "gammonrules.h"

/* each file has a use for another part of the game */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

#include "_game.c"

#if !defined(__wasm__)
#define EXPORT(name)
#elif !defined(EXPORT)
#define EXPORT(name) __attribute__((export_name(#name)))
#endif

enum { DEEPEST = 6, FACTS = 4 };

static int8_t at[WIDTH], rows[SLOTS * DEEPEST * MAX_PLAYS + SLACK], series[MOVES * MAX_PLAYS];
static uint16_t numbers[MAX_MOVE_STAGES + 4 * MAX_BRANCHES];
static int32_t known[FACTS];
static uint32_t wide[ID_LENGTH + 2];
static uint8_t text[ID_LENGTH];
static Graph graph;

EXPORT(board) int8_t *gammonrules_board(void) { return at; }
EXPORT(boards) int8_t *gammonrules_boards(void) { return rows; }
EXPORT(moves) int8_t *gammonrules_moves(void) { return series; }
EXPORT(nodes) uint16_t *gammonrules_nodes(void) { return numbers; }
EXPORT(text) uint8_t *gammonrules_text(void) { return text; }

EXPORT(wrong) int gammonrules_wrong(int checkers)
{
    Row row;
    const Rows single = {at, 1, checkers};
    if (read_row(&single, 0, &row))
        return !row.mine && !row.theirs ? 4 : are_shut_out(at) ? 5 : 0;
    return row.mine > checkers ? 1 : row.theirs > checkers ? 2 : 3;
}

static bool is_possible(int high, int low, Board *board)
{
    return 6 >= high && high >= low && low >= 1 && read_board(at, board);
}

EXPORT(plays) int gammonrules_plays(int high, int low)
{
    Board board;
    Sink sink = {.boards = rows, .moves = series, .capacity = MAX_PLAYS};
    if (is_possible(high, low, &board))
        enumerate(&board, high, low, &sink);
    return (int)sink.count;
}

EXPORT(turn) int gammonrules_turn(int high, int low)
{
    Board board;
    uint16_t *number = numbers;
    if (!is_possible(high, low, &board))
        return 0;
    const int count = explore(&graph, board, high, low);
    for (int i = 0; i < graph.stage_count; i++) {
        const Stage *stage = &graph.stages[i];
        if (!stage->kept)
            continue;
        uint16_t *const size = number++;
        *size = 0;
        for (int j = stage->first; j < stage->end; j++) {
            const Branch *branch = &graph.branches[j];
            const int from = BAR - branch->from, to = from > branch->die ? from - branch->die : 0;
            if (!graph.stages[branch->after].kept)
                continue;
            const uint16_t move[] = {(uint16_t)from, (uint16_t)to, branch->die, graph.stages[branch->after].number};
            memcpy(number, move, sizeof move);
            number += 4;
            ++*size;
        }
    }
    return count;
}

EXPORT(playable) uint32_t gammonrules_playable(int die)
{
    Board board;
    uint32_t points = 0;
    if (!is_possible(die, die, &board))
        return 0;
    const uint32_t open = find_open(&board, more_than(0, board.slots));
    for (uint32_t rest = sources(board.own, open, die); rest; rest &= rest - 1)
        points |= BIT(BAR - lowest(rest));
    return points;
}

static double count_series(const int8_t *points, int depth, int8_t *space)
{
    Board board;
    double count = 0;
    for (int roll = 0; roll < 36; roll++) {
        Sink sink = {.boards = space, .capacity = MAX_PLAYS};
        if (roll / 6 >= roll % 6 && read_board(points, &board))
            enumerate(&board, roll / 6 + 1, roll % 6 + 1, &sink);
        count += depth > 1 ? 0 : (double)sink.count;
        for (size_t i = 0; depth > 1 && i < sink.count; i++)
            count += count_series(space + SLOTS * i, depth - 1, space + SLOTS * sink.count);
    }
    return count;
}

EXPORT(perft) double gammonrules_perft(int depth)
{
    return 1 <= depth && depth <= DEEPEST ? count_series(at, depth, rows) : 0;
}

EXPORT(facts) const int32_t *gammonrules_facts(int checkers)
{
    Row row;
    int8_t opposing[WIDTH];
    const Rows single = {at, 1, checkers};
    read_row(&single, 0, &row);
    store(opposing, turned(at));
    const Side mine = read_side(at), theirs = read_side(opposing);
    const int32_t all[FACTS] = {mine.pips, theirs.pips, mine.rear + theirs.rear < BAR, outcome_of(&row, checkers)};
    memcpy(known, all, sizeof known);
    return known;
}

EXPORT(write_id) void gammonrules_write_id(void)
{
    const Rows single = {at, 1, MAX_CHECKERS};
    fill_ids(&single, wide);
    for (int i = 0; i < ID_LENGTH; i++)
        text[i] = (uint8_t)wide[i];
}

EXPORT(read_id) int gammonrules_read_id(int checkers)
{
    int8_t points[WIDTH];
    uint8_t is_read;
    Ids ids = {.texts = text, .count = 1, .width = ID_LENGTH, .checkers = checkers};
    fill_boards(&ids, points, &is_read);
    if (is_read)
        memcpy(at, points, SLOTS);
    return is_read;
}
