// A bot, which plays as it is: change `decide`, and put rules of your own into `legalBoards`.
//
//	go build bot.go
//	gammonrules bench program:./bot
//	gammonrules arena program:./bot gnubg:1
//	gammonrules conform -- ./bot
package main

import (
	"encoding/json"
	"log"
	"os"
)

// Board has 26 counts as the player on roll sees them: 1 to 24 are the points, 25 is their bar, and 0 that of the
// opponent. Checkers of the player count above 0, those of the opponent below.
type Board [26]int

// State has what the bot looks at; there is more, as the score and the cube.
type State struct {
	Points Board
	Dice   []int
	Offer  map[string]any // nil if no double is to be answered
}

type Question struct {
	ID     int
	Ask    string
	Points Board
	Dice   []int
	State  State
	Plays  []Board
}

type Answer map[string]any

// Every board that a legal play leads to, each once; `points` alone if there is none.
func legalBoards(points Board, dice []int) []Board {
	return []Board{points} // your rules
}

// What the bot does. `plays` are the boards to which it may play; without "wants" it is not told them.
func decide(state State, plays []Board) Answer {
	if state.Dice != nil {
		if plays == nil {
			plays = legalBoards(state.Points, state.Dice)
		}
		best := plays[0]
		for _, board := range plays {
			if blots(board) < blots(best) {
				best = board
			}
		}
		return Answer{"points": best}
	}
	mine, theirs := pips(state.Points) // of the player on roll: who doubles, if a double is to be answered
	switch {
	case state.Offer != nil && mine < 0.8*theirs:
		return Answer{"do": "drop"}
	case state.Offer != nil:
		return Answer{"do": "take"}
	case mine < 0.9*theirs:
		return Answer{"do": "double"}
	}
	return Answer{"do": "roll"}
}

func blots(board Board) (blots int) {
	for _, count := range board {
		if count == 1 {
			blots++
		}
	}
	return
}

// How far the checkers of the player on roll have to go, and those of the opponent.
func pips(board Board) (mine, theirs float64) {
	for point, count := range board {
		if count > 0 {
			mine += float64(count * point)
		} else {
			theirs -= float64(count * (25 - point))
		}
	}
	return
}

func answer(question Question) Answer {
	switch question.Ask {
	case "hello":
		asks := []string{"plays", "decide"}
		return Answer{"name": "my bot", "version": "0.1", "asks": asks, "wants": []string{"plays"}}
	case "plays":
		return Answer{"points": legalBoards(question.Points, question.Dice)}
	case "decide":
		return decide(question.State, question.Plays)
	}
	return Answer{"error": "not answered"}
}

func main() {
	input, output := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for input.More() {
		var question Question
		if err := input.Decode(&question); err != nil {
			log.Fatal(err)
		}
		answer := answer(question)
		answer["id"] = question.ID
		output.Encode(answer)
	}
}
