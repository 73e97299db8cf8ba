package main

// The match in C that a state says, and the state that the match says.

var (
	seats = []Word{"white", "black"}
	wins  = []Word{"", "single", "gammon", "backgammon"}
	ends  = []Word{"played", "dropped", "resigned", "forfeited"}
)

// Where a word is among others, or -1.
func index(words []Word, word Word) int32 {
	for i := range words {
		if words[i] == word {
			return int32(i)
		}
	}
	return nobody
}

func wordOf(words []Word, i int32) Word {
	if i < 0 {
		return ""
	}
	return words[i]
}

func number(isTrue bool) int32 {
	if isTrue {
		return 1
	}
	return 0
}

func checkersOf(fewer int32) int32 {
	if fewer > 0 {
		return fewer
	}
	return 15
}

// The match that a state says.
func (s *State) match() Match {
	m := Match{OnRoll: index(seats, s.OnRoll), Cube: s.Cube, Owner: index(seats, s.Owner), DoubledBy: nobody,
		ResignedBy: nobody, Score: s.Score, Length: int32(s.Length), IsCrawford: number(s.Crawford), Winner: nobody,
		Rules: s.Rules.options(), Checkers: checkersOf(s.Checkers), Board: s.Points}
	if s.Dice != nil {
		m.High, m.Low = s.Dice[0], s.Dice[1]
	}
	if s.Result != nil {
		m.Winner, m.Win = index(seats, s.Result.Winner), index(wins, s.Result.Win)
		m.Points, m.End = s.Result.Points, index(ends, s.Result.End)
	}
	double := s.Offer
	if s.Offer != nil && s.Offer.Type == "Resignation" {
		m.ResignedBy, m.Resigned = index(seats, s.Offer.By), index(wins, s.Offer.Win)
		double = s.Offer.Double
	}
	if double != nil {
		m.DoubledBy, m.Offered, m.Beavers = index(seats, double.By), double.Value, double.Beavers
	}
	return m
}

// The next state, after one that has what an action never changes.
func (s State) after(m *Match) State {
	s.OnRoll, s.Cube, s.Owner, s.Score = wordOf(seats, m.OnRoll), m.Cube, wordOf(seats, m.Owner), m.Score
	s.Crawford, s.Points, s.Dice, s.Offer, s.Result = m.IsCrawford == 1, m.Board, nil, nil, nil
	if m.High > 0 {
		s.Dice = &[2]int32{m.High, m.Low}
	}
	if m.DoubledBy != nobody {
		s.Offer = &Offer{Type: "Double", By: seats[m.DoubledBy], Value: m.Offered, Beavers: m.Beavers}
	}
	if m.ResignedBy != nobody {
		s.Offer = &Offer{Type: "Resignation", By: seats[m.ResignedBy], Win: wins[m.Resigned], Double: s.Offer}
	}
	if m.Winner != nobody {
		s.Result = &Result{seats[m.Winner], wins[m.Win], m.Points, ends[m.End]}
	}
	return s
}
