/* A bot, which plays as it is: change `decide`, and put rules of your own into `legal_boards`.

       cc -O2 -o bot bot.c
       gammonrules bench program:./bot
       gammonrules arena program:./bot gnubg:1
       gammonrules conform -- ./bot

   A board is 26 counts as the player on roll sees them: 1 to 24 are the points, 25 is their bar, and 0 that of the
   opponent. Checkers of the player count above 0, those of the opponent below. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 26, MAX_BOARDS = 4096, MAX_LINE = 1 << 23 };

/* What the bot looks at; a question has more, as the score and the cube. */
typedef struct {
    int points[PLACES];
    int dice[2];    /* 0 if there is no roll to be played */
    int is_doubled; /* whether a double is to be answered */
} State;

/* Find every board that a legal play leads to, each once; `points` alone if there is none. Returns how many. */
static int legal_boards(const int points[PLACES], const int dice[2], int boards[MAX_BOARDS][PLACES]) {
    (void)dice;
    memcpy(boards[0], points, sizeof boards[0]); /* your rules */
    return 1;
}

static int blots(const int board[PLACES]) {
    int blots = 0;
    for (int point = 0; point < PLACES; point++)
        blots += board[point] == 1;
    return blots;
}

/* What the bot does: "roll", "double", "take", "drop"; or NULL, if it plays to the board that `best` is set to.
   `plays` are the `count` boards to which it may play; without "wants" it is not told them, and `count` is 0. */
static const char *decide(const State *state, int plays[MAX_BOARDS][PLACES], int count, const int **best) {
    int mine = 0, theirs = 0; /* pips of the player on roll: who doubles, if a double is to be answered */
    if (state->dice[0]) {
        if (!count)
            count = legal_boards(state->points, state->dice, plays);
        *best = plays[0];
        for (int i = 1; i < count; i++)
            if (blots(plays[i]) < blots(*best))
                *best = plays[i];
        return NULL;
    }
    for (int point = 0; point < PLACES; point++) {
        const int checkers = state->points[point];
        if (checkers > 0)
            mine += checkers * point;
        else
            theirs -= checkers * (25 - point);
    }
    if (state->is_doubled)
        return mine < 0.8 * theirs ? "drop" : "take";
    return mine < 0.9 * theirs ? "double" : "roll";
}

/* JSON, as far as questions need it. A program that has a JSON library reads and writes the lines with it. */

/* Whether this word stands here as a text. Letters may be escaped, as \u0070. */
static int is_word(const char *at, const char *word) {
    if (*at++ != '"')
        return 0;
    for (; *word; word++) {
        unsigned letter = (unsigned char)*at;
        const int is_escaped = *at == '\\' && sscanf(at, "\\u%4x", &letter) == 1;
        if (letter != (unsigned char)*word)
            return 0;
        at += is_escaped ? 6 : 1;
    }
    return *at == '"';
}

/* The value of a key of an object, or "" if it has no such key. Those of objects in it are theirs. */
static const char *value(const char *object, const char *key) {
    int depth = 0;
    for (const char *at = object + strspn(object, " \t"); *at; at++) {
        if (*at == '"') {
            const char *name = at++;
            while (*at && *at != '"')
                at += *at == '\\' && at[1] ? 2 : 1;
            if (!*at)
                break;
            const char *after = at + 1 + strspn(at + 1, " \t");
            if (depth == 1 && *after == ':' && is_word(name, key))
                return after + 1 + strspn(after + 1, " \t");
        }
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        if (!depth)
            break;
    }
    return "";
}

/* Read the number that stands here, or all numbers of an array, and of the arrays in it. Returns how many. */
static int numbers(const char *at, int most, int values[]) {
    int count = 0, depth = 0;
    do {
        char *end;
        const long number = strtol(at, &end, 10);
        if (end > at && count < most)
            values[count++] = (int)number;
        depth += (*end == '[') - (*end == ']');
        at = *end ? end + 1 : end;
    } while (depth > 0 && *at);
    return count;
}

static void put_board(const int board[PLACES]) {
    for (int point = 0; point < PLACES; point++)
        printf("%s%d", point ? ", " : "[", board[point]);
    printf("]");
}

static void answer_plays(const State *state, int boards[MAX_BOARDS][PLACES]) {
    const int count = legal_boards(state->points, state->dice, boards);
    for (int i = 0; i < count; i++) {
        printf(i ? ", " : "\"points\": [");
        put_board(boards[i]);
    }
    printf("]");
}

static void answer_decide(const State *state, int plays[MAX_BOARDS][PLACES], int count) {
    const int *best = NULL;
    const char *action = decide(state, plays, count, &best);
    if (action) {
        printf("\"do\": \"%s\"", action);
    } else {
        printf("\"points\": ");
        put_board(best);
    }
}

static void answer(const char *line) {
    static int boards[MAX_BOARDS][PLACES];
    const char *ask = value(line, "ask");
    const char *from = is_word(ask, "decide") ? value(line, "state") : line; /* which has board and dice */
    State state = {.is_doubled = *value(from, "offer") == '{'};
    numbers(value(from, "dice"), 2, state.dice);
    if (is_word(ask, "hello"))
        printf("\"name\": \"my bot\", \"version\": \"0.1\", \"asks\": [\"plays\", \"decide\"], \"wants\": [\"plays\"]");
    else if (numbers(value(from, "points"), PLACES, state.points) < PLACES)
        printf("\"error\": \"not answered\"");
    else if (is_word(ask, "plays"))
        answer_plays(&state, boards);
    else if (is_word(ask, "decide"))
        answer_decide(&state, boards, numbers(value(line, "plays"), MAX_BOARDS * PLACES, boards[0]) / PLACES);
    else
        printf("\"error\": \"not answered\"");
}

int main(void) {
    static char line[MAX_LINE];
    int id;
    while (fgets(line, sizeof line, stdin)) {
        if (!numbers(value(line, "id"), 1, &id))
            return 1;
        printf("{\"id\": %d, ", id);
        answer(line);
        printf("}\n");
        fflush(stdout);
    }
    return 0;
}
