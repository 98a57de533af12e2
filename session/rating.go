package session

// MiahZhuAttributes returns the eight usability attributes of Miah & Zhu, Table II,
// each rated from 1 (poorest) to 5 (best).
func MiahZhuAttributes() []Attribute {
	return []Attribute{
		{ID: "accuracy", Name: "Accuracy", Meaning: "how close the generated code is to correct"},
		{ID: "completeness", Name: "Completeness", Meaning: "how completely the solution solves the problem"},
		{ID: "conciseness", Name: "Conciseness", Meaning: "how concise the solution is"},
		{ID: "logic_clarity", Name: "Logic clarity", Meaning: "how clear and logical the flow of code and explanation is"},
		{ID: "readability", Name: "Readability", Meaning: "how easy the solution is to read and understand"},
		{ID: "structuredness", Name: "Structuredness", Meaning: "how well the code is structured"},
		{ID: "parameter_coverage", Name: "Coverage of parameters", Meaning: "how well the problem's parameters are used and covered"},
		{ID: "explanation_depth", Name: "Depth of explanation", Meaning: "how thoroughly the text explains the code"},
	}
}

// MinScore is the lowest score of every scale, the poorest. MaxScore is the best unless a study has its own
// scale. MaxPoints is the longest scale, since a score is a single key.
const (
	MinScore  = 1
	MaxScore  = 5
	MaxPoints = 9
)

// Label is a question besides the ratings, answered with one of a few values.
type Label struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Values []string `json:"values"`
	// WhenNotSatisfied limits the label to tasks that ended without
	// satisfaction.
	WhenNotSatisfied bool `json:"when_not_satisfied,omitempty"`
}

// The labels of Su et al.: whether the explanation is accurate and complete (the second half of equation
// 6), and for a failed task whether the code or the understanding of the task is at fault (their question
// 4).
const (
	LabelExplanation = "explanation_accurate"
	LabelErrorCause  = "error_cause"
)

// Labels lists the labels asked for unless a study has its own.
func Labels() []Label {
	return []Label{
		{ID: LabelExplanation, Name: "Explanation accurate & complete", Values: []string{"yes", "no"}},
		{ID: LabelErrorCause, Name: "What the model got wrong", Values: []string{"code", "understanding"}, WhenNotSatisfied: true},
	}
}

// words are those of the lowest, the middle and the highest score of the attributes of Miah and Zhu.
var words = map[string][3]string{
	"accuracy":           {"mostly wrong", "right for usual inputs", "right for every input"},
	"completeness":       {"most is missing", "the main part is solved", "all of it is"},
	"conciseness":        {"long, much is repeated", "some of it could go", "nothing could go"},
	"logic_clarity":      {"hard to follow", "clear when read twice", "clear at once"},
	"readability":        {"hard to read", "readable with some effort", "easy to read"},
	"structuredness":     {"without structure", "divided in part", "well divided"},
	"parameter_coverage": {"they are ignored", "the main ones are used", "all are used"},
	"explanation_depth":  {"nothing is explained", "the main steps are", "every step, and why"},
}
