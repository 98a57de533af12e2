package study

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/scoring/stats"
	"assay/session"
)

// name matches valid names of arms, which are used in files and tables.
var name = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N} ._-]*$`)

const longestName = 64 // characters

// maxTesters limits the size of a plan.
const maxTesters = 10_000

// check returns the first problem of the study, in the order of the file's parts.
func (s *Study) check() error {
	for _, part := range []func() error{s.checkHead, s.checkTasks, s.checkArms, s.checkDesign, s.checkAdaptive, s.checkSession, s.checkAttributes, s.checkScale, s.checkLabels, s.checkPractice, s.checkAttention, s.checkBreaks, s.checkSurvey, s.checkAnalysis} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func (s *Study) checkHead() error {
	switch {
	case strings.TrimSpace(s.Name) == "":
		return s.file.Wrong("name", "a study needs a name")
	case s.Version < 1:
		return s.file.Wrong("version", "%d is not a version: versions count from 1", s.Version)
	case (s.Consent.Text == "") != (s.Consent.Version == ""):
		return s.file.Wrong("consent.version", "a consent needs both a text and a version, which is recorded with each agreement")
	}
	return nil
}

func (s *Study) checkTasks() error {
	t := s.Tasks
	if t.Benchmark == "" {
		return s.file.Wrong("tasks.benchmark", "name a bundled benchmark (`assay tasks list`), a file or a folder")
	}
	if t.Sets < 1 {
		return s.file.Wrong("tasks.sets", "%d is too few: at least one test set is needed", t.Sets)
	}
	if t.PerSet < 0 {
		return s.file.Wrong("tasks.per_set", "%d is negative; 0 deals all tasks", t.PerSet)
	}
	if _, err := benchmark.ParseFilter(t.Filter); err != nil {
		return s.file.Wrong("tasks.filter", "%v", err)
	}
	return nil
}

func (s *Study) checkArms() error {
	if len(s.Arms) == 0 {
		return s.file.Wrong("arm", "a study needs at least one [[arm]] with the model that answers")
	}
	names, shown := map[string]bool{}, map[string]bool{}
	for i, a := range s.Arms {
		key := func(k string) string { return fmt.Sprintf("arm.%d.%s", i, k) }
		switch {
		case !name.MatchString(a.Name) || utf8.RuneCountInString(a.Name) > longestName:
			return s.file.Wrong(key("name"), "%q is not a name: write letters, digits, spaces, dots and dashes, at most %d", a.Name, longestName)
		case names[a.Name]:
			return s.file.Wrong(key("name"), "two arms are called %q", a.Name)
		case a.Model == "":
			return s.file.Wrong(key("model"), "name the model that answers (`assay models list`)")
		case a.Against == a.Model:
			return s.file.Wrong(key("against"), "a model cannot be compared with itself: name another one")
		case a.Against != "" && s.Design.Order == ByAbility:
			return s.file.Wrong(key("against"), "an adaptive test measures work with one model: leave this out, or write another order under [design]")
		case a.Shown != "" && a.Against != "" && strings.Contains(strings.ToLower(a.Shown+"\n"+a.Name), strings.ToLower(a.Against)):
			return s.file.Wrong(key("shown"), "the name or what is shown reveals the model %q", a.Against)
		case a.Shown != "" && shown[a.Shown]:
			return s.file.Wrong(key("shown"), "two arms are shown as %q: a tester could not tell them apart, nor could you", a.Shown)
		case a.Shown != "" && strings.Contains(strings.ToLower(a.Shown), strings.ToLower(a.Model)):
			return s.file.Wrong(key("shown"), "%q reveals the model", a.Shown)
		case a.Shown != "" && strings.Contains(strings.ToLower(a.Name), strings.ToLower(a.Model)):
			return s.file.Wrong(key("name"), "%q reveals the model, and is shown in testers' reports", a.Name)
		}
		names[a.Name], shown[a.Shown] = true, true
	}
	if shown[""] && len(shown) > 1 {
		return s.file.Wrong("arm", "some arms are blinded and some are not: give all of them a `shown`, or none")
	}
	return nil
}

func (s *Study) checkDesign() error {
	d := s.Design
	switch {
	case !slices.Contains([]string{Between, Within, Crossed}, d.Arms):
		return s.file.Wrong("design.arms", "%q is none of %s, %s, %s", d.Arms, Between, Within, Crossed)
	case d.Arms == Crossed && d.Order == ByAbility:
		return s.file.Wrong("design.order", "an adaptive test chooses other tasks with each arm, and crossed arms get the same: write arms = %q or %q, or another order", Between, Within)
	case !slices.Contains([]string{LatinSquare, Drawn, Fixed, ByAbility}, d.Order):
		return s.file.Wrong("design.order", "%q is none of %s, %s, %s, %s", d.Order, LatinSquare, Drawn, Fixed, ByAbility)
	case d.Testers < 1 || d.Testers > maxTesters:
		return s.file.Wrong("design.testers", "%d is not from 1 to %d", d.Testers, maxTesters)
	case d.Arms == Within && s.Tasks.Sets%len(s.Arms) != 0:
		return s.file.Wrong("tasks.sets", "%d test sets cannot be dealt to %d arms evenly: within testers each arm gets sets of its own, so write a multiple of %d, or arms = %q under [design] to give each arm the same tasks", s.Tasks.Sets, len(s.Arms), len(s.Arms), Crossed)
	}
	return nil
}

// maxMargin bounds [analysis] margin: the total of a hundred ratings differs by less.
const maxMargin = 1000

func (s *Study) checkAnalysis() error {
	a := s.Analysis
	if _, err := batch.ParseReviewing(string(a.ToReview)); err != nil {
		return s.file.Wrong("analysis.to_review", "%v", err)
	}
	switch {
	case a.Primary != "" && !slices.Contains(session.Outcomes(), a.Primary):
		return s.file.Wrong("analysis.primary", "%q is none of %s; leave it out where all comparisons are exploratory", a.Primary, strings.Join(session.Outcomes(), ", "))
	case a.Primary == "total" && len(s.Attributes) == 0:
		return s.file.Wrong("analysis.primary", "there is no total of ratings, since this study asks for none: add [[attribute]]")
	case len(a.Looks) > 0 && a.Primary == "":
		return s.file.Wrong("analysis.looks", "looks are at the primary outcome, and none is declared: add primary")
	case a.Spending != stats.OBrienFleming && a.Spending != stats.Pocock:
		return s.file.Wrong("analysis.spending", "%q is neither %q nor %q", a.Spending, stats.OBrienFleming, stats.Pocock)
	case a.Margin != 0 && a.Primary == "":
		return s.file.Wrong("analysis.margin", "a margin is of the primary outcome, and none is declared: add primary")
	case !(a.Margin >= 0 && a.Margin <= maxMargin):
		return s.file.Wrong("analysis.margin", "%v is not from 0 to %v", a.Margin, maxMargin)
	case a.Primary == "time" && a.Margin != 0 && !(a.Margin > 1 && a.Margin <= session.MostFactor):
		return s.file.Wrong("analysis.margin", "%v: the margin of a time is a factor above 1 and at most %d, no longer seconds; write 1.25 for ratios from 0.8 to 1.25", a.Margin, session.MostFactor)
	case a.Margin >= 1 && slices.Contains([]string{"satisfied", "tests"}, a.Primary):
		return s.file.Wrong("analysis.margin", "%v is not a share below 1: write 0.1 for 10 points", a.Margin)
	case a.Family != session.FamilyHolm && a.Family != session.FamilyBH:
		return s.file.Wrong("analysis.family", "%q is neither %q nor %q", a.Family, session.FamilyHolm, session.FamilyBH)
	case a.Model != session.ModelTesters && a.Model != session.ModelMixed:
		return s.file.Wrong("analysis.model", "%q is neither %q nor %q", a.Model, session.ModelTesters, session.ModelMixed)
	case a.Model == session.ModelMixed && s.Design.Arms == Between:
		return s.file.Wrong("analysis.model", "a mixed model needs testers who work with several arms: write arms = %q under [design], or model = %q", Within, session.ModelTesters)
	}
	return s.checkLooks()
}

func (s *Study) checkSession() error {
	t := s.Session
	switch {
	case t.K < 1 || t.K > 100:
		return s.file.Wrong("session.k", "%d is not from 1 to 100 attempts", t.K)
	case t.Level < 0 || t.Level > benchmark.MaxPromptLevel:
		return s.file.Wrong("session.level", "%d is not from 0 to %d", t.Level, benchmark.MaxPromptLevel)
	case t.Context != string(session.Conversation) && t.Context != string(session.Fresh):
		return s.file.Wrong("session.context", "%q is neither %q nor %q", t.Context, session.Conversation, session.Fresh)
	case !slices.Contains([]session.TestsSeen{session.SeeTests, session.SeeVerdict, session.SeeNothing}, t.Tests):
		return s.file.Wrong("session.tests", "%q is none of %s, %s, %s", t.Tests, session.SeeTests, session.SeeVerdict, session.SeeNothing)
	case t.IdleSeconds < 0:
		return s.file.Wrong("session.idle_seconds", "%d is negative; 0 never calls a tester idle", t.IdleSeconds)
	case t.Clock != "" && t.Clock != string(session.ClockShown) && t.Clock != string(session.ClockHidden):
		return s.file.Wrong("session.clock", "%q is neither %q nor %q; leave it out where testers may choose", t.Clock, session.ClockShown, session.ClockHidden)
	case !t.Answers.Known():
		return s.file.Wrong("session.answers", "%q is neither %q nor %q; leave it out where testers may switch", t.Answers, session.AnswerRendered, session.AnswerVerbatim)
	case t.ResumeHours < 0 || t.ResumeHours > 24*365 || math.IsNaN(t.ResumeHours):
		return s.file.Wrong("session.resume_hours", "%v is not from 0, for no limit, to a year", t.ResumeHours)
	case t.Late != LateFlag && t.Late != LateRefuse:
		return s.file.Wrong("session.late", "%q is neither %q nor %q", t.Late, LateFlag, LateRefuse)
	case t.Results != ResultsEnd && t.Results != ResultsEach:
		return s.file.Wrong("session.results", "%q is neither %q nor %q", t.Results, ResultsEnd, ResultsEach)
	case strings.TrimSpace(t.Criterion) == "":
		return s.file.Wrong("session.criterion", "say when an answer is satisfactory: testers read it before they judge")
	}
	return nil
}

// attributeID matches valid ids of attributes, which are used in tables.
var attributeID = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

func (s *Study) checkAttributes() error {
	if len(s.Attributes) > 9 {
		return s.file.Wrong("attribute.9", "at most nine attributes can be rated by keys")
	}
	seen := map[string]bool{}
	for i, a := range s.Attributes {
		key := func(k string) string { return fmt.Sprintf("attribute.%d.%s", i, k) }
		switch {
		case !attributeID.MatchString(a.ID):
			return s.file.Wrong(key("id"), "%q is not an id: write lower-case letters, digits and underscores, a letter first", a.ID)
		case a.ID == session.CheckID:
			return s.file.Wrong(key("id"), "%q is reserved for attention checks", a.ID)
		case seen[a.ID]:
			return s.file.Wrong(key("id"), "two attributes have the id %q", a.ID)
		case strings.TrimSpace(a.Name) == "":
			return s.file.Wrong(key("name"), "an attribute needs a name, which the tester reads")
		}
		seen[a.ID] = true
	}
	return nil
}
