package estimate

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"assay/data/disk"
	"assay/data/tomlfile"
)

// Example is a task with an estimate that shows estimators, before a round begins, what is meant (TaskEval, section 4.5,
// has two). Nobody estimates it, and it counts nowhere.
type Example struct {
	Title      string `json:"title"`
	Text       string `json:"text"` // the task as it is stated
	Summary    string `json:"summary"`
	Time       int    `json:"time"`       // category of the scale of times, from 0
	Difficulty int    `json:"difficulty"` // 1 to 5
	Reason     string `json:"reason"`
}

//go:embed examples.toml
var ownExamples string

// examplesFile is a file of worked examples as people write it.
type examplesFile struct {
	Example []struct {
		Title, Text, Summary, Difficulty, Reason string
		Minutes                                  int
	}
}

// MostExamples is the largest number of worked examples of a round.
const MostExamples = 10

// OwnExamples returns assay's two examples on a scale of times.
func OwnExamples(minutes []int) ([]Example, error) {
	return examples("examples.toml", ownExamples, minutes)
}

// ReadExamples reads a file of worked examples, and puts their minutes on a scale of times.
func ReadExamples(path string, minutes []int) ([]Example, error) {
	text, err := disk.ReadFile(path, disk.Settings)
	if err != nil {
		return nil, fmt.Errorf("the worked examples cannot be read: %w", err)
	}
	return examples(path, string(text), minutes)
}

func examples(path, text string, minutes []int) (list []Example, err error) {
	var from examplesFile
	file, err := tomlfile.Decode(path, text, &from, "an example has title, text, summary, minutes, difficulty and reason")
	if err != nil {
		return nil, err
	}
	if n := len(from.Example); n == 0 || n > MostExamples {
		return nil, file.Wrong("example", "there are %d: write 1 to %d, each as [[example]]", n, MostExamples)
	}
	for i, x := range from.Example {
		at := fmt.Sprintf("example.%d.", i)
		for _, of := range []struct{ key, text string }{{"title", x.Title}, {"text", x.Text}, {"summary", x.Summary}, {"reason", x.Reason}} {
			if strings.TrimSpace(of.text) == "" {
				return nil, file.Wrong(at+of.key, "it is empty: an estimator is to see all of an estimate")
			}
		}
		points := slices.Index(DifficultyLabels(), x.Difficulty) + 1
		switch {
		case points == 0:
			return nil, file.Wrong(at+"difficulty", "%q is not on the scale: write %s", x.Difficulty, strings.Join(DifficultyLabels(), ", "))
		case x.Minutes < 1:
			return nil, file.Wrong(at+"minutes", "%d is no time: write a whole number of minutes from 1", x.Minutes)
		}
		category := slices.IndexFunc(minutes, func(m int) bool { return x.Minutes <= m })
		if category < 0 {
			category = len(minutes)
		}
		list = append(list, Example{Title: x.Title, Text: strings.Trim(x.Text, "\n"), Summary: x.Summary, Time: category, Difficulty: points, Reason: x.Reason})
	}
	return list, nil
}

// check returns the first problem of an example in a round's header.
func (x *Example) check(at string, categories int) error {
	switch {
	case strings.TrimSpace(x.Text) == "" || strings.TrimSpace(x.Summary) == "" || strings.TrimSpace(x.Reason) == "":
		return fmt.Errorf("%s: \"text\", \"summary\" and \"reason\" of an example are not empty", at)
	case x.Time < 0 || x.Time >= categories || x.Difficulty < 1 || x.Difficulty > Points:
		return fmt.Errorf("%s: \"time\" or \"difficulty\" is outside the scales", at)
	}
	return nil
}
