package main

// States in JSON.

import "encoding/json"

// Word is null where it is empty.
type Word string

// Number is null where it is 0.
type Number int32

func (w Word) MarshalJSON() ([]byte, error) {
	if w == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(w))
}

func (n Number) MarshalJSON() ([]byte, error) {
	if n == 0 {
		return []byte("null"), nil
	}
	return json.Marshal(int32(n))
}

// Offer has the fields of both kinds.
type Offer struct {
	Type    string
	By      Word
	Win     Word
	Value   int32
	Beavers int32
	Double  *Offer
}

func (o Offer) MarshalJSON() ([]byte, error) {
	fields := map[string]any{"type": o.Type, "by": o.By}
	if o.Type == "Resignation" {
		fields["win"], fields["double"] = o.Win, o.Double
	} else {
		fields["value"], fields["beavers"] = o.Value, o.Beavers
	}
	return json.Marshal(fields)
}

type Result struct {
	Winner Word  `json:"winner"`
	Win    Word  `json:"win"`
	Points int32 `json:"points"`
	End    Word  `json:"end"`
}

type State struct {
	Length   Number    `json:"length"`
	Score    [2]int32  `json:"score"`
	Crawford bool      `json:"crawford"`
	Rules    Rules     `json:"rules"`
	OnRoll   Word      `json:"on_roll"`
	Points   Board     `json:"points"`
	Checkers int32     `json:"checkers,omitempty"`
	Dice     *[2]int32 `json:"dice"`
	Cube     int32     `json:"cube"`
	Owner    Word      `json:"owner"`
	Offer    *Offer    `json:"offer"`
	Result   *Result   `json:"result"`
}
