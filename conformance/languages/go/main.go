// The rules in Go: `gammonrules conform -- ./answers` asks this program, and `./answers match 7` plays a match at random.
//
//	go build
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"time"
)

func setStart() { readID(starts["standard"].id, starts["standard"].checkers) }

// Do something legal, but for resignations.
func actAtRandom() {
	legal := []int32{}
	for action, name := range actions {
		if legalActions()>>action&1 == 1 && name != "resign" {
			legal = append(legal, int32(action))
		}
	}
	action, m := legal[rand.Intn(len(legal))], match()
	number, other := 1+rand.Int31n(6), 1+rand.Int31n(6)
	switch actions[action] {
	case "play":
		*board() = m.Board
		plays := boards(m.High, m.Low)
		*board() = plays[rand.Intn(len(plays))]
	case "next_game":
		setStart()
		number, other = nobody, starts["standard"].checkers // an opening roll says who starts
	}
	if reason := act(action, nobody, number, other); reason != 0 {
		panic(fmt.Sprint("refused: reason ", reason))
	}
}

func playMatch(length int) {
	names := []string{"White", "Black"}
	setStart()
	m := match()
	*m = Match{OnRoll: nobody, Cube: 1, Owner: nobody, DoubledBy: nobody, ResignedBy: nobody, Winner: nobody,
		Length: int32(length), Rules: Options{Crawford: 1, Cube: 1, Gammons: 1, Backgammons: 1}, Checkers: 15, Board: *board()}
	if length < 1 || problems() > 0 {
		fmt.Fprintln(os.Stderr, "no such match:", length)
		os.Exit(1)
	}
	for winner() == nobody {
		actAtRandom()
		if m.Winner != nobody {
			fmt.Printf("%s wins %d (%s), and it is %d-%d\n", names[m.Winner], m.Points, ends[m.End], m.Score[0], m.Score[1])
		}
	}
	fmt.Printf("%s wins the match to %d\n", names[winner()], length)
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == "match" {
		length, _ := strconv.Atoi(os.Args[2])
		rand.Seed(time.Now().UnixNano())
		playMatch(length)
		return
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<23)
	for lines.Scan() {
		var question Question
		if err := json.Unmarshal(lines.Bytes(), &question); err != nil {
			panic(err)
		}
		reply := answer(question)
		reply["id"] = question.ID
		line, _ := json.Marshal(reply)
		fmt.Println(string(line))
	}
}
