/* Answers the questions of `gammonrules conform -- ./answers` (cc -o answers answers.c): put your rules into
   `legal_boards`. A program that has a JSON library reads and writes the lines with it; here the few numbers are
   picked out by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 26, MOST = 4096 };

/* Every board that a legal play leads to, each once; `points` alone if there is none. Returns how many. points[1] to
   points[24] are the points as the player on roll numbers them, points[25] is their bar, and points[0] that of the
   opponent. Checkers of the player count above 0, those of the opponent below. */
static int legal_boards(const int points[PLACES], const int dice[2], int boards[MOST][PLACES]) {
    (void)dice;
    memcpy(boards[0], points, sizeof boards[0]); /* your rules */
    return 1;
}

/* Read the numbers that follow a key. Returns whether they are there. */
static int numbers(const char *line, const char *key, int count, int values[]) {
    const char *at = strstr(line, key);
    char *end;
    if (!at)
        return 0;
    at += strlen(key);
    for (int i = 0; i < count; i++, at = end) {
        at += strspn(at, " :,[");
        values[i] = (int)strtol(at, &end, 10);
        if (end == at)
            return 0;
    }
    return 1;
}

static void answer(const char *line) {
    static int boards[MOST][PLACES];
    int points[PLACES], dice[2];
    if (strstr(line, "\"hello\"")) {
        printf("\"name\": \"my program\", \"version\": \"0.1\", \"asks\": [\"plays\"]");
    } else if (strstr(line, "\"plays\"") && numbers(line, "\"points\"", PLACES, points) &&
               numbers(line, "\"dice\"", 2, dice)) {
        int count = legal_boards(points, dice, boards);
        printf("\"points\": [");
        for (int i = 0; i < count; i++)
            for (int place = 0; place < PLACES; place++)
                printf("%s%d%s", place ? ", " : i ? ", [" : "[", boards[i][place], place == PLACES - 1 ? "]" : "");
        printf("]");
    } else {
        printf("\"error\": \"not answered\"");
    }
}

int main(void) {
    static char line[1 << 16];
    int id;
    while (fgets(line, sizeof line, stdin)) {
        if (!numbers(line, "\"id\"", 1, &id))
            return 1;
        printf("{\"id\": %d, ", id);
        answer(line);
        printf("}\n");
        fflush(stdout);
    }
    return 0;
}
