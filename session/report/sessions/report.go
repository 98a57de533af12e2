package sessions

import (
	"assay/session/overlap"
	"assay/session/report"
	"assay/session/report/evaluations"
)

// FormatVersion is the version of the JSON form.
const FormatVersion = 6

// Report has the results of sessions. Schema describes its JSON form.
type Report struct {
	Format    int               `json:"assay_report"`       // the version of this form
	Layout    int               `json:"layout,omitempty"`   // 4; 3 of earlier builds, which do not compare arms by each attribute nor say how long comparing two answers took; 2 of those whose pages have the comparison of arms behind the results of all; 1: that do not render answers, either; absent of still earlier ones, which have no six dimensions by model and no pass rates of people
	Blind     bool              `json:"blind"`              // models of blind studies are named as their testers read them
	Title     string            `json:"title"`              // what the page is headed with
	Filter    string            `json:"filter,omitempty"`   // the filter that chose the tasks of this report; absent: all
	Number    int               `json:"session_count"`      // sessions in the report
	Sessions  []Header          `json:"sessions"`           // in the order of their ids, which is that of time
	Automatic int               `json:"automatic_sessions"` // sessions in which a program worked, and no human
	Tasks     int               `json:"distinct_tasks"`     // different tasks with a result
	Testers   int               `json:"testers"`            // people, and a program as one: a study's testers by their numbers and pseudonyms, others by pseudonym; sessions without one are taken as one person's
	Shared    []Shared          `json:"shared_places"`      // places of a study that several pseudonyms hold, who are taken as different people
	Pooled    bool              `json:"pooled"`             // false where sessions began with different prompt levels or contexts, or people and programs worked, or programs by different policies: then results stand in Arms alone
	People    Participants      `json:"participants"`
	Events    Events            `json:"log"`
	Counts    Counts            `json:"tasks"`
	Tries     Attempts          `json:"attempts"`
	Times     Times             `json:"times"`
	Ratings   Ratings           `json:"ratings"`
	Attention *report.Share     `json:"attention_checks"` // those answered as they asked; null: none was answered
	Survey    []Asked           `json:"survey"`           // the exit survey
	Tests     Tests             `json:"tests"`
	Merge     *Merge            `json:"merge"`            // null: nobody was asked if they would merge an answer
	Mended    *Mended           `json:"mended_by_hand"`   // null: nobody edited a final answer
	Arena     *Arena            `json:"arena,omitempty"`  // absent: nobody compared answers of two models while working
	Abilities []Ability         `json:"abilities"`        // of adaptive sessions; empty: there are none
	Six       *Six              `json:"six_dimensions"`   // null: no final answer was run and measured
	Tokens    []ModelTokens     `json:"tokens,omitempty"` // of each model; absent: no server counted
	Models    *evaluations.Su   `json:"models,omitempty"` // the six dimensions of each arm's final answers, or of the one model's; absent: as six_dimensions
	Code      Code              `json:"code"`
	Prompts   Prompts           `json:"prompts"`
	Slices    []Slices          `json:"slices"`
	Grid      Grid              `json:"grid"`
	Order     []Order           `json:"order"`
	Arms      *Arms             `json:"arms"`      // null: one model, level and context
	Same      []Agreed          `json:"agreement"` // null: nobody rated what another had rated
	Method    Method            `json:"method"`
	Overlap   *overlap.Analysis `json:"overlap_ratings"` // the same answers rated by several people; null: no such ratings were given
	Checks    []report.Check    `json:"checks"`

	logs    []folded
	answers []armAnswers
	marks   []report.NamedMark
	texts   Texts

	noImages bool
	kept     []report.File // of an earlier version, in place of those of this one
	study    *StudyFiles
}
