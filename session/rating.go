package session

// MiahZhuAttributes are the eight usability attributes of Miah & Zhu, Table II,
// each rated from 1 (poorest) to 5 (best).
func MiahZhuAttributes() []Attribute {
	return []Attribute{
		{"accuracy", "Accuracy", "how close the generated code is to correct"},
		{"completeness", "Completeness", "how completely the solution solves the problem"},
		{"conciseness", "Conciseness", "how concise the solution is"},
		{"logic_clarity", "Logic clarity", "how clear and logical the flow of code and explanation is"},
		{"readability", "Readability", "how easy the solution is to read and understand"},
		{"structuredness", "Structuredness", "how well the code is structured"},
		{"parameter_coverage", "Coverage of parameters", "how well the problem's parameters are used and covered"},
		{"explanation_depth", "Depth of explanation", "how thoroughly the text explains the code"},
	}
}

// MinScore and MaxScore bound every rating: 1 is poorest, 5 is best.
const (
	MinScore = 1
	MaxScore = 5
)

// Label is a question beside the ratings, answered with one of a few values.
type Label struct {
	ID     string
	Name   string
	Values []string
	// WhenNotSatisfied limits the label to tasks that ended without
	// satisfaction.
	WhenNotSatisfied bool
}

// The labels of Su et al.: whether the explanation is accurate and complete
// (the second half of equation 6), and for a task that failed whether the code
// or the understanding of the task is at fault (their question 4).
const (
	LabelExplanation = "explanation_accurate"
	LabelErrorCause  = "error_cause"
)

// Labels lists the labels that are asked for.
func Labels() []Label {
	return []Label{
		{ID: LabelExplanation, Name: "Explanation accurate & complete", Values: []string{"yes", "no"}},
		{ID: LabelErrorCause, Name: "What went wrong", Values: []string{"code", "understanding"}, WhenNotSatisfied: true},
	}
}

// LabelsFor lists the labels that a task with this outcome needs.
func LabelsFor(outcome Outcome) []Label {
	var needed []Label
	for _, l := range Labels() {
		if !l.WhenNotSatisfied || outcome != Satisfied {
			needed = append(needed, l)
		}
	}
	return needed
}
