package main

// The rules in C, by cgo.

/*
#cgo CFLAGS: -O2 -I${SRCDIR}/../../../src/gammonrules/c
#include "gammonrules.h"
*/
import "C"

import "unsafe"

const (
	slots  = C.GAMMONRULES_SLOTS
	nobody = C.GAMMONRULES_NOBODY
)

// Board is 26 counts as the player on roll sees them.
type Board [slots]int8

// Match is GammonrulesMatch, whose fields the header explains.
type Match struct {
	OnRoll, High, Low, Cube, Owner, DoubledBy, Offered, Beavers, ResignedBy, Resigned int32
	Score                                                                             [2]int32
	Length, IsCrawford, Winner, Win, Points, End                                      int32
	Rules                                                                             Options
	Checkers                                                                          int32
	Board                                                                             Board
}

func board() *Board { return (*Board)(unsafe.Pointer(C.gammonrules_board())) }

func match() *Match { return (*Match)(unsafe.Pointer(C.gammonrules_match())) }

func problems() int { return int(C.gammonrules_problems()) }

func winner() int32 { return int32(C.gammonrules_winner()) }

func perft(depth int) int { return int(C.gammonrules_perft(C.int(depth))) }

func legalActions() uint32 { return uint32(C.gammonrules_actions(nobody)) }

func whyNot(action, player int32) int {
	return int(C.gammonrules_why_not(C.int(action), C.int(player)))
}

func forfeit(loser, points int32) int { return int(C.gammonrules_forfeit(C.int(loser), C.int(points))) }

func act(action, player, number, other int32) int {
	return int(C.gammonrules_act(C.int(action), C.int(player), C.int(number), C.int(other)))
}

func (b Board) turned() (turned Board) {
	for i, count := range b {
		turned[slots-1-i] = -count
	}
	return turned
}

// The boards of all plays, as the opponent sees them.
func boards(high, low int32) []Board {
	count := int(C.gammonrules_plays(C.int(high), C.int(low)))
	return append([]Board{}, unsafe.Slice((*Board)(unsafe.Pointer(C.gammonrules_boards())), count)...)
}

// The moves at each node of the turn: from, to, die and next node.
func nodes(high, low int32) [][][4]uint16 {
	nodes := make([][][4]uint16, C.gammonrules_turn(C.int(high), C.int(low)))
	at := unsafe.Pointer(C.gammonrules_nodes())
	for i := range nodes {
		count := int(*(*uint16)(at))
		nodes[i] = unsafe.Slice((*[4]uint16)(unsafe.Add(at, 2)), count)
		at = unsafe.Add(at, 2+8*count)
	}
	return nodes
}

func text() *[C.GAMMONRULES_ID_LENGTH]byte {
	return (*[C.GAMMONRULES_ID_LENGTH]byte)(unsafe.Pointer(C.gammonrules_text()))
}

func readID(id string, checkers int32) bool {
	copy(text()[:], id)
	return len(id) == len(text()) && C.gammonrules_read_id(C.int(checkers)) == 1
}

func writeID() string {
	C.gammonrules_write_id()
	return string(text()[:])
}
