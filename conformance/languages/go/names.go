package main

// The names of actions, starts and options. Written by `python generate.py conformance_names`: do not edit it.

var actions = []Word{
	"opening_roll", "roll", "play", "double", "take", "drop", "beaver", "resign", "accept", "decline",
	"next_game",
}

// The starts, by Position ID and the checkers of a side.
var starts = map[Word]struct {
	id       string
	checkers int32
}{
	"standard":     {"4HPwATDgc/ABMA", 15},
	"nackgammon":   {"4Dl4ADbgOXgANg", 15},
	"longgammon":   {"AACA/z8AAID/Pw", 15},
	"hypergammon":  {"AACgAgAAKgAAAA", 3},
	"hypergammon2": {"AABAAQAACgAAAA", 2},
	"hypergammon1": {"AACAAAAAAgAAAA", 1},
}

var (
	scorings = []Word{"points", "pips"}
	openings = []Word{"shared", "reroll"}
)

// Options is GammonrulesOptions, whose fields the header explains.
type Options struct {
	Crawford, Jacoby, Beavers, AutoDoubles, MaxCube, Cube, Gammons, Backgammons, Scoring, Opening int32
}

type Rules struct {
	Crawford    bool   `json:"crawford"`
	Jacoby      bool   `json:"jacoby"`
	Beavers     int32  `json:"beavers"`
	AutoDoubles int32  `json:"auto_doubles"`
	MaxCube     Number `json:"max_cube"`
	Cube        bool   `json:"cube"`
	Gammons     bool   `json:"gammons"`
	Backgammons bool   `json:"backgammons"`
	Scoring     Word   `json:"scoring"`
	Opening     Word   `json:"opening"`
	Start       Word   `json:"start"`
}

func (r Rules) options() Options {
	return Options{
		Crawford:    number(r.Crawford),
		Jacoby:      number(r.Jacoby),
		Beavers:     r.Beavers,
		AutoDoubles: r.AutoDoubles,
		MaxCube:     int32(r.MaxCube),
		Cube:        number(r.Cube),
		Gammons:     number(r.Gammons),
		Backgammons: number(r.Backgammons),
		Scoring:     index(scorings, r.Scoring),
		Opening:     index(openings, r.Opening),
	}
}
