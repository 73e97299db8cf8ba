package main

// Questions and answers.

const noSuchPlay = 24

// Question has the fields of all kinds, and Action those of all actions.
type Question struct {
	ID        int
	Ask, Text string
	Start     Word
	Depth     int
	Checkers  int32
	Points    Board
	Dice      [2]int32
	State     *State
	Action    Action
}

type Action struct {
	Do, By, Win, Starter Word
	White, Black, Points int32
	Dice                 [2]int32
	Moves                []Move
}

// Move is from and to, where 25 is the bar and 0 is off.
type Move [2]uint16

// All orders of moves at a node of a turn; where either die bears a checker off, they are one.
func orders(nodes [][][4]uint16, node uint16) [][]Move {
	if len(nodes[node]) == 0 {
		return [][]Move{{}}
	}
	all := [][]Move{}
	for _, move := range nodes[node] {
		for _, rest := range orders(nodes, move[3]) {
			order := append([]Move{{move[0], move[1]}}, rest...)
			if len(order) > 2 || !contains(all, order) {
				all = append(all, order)
			}
		}
	}
	return all
}

func contains(orders [][]Move, order []Move) bool {
	for _, other := range orders {
		isSame := len(other) == len(order)
		for i := 0; isSame && i < len(order); i++ {
			isSame = other[i] == order[i]
		}
		if isSame {
			return true
		}
	}
	return false
}

// The board after moves, as the opponent sees it.
func (b Board) after(moves []Move) Board {
	for _, move := range moves {
		from, to := move[0], move[1]
		b[from]--
		if to > 0 && b[to] == -1 { // a hit
			b[to] = 0
			b[0]--
		}
		if to > 0 {
			b[to]++
		}
	}
	return b.turned()
}

// Do what a question says, and give 0, or the number of the reason why it is illegal.
func do(s *State, action Action) int {
	todo, by := index(actions, action.Do), index(seats, action.By)
	numbers := action.Dice
	switch action.Do {
	case "forfeit":
		return forfeit(by, action.Points)
	case "opening_roll":
		numbers = [2]int32{action.White, action.Black}
	case "resign":
		numbers = [2]int32{index(wins, action.Win), 0}
	case "play":
		if reason := whyNot(todo, by); reason != 0 {
			return reason
		}
		*board() = s.Points
		if !contains(orders(nodes(s.Dice[0], s.Dice[1]), 0), action.Moves) {
			return noSuchPlay
		}
		*board() = s.Points.after(action.Moves)
	case "next_game":
		start := starts[s.Rules.Start]
		if start.checkers != checkersOf(s.Checkers) || !readID(start.id, start.checkers) {
			return noSuchPlay
		}
		numbers = [2]int32{index(seats, action.Starter), start.checkers}
	}
	return act(todo, by, numbers[0], numbers[1])
}

func answer(q Question) map[string]any {
	high, low := q.Dice[0], q.Dice[1]
	*board() = q.Points
	switch q.Ask {
	case "hello":
		asks := []string{"plays", "orders", "perft", "table", "identifiers:position"}
		return map[string]any{"name": "gammonrules in Go", "version": "1", "asks": asks}
	case "plays":
		after := boards(high, low)
		for i := range after {
			after[i] = after[i].turned()
		}
		return map[string]any{"points": after}
	case "orders":
		return map[string]any{"orders": orders(nodes(high, low), 0)}
	case "perft":
		start, counts := starts[q.Start], make([]int, q.Depth)
		readID(start.id, start.checkers)
		for i := range counts {
			counts[i] = perft(i + 1)
		}
		return map[string]any{"plays": counts}
	case "table":
		*match() = q.State.match()
		if problems() == 0 && do(q.State, q.Action) == 0 {
			return map[string]any{"state": q.State.after(match())}
		}
	case "identifiers":
		if q.State != nil {
			*board() = q.State.Points
			return map[string]any{"text": writeID()}
		}
		if readID(q.Text, checkersOf(q.Checkers)) {
			state := map[string]any{"points": *board()}
			if q.Checkers > 0 {
				state["checkers"] = q.Checkers
			}
			return map[string]any{"state": state}
		}
	}
	return map[string]any{"refused": true}
}
