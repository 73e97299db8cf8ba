/* A match at random: `./random_match 7`, and for the same match again `./random_match 7 SEED`.

       rules=../../../src/gammonrules/c
       cc -O2 -I$rules -o random_match random_match.c $rules/match.c
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gammonrules.h"

static const char *const SEATS[] = {"White", "Black"};
static const char *const ENDS[] = {"played", "dropped", "resigned", "forfeited"};
static const int8_t START[GAMMONRULES_SLOTS] = {0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0};

static int die(void) {
    return 1 + rand() % 6;
}

/* One of the actions that are legal, but for resignations. */
static int choose_action(void) {
    const uint32_t legal = gammonrules_actions(GAMMONRULES_NOBODY) & ~(1U << GAMMONRULES_RESIGN);
    int action;
    do
        action = rand() % GAMMONRULES_ACTIONS;
    while (!(legal >> action & 1));
    return action;
}

/* Put the board after a play at random where `act` looks for it. */
static void choose_play(void) {
    const GammonrulesMatch *match = gammonrules_match();
    memcpy(gammonrules_board(), match->board, GAMMONRULES_SLOTS);
    const int play = rand() % gammonrules_plays(match->high, match->low);
    memcpy(gammonrules_board(), gammonrules_boards() + GAMMONRULES_SLOTS * play, GAMMONRULES_SLOTS);
}

int main(int count, char **arguments) {
    GammonrulesMatch *match = gammonrules_match();
    *match = (GammonrulesMatch){
        .on_roll = -1, .cube = 1, .owner = -1, .doubled_by = -1, .resigned_by = -1, .winner = -1,
        .length = count > 1 ? atoi(arguments[1]) : 7,
        .rules = {.crawford = 1, .cube = 1, .gammons = 1, .backgammons = 1},
        .checkers = GAMMONRULES_MAX_CHECKERS,
    };
    srand(count > 2 ? (unsigned)atoi(arguments[2]) : (unsigned)time(NULL));
    memcpy(match->board, START, sizeof START);
    if (match->length < 1 || gammonrules_problems()) {
        fprintf(stderr, "no such match: %s\n", arguments[1]);
        return 1;
    }
    while (gammonrules_winner() == GAMMONRULES_NOBODY) {
        const int action = choose_action();
        int number = die(), other = die();
        if (action == GAMMONRULES_PLAY)
            choose_play();
        if (action == GAMMONRULES_NEXT_GAME) {
            memcpy(gammonrules_board(), START, sizeof START);
            number = GAMMONRULES_NOBODY; /* an opening roll says who starts */
            other = GAMMONRULES_MAX_CHECKERS;
        }
        const int reason = gammonrules_act(action, GAMMONRULES_NOBODY, number, other);
        if (reason) {
            fprintf(stderr, "refused: reason %d\n", reason);
            return 1;
        }
        if (match->winner != GAMMONRULES_NOBODY)
            printf("%s wins %d (%s), and it is %d-%d\n", SEATS[match->winner], match->points, ENDS[match->end],
                   match->score[GAMMONRULES_WHITE], match->score[GAMMONRULES_BLACK]);
    }
    printf("%s wins the match to %d\n", SEATS[gammonrules_winner()], match->length);
}
