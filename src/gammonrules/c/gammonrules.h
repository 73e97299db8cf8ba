/* The rules of backgammon, one match and an opponent, for any program in C, or in a language that calls C.
 *
 * Compile rules.c, or match.c, which has everything of rules.c besides, or opponent.c, which has everything of both, and link
 * one of them. The same functions are the exports of rules.wasm and match.wasm, where they have no prefix; opponent.wasm has
 * those of the opponent, and of the others what a game needs. The page "The rules in other languages" of the
 * documentation explains them, and reasons.json has the sentences of all reasons and problems.
 *
 * Nothing is allocated, and nothing is asked of the host. There is one board and one match, in static memory, which you
 * read and write: threads take turns, and a program with many matches copies each there and back. opponent.c needs 5 MB of
 * static memory, of which 4 MB are for a table of bear-offs: the first question that needs the table solves it in some 50 ms.
 */

#ifndef GAMMONRULES_H
#define GAMMONRULES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- checker play: rules.c -------------------------------------------------------------------------------------------- */

enum {
    GAMMONRULES_SLOTS = 26,         /* counts of a board */
    GAMMONRULES_MOVES = 8,          /* numbers of a play: from and to of up to four moves */
    GAMMONRULES_ID_LENGTH = 14,     /* characters of a Position ID */
    GAMMONRULES_MAX_CHECKERS = 15, /* of a side */
    GAMMONRULES_MAX_PLAYS = 3060   /* of a roll */
};

/* The board, which you write: 26 counts as the player on roll sees them. Their points are 1 to 24, 25 is their bar, and 0 is
 * the opponent's bar; checkers of the opponent count below 0. What is not there is off. */
int8_t *gammonrules_board(void);

/* Why the counts are no board with so many checkers a side: 0 if they are; 1 if I have too many, 2 if the opponent has; 3 for
 * checkers on the other side's bar; 4 if all are off; 5 if both sides are on the bar against closed boards. Ask first. */
int gammonrules_wrong(int checkers);

/* How many plays a roll has, higher die first: one for each board that it leads to. A dance is one play without moves, and
 * a finished game has none. */
int gammonrules_plays(int high, int low);

/* Their boards, 26 counts each, as the opponent sees them, who is then on roll; until the next call of `plays` or `perft`. */
int8_t *gammonrules_boards(void);

/* Their moves, 8 numbers each: from and to of up to four moves, and then -1. 25 is the bar, and 0 is off. */
int8_t *gammonrules_moves(void);

/* How many nodes the turn has, in which a roll is played move by move. */
int gammonrules_turn(int high, int low);

/* The nodes one after the other: for each the number of its moves, and from, to, die and next node of each move. */
uint16_t *gammonrules_nodes(void);

/* From where a die can be played next, whatever was rolled: bit 25 is the bar, and bits 24 to 1 are the points. */
uint32_t gammonrules_playable(int die);

/* How many series of plays there are, one play for each of so many rolls, 1 to 6. */
double gammonrules_perft(int depth);

/* Four numbers: my pips and the opponent's, 1 for a race, and what the game was won by, 1 to 3, below 0 if I have lost. */
const int32_t *gammonrules_facts(int checkers);

/* A Position ID, 14 characters without a zero at their end. */
uint8_t *gammonrules_text(void);

/* Write the ID of the board there. */
void gammonrules_write_id(void);

/* Read the ID there to the board. 1, or 0 if it is none of a board with at most so many checkers a side. */
int gammonrules_read_id(int checkers);

/* --- a match: match.c ------------------------------------------------------------------------------------------------- */

enum { GAMMONRULES_NOBODY = -1, GAMMONRULES_WHITE, GAMMONRULES_BLACK };

/* What the match is waiting for. */
enum {
    GAMMONRULES_OPENING,
    GAMMONRULES_TO_ROLL,
    GAMMONRULES_TO_PLAY,
    GAMMONRULES_DOUBLED,
    GAMMONRULES_RESIGNED,
    GAMMONRULES_OVER
};

/* What players do. The last one is how many there are. */
enum {
    GAMMONRULES_OPENING_ROLL,
    GAMMONRULES_ROLL,
    GAMMONRULES_PLAY,
    GAMMONRULES_DOUBLE,
    GAMMONRULES_TAKE,
    GAMMONRULES_DROP,
    GAMMONRULES_BEAVER,
    GAMMONRULES_RESIGN,
    GAMMONRULES_ACCEPT,
    GAMMONRULES_DECLINE,
    GAMMONRULES_NEXT_GAME,
    GAMMONRULES_ACTIONS
};

/* How a game has ended. */
enum {
    GAMMONRULES_PLAYED,
    GAMMONRULES_DROPPED,
    GAMMONRULES_RESIGNED_BY_LOSER,
    GAMMONRULES_FORFEITED
};

enum { GAMMONRULES_POINTS_SCORING, GAMMONRULES_PIPS_SCORING };
enum { GAMMONRULES_SHARED_OPENING, GAMMONRULES_REROLLED_OPENING };

/* Why an action is illegal; 0 if it is legal. The last six are what only a host does wrong. */
enum {
    GAMMONRULES_LEGAL,
    GAMMONRULES_UNKNOWN_PLAYER,
    GAMMONRULES_NOT_YOUR_TURN,
    GAMMONRULES_OPENING_ROLL_FIRST,
    GAMMONRULES_OPENING_ROLL_MADE,
    GAMMONRULES_ALREADY_ROLLED,
    GAMMONRULES_NOT_ROLLED,
    GAMMONRULES_DOUBLE_PENDING,
    GAMMONRULES_NO_DOUBLE_PENDING,
    GAMMONRULES_RESIGNATION_PENDING,
    GAMMONRULES_NO_RESIGNATION_PENDING,
    GAMMONRULES_GAME_OVER,
    GAMMONRULES_GAME_NOT_OVER,
    GAMMONRULES_MATCH_OVER,
    GAMMONRULES_SCORE_LIMIT,
    GAMMONRULES_NO_CUBE,
    GAMMONRULES_CRAWFORD_GAME,
    GAMMONRULES_OPPONENT_OWNS_CUBE,
    GAMMONRULES_DEAD_CUBE,
    GAMMONRULES_CUBE_LIMIT,
    GAMMONRULES_NO_BEAVERS_IN_MATCH,
    GAMMONRULES_TOO_MANY_BEAVERS,
    GAMMONRULES_PIPS_ARE_SINGLE,
    GAMMONRULES_NO_SUCH_DICE,
    GAMMONRULES_NO_SUCH_PLAY,
    GAMMONRULES_NO_SUCH_WIN,
    GAMMONRULES_NO_SUCH_POINTS,
    GAMMONRULES_NO_SUCH_BOARD,
    GAMMONRULES_NO_SUCH_MATCH /* fields have numbers that they never have: nothing is done or allowed */
};

/* The options, but for the start position, whose board the host has. */
typedef struct {
    int32_t crawford, jacoby;      /* 0 or 1 */
    int32_t beavers, auto_doubles; /* how many are allowed in a row */
    int32_t max_cube;              /* or 0 */
    int32_t cube, gammons, backgammons;
    int32_t scoring, opening;
} GammonrulesOptions;

/* A match. Players are 0, 1 and -1, and levels of wins 1 to 3; what is absent is -1 for a player and 0 for anything else. */
typedef struct {
    int32_t on_roll;   /* nobody before the opening roll */
    int32_t high, low; /* the dice to be played */
    int32_t cube, owner;
    int32_t doubled_by, offered, beavers; /* a pending double, even while a resignation interrupts it */
    int32_t resigned_by, resigned;        /* a pending resignation, and its level */
    int32_t score[2];                     /* White's points and Black's */
    int32_t length;                       /* 0 in money play */
    int32_t is_crawford;
    int32_t winner, win, points, end; /* of this game; `win` is 0 if it was forfeited */
    GammonrulesOptions rules;
    int32_t checkers; /* of each side */
    int8_t board[GAMMONRULES_SLOTS]; /* as the player on roll sees it, and White before the opening roll */
} GammonrulesMatch;

/* The match, which you read and write. */
GammonrulesMatch *gammonrules_match(void);

/* How many things make the match impossible, 0 if it is possible. Ask after you have written one that a stranger has sent,
 * and do nothing else with one that has any. */
int gammonrules_problems(void);

/* Their numbers, as reasons.json has them. */
int32_t *gammonrules_problem_numbers(void);

int gammonrules_phase(void);

/* Who is to act, or nobody. */
int gammonrules_to_act(void);

/* Who has won the match, or nobody. */
int gammonrules_winner(void);

/* What a player may do now, a bit for each action; -1 asks for whoever is to act. */
uint32_t gammonrules_actions(int player);

/* The reason why a player may not do this now, or 0. */
int gammonrules_why_not(int action, int player);

/* Do it, and give 0, or change nothing and give the reason.
 *
 * An opening roll takes White's die and Black's, and a roll both dice; a resignation its level; a next game who starts, or
 * -1 for an opening roll, and the checkers of a side. Before a play write the board after it, as `boards` has it, to
 * `board`, and before a next game the first board, as White sees it. */
int gammonrules_act(int action, int player, int number, int other);

/* An arbiter ends the game, as `act`; 0 points are as many as the winner still needs. */
int gammonrules_forfeit(int loser, int points);

/* What a player can still win: bits 0, 1 and 2 for a single game, a gammon and a backgammon. */
uint32_t gammonrules_possible_wins(int player);

/* --- an opponent: opponent.c ------------------------------------------------------------------------------------------ */

enum {
    GAMMONRULES_WEIGHTS_SIZE = 56668, /* bytes of selftaught.bin */
    GAMMONRULES_FIRST_LOOK = 8,       /* plays that level 2 looks one roll ahead at, those that level 1 thinks best */
    GAMMONRULES_CHANCES = 5           /* how a game may end */
};

/* How well it plays at level 1. */
enum { GAMMONRULES_BEGINNER, GAMMONRULES_CASUAL, GAMMONRULES_CLUB, GAMMONRULES_STRONG };

/* Why it has no answer, besides the reasons of a match. */
enum {
    GAMMONRULES_NO_WEIGHTS = GAMMONRULES_NO_SUCH_MATCH + 1,
    GAMMONRULES_NO_SUCH_LEVEL,
    GAMMONRULES_NO_SUCH_STRENGTH,    /* level 2 has `STRONG` alone */
    GAMMONRULES_NO_SUCH_RANDOM,      /* not from 0 to below 1 */
    GAMMONRULES_UNKNOWN_SCORING,     /* pips */
    GAMMONRULES_UNKNOWN_CHECKERS,    /* not 15 a side */
    GAMMONRULES_UNKNOWN_CRAWFORD,    /* a match without the Crawford rule, where it may still matter */
    GAMMONRULES_BEYOND_EQUITY_TABLE  /* a player needs more than 25 points, so there are no equities */
};

/* Where you write selftaught.bin, which lies beside opponent.c. */
uint8_t *gammonrules_weights(void);

/* Read them. 0, or why they cannot be read, which leaves those that were read before: 1 if they have another size, 2 if they
 * are no weights, 3 if they are damaged, 4 if a number is none. */
int gammonrules_read_weights(int size);

/* Their version; 0 if none were read, too. */
int gammonrules_weights_version(void);

/* What whoever is to act in `match` does, one of the actions, or below 0 a reason. To play, the board after it is at `board`,
 * ready for `act`.
 *
 * Level 1 judges each play as it is, level 2 looks one roll ahead. A strength other than `STRONG` chooses by a random number
 * from 0 to below 1. */
int gammonrules_decide(int level, int strength, double random);

/* A byte for each play of a roll in the order of `boards`: if it is not 0, the next `candidates` at level 2 looks one roll ahead
 * at this play, too. `candidates` writes 0 to all. */
uint8_t *gammonrules_also(void);

/* How many plays the roll in `match` has, or below 0 a reason. `boards` and `moves` have them as after `plays`. */
int gammonrules_candidates(int level);

/* Their numbers there, best first; those that were looked at one roll ahead come before the others. */
uint16_t *gammonrules_order(void);

/* How many were looked at one roll ahead. */
int gammonrules_looked_at(void);

/* Their equities in that order, normalized, which in money play are points for a cube of 1. They count that the opponent may
 * then double. */
double *gammonrules_equities(void);

/* Five numbers for each, chances of the player who plays: to win, to win a gammon or more, to win a backgammon, to lose a
 * gammon or more, to lose a backgammon. */
float *gammonrules_chances(void);

/* What doubling is worth to the player on roll, who may double, or has doubled without a beaver: 0, or below 0 a reason.
 * `equities` has no double, a double that is taken and one that is dropped, and `chances` the five of the board. */
int gammonrules_cube(int level);

#ifdef __cplusplus
}
#endif

#endif
