// Asks your rules every question about plays: `go test`.
package rules

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"testing"
)

func inOrder(boards [][26]int) string {
	texts := make([]string, len(boards))
	for i, board := range boards {
		texts[i] = fmt.Sprint(board)
	}
	sort.Strings(texts)
	return fmt.Sprint(texts)
}

func TestPlays(t *testing.T) {
	file, _ := os.Open("plays.jsonl.gz")
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for lines := json.NewDecoder(unzipped); lines.More(); {
		var line struct {
			Rule     string
			Question struct {
				Points [26]int
				Dice   [2]int
			}
			Answer struct{ Points [][26]int }
		}
		if err := lines.Decode(&line); err != nil {
			t.Fatal(err)
		}
		boards := LegalBoards(line.Question.Points, line.Question.Dice)
		if inOrder(boards) != inOrder(line.Answer.Points) {
			t.Errorf("%s: %v", line.Rule, line.Question)
		}
	}
}
