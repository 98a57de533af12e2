package study

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/data/disk"
	"assay/data/fatal"
	"assay/session"
)

// How answers to review count is recorded in each session, so that reports need no study file.
func TestToReviewIsRecorded(t *testing.T) {
	for written, want := range map[string]string{"resolved": "", "failed": "failed", "excluded": "excluded"} {
		s, err := Parse("s.toml", strings.Replace(Example(), `to_review = "resolved"`, fmt.Sprintf("to_review = %q", written), 1))
		fatal.If(t, err)
		plan, _, err := s.Plan(someBenchmark(), "", 1, 1, "ann", session.Model{Name: "m"})
		fatal.If(t, err)
		if plan.Study.ToReview != want {
			t.Errorf("%s is recorded as %q", written, plan.Study.ToReview)
		}
	}
}

func TestExampleLoads(t *testing.T) {
	s, err := Parse("study.toml", Example())
	fatal.If(t, err)
	if len(s.Arms) != 2 || s.Session.K != 10 || len(s.Attributes) != 8 || s.Design.Arms != Within || s.Benchmark() != "starter" {
		t.Errorf("%+v", s)
	}
}

// TestPresets: fields missing in the file come from the preset; others override it.
func TestPresets(t *testing.T) {
	text := "name = \"x\"\npreset = %q\n[tasks]\nbenchmark = \"b\"\n[[arm]]\nname = \"a\"\nmodel = \"m\"\n[session]\nlevel = 1\n"
	for preset, want := range map[string]Settings{
		"open":     {K: 10, Level: 1, Context: "conversation", Tests: session.SeeTests, Labels: "standard", Late: "flag", Results: "end"},
		"miah-zhu": {K: 10, Level: 1, Context: "conversation", Tests: session.SeeNothing, Reference: true, Labels: "standard", Late: "flag", Results: "end"},
		"su": {
			K: 1, Level: 1, Context: "fresh", Tests: session.SeeTests, Labels: "standard", Late: "flag", Results: "end",
			Suffix: "Add comments to the code, and explain after it, completely, how it works.",
		},
	} {
		s, err := Parse("study.toml", fmt.Sprintf(text, preset))
		fatal.If(t, err)
		got := s.Session
		got.IdleSeconds, got.Criterion = 0, ""
		if got != want {
			t.Errorf("%s: %+v", preset, got)
		}
	}
	for edited, want := range map[string]int{
		fmt.Sprintf(text, "open"):                                             8,
		fmt.Sprintf(text, "su"):                                               0, // Su et al. labelled answers and rated none
		"attribute = []\n" + fmt.Sprintf(text, "miah-zhu"):                    0,
		fmt.Sprintf(text, "su") + "[[attribute]]\nid = \"a\"\nname = \"A\"\n": 1,
	} {
		if s, err := Parse("study.toml", edited); err != nil || len(s.Attributes) != want || s.attributes() == nil {
			t.Errorf("%d attributes, want %d, %v of\n%s", len(s.Attributes), want, err, edited)
		}
	}
	for more, want := range map[string]string{
		"[[attention]]\ntask = 1\ntext = \"Choose 2\"\nscore = 2\n": "attention checks stand among ratings",
		"[analysis]\nprimary = \"total\"\n":                         "there is no total of ratings",
	} {
		if _, err := Parse("study.toml", fmt.Sprintf(text, "su")+more); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", more, err)
		}
	}
	s, err := Parse("study.toml", strings.Replace(fmt.Sprintf(text, "miah-zhu"), "level = 1", "reference = false\ntests = \"all\"", 1))
	if err != nil || s.Session.Reference || s.Session.Tests != session.SeeTests || s.Tasks.Sets != 5 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestBadStudies: an error in each field, with its line and a remedy.
func TestBadStudies(t *testing.T) {
	for edit, want := range map[[2]string]string{
		{`name = "Two models on starter tasks"`, ``}:                                                "study.toml:1: name: a study needs a name",
		{`name = "Two models on starter tasks"`, `name = 7`}:                                        "study.toml:5: name: must be a text in quotes, not a whole number",
		{`version = 1 `, `version = 0 `}:                                                            "study.toml:6: version: 0 is not a version",
		{`preset = "open"`, `preset = "opne"`}:                                                      "preset: \"opne\" is not a preset: write open, miah-zhu or su",
		{`benchmark = "starter"`, `benchmark = ""`}:                                                 "tasks.benchmark: name a bundled benchmark",
		{`filter = ""`, `filter = "dificulty:easy"`}:                                                "tasks.filter: ",
		{`sets = 2`, `sets = 0`}:                                                                    "tasks.sets: 0 is too few",
		{`sets = 2`, `sets = 3`}:                                                                    "tasks.sets: 3 test sets cannot be dealt to 2 arms evenly",
		{`per_set = 3`, `per_set = -1`}:                                                             "tasks.per_set: -1 is negative",
		{`name = "second"`, `name = "first"`}:                                                       "arm.1.name: two arms are called \"first\"",
		{`name = "second"`, `name = "a/b"`}:                                                         "arm.1.name: \"a/b\" is not a name",
		{`name = "second"`, `name = "` + strings.Repeat("ä", 65) + `"`}:                             "is not a name",
		{`model = "paste"`, ``}:                                                                     "arm.1.model: name the model",
		{`shown = "Model B"`, `shown = "Model A"`}:                                                  "two arms are shown as",
		{`shown = "Model B"`, ``}:                                                                   "give all of them a `shown`, or none",
		{`shown = "Model B"`, `shown = "Paste it"`}:                                                 "reveals the model",
		{`arms = "within"`, `arms = "both"`}:                                                        "design.arms: \"both\" is none of between, within, crossed",
		{`order = "latin-square"`, `order = "latin"`}:                                               "design.order: \"latin\" is none of",
		{`testers = 8 `, `testers = 0 `}:                                                            "design.testers: 0 is not from 1",
		{`k = 10 `, `k = 0 `}:                                                                       "session.k: 0 is not from 1 to 100",
		{`level = 0 `, `level = 4 `}:                                                                "session.level: 4 is not from 0 to 3",
		{`context = "conversation"`, `context = "chat"`}:                                            "session.context: \"chat\" is neither",
		{`tests = "all"`, `tests = "some"`}:                                                         "session.tests: \"some\" is none of",
		{`idle_seconds = 300`, `idle_seconds = -1`}:                                                 "session.idle_seconds: -1",
		{`criterion = "Sat`, "criterion = \"\"\n# \"Sat"}:                                           "session.criterion: say when",
		{`k = 10 `, `kk = 10 `}:                                                                     "session.kk: the key is not known",
		{`[design]`, `[desing]`}:                                                                    "desing: the key is not known",
		{`[design]`, `[design`}:                                                                     "study.toml:",
		{`# [[attribute]]`, "[[attribute]]\nid = \"A b\"\n#"}:                                       "attribute.0.id: \"A b\" is not an id",
		{`# [[attribute]]`, "[[attribute]]\nid = \"a\"\n#"}:                                         "attribute.0.name: an attribute needs a name",
		{`points = 5`, `points = 10`}:                                                               "scale.points: 10 is not from 2 to 9",
		{`low = "poorest"`, `low = ""`}:                                                             "scale.low: it is empty",
		{`high = "best"`, `high = "the very best there is at all"`}:                                 "scale.high: it has 29 characters",
		{`# [[attribute]]`, "[[attribute]]\nid = \"a\"\nname = \"A\"\nlow = \"a\\nb\"\n#"}:          "attribute.0.low: it has a line break",
		{`# [[attribute]]`, "[[attribute]]\nid = \"a\"\nname = \"A\"\nmiddle = \"a\\nb\"\n#"}:       "attribute.0.middle: it has a line break",
		{`# [[attribute]]`, "[[attribute]]\nid = \"attention_check\"\nname = \"A\"\n#"}:             "attribute.0.id: \"attention_check\" is reserved",
		{`labels = "standard"`, `labels = "su"`}:                                                    "session.labels: \"su\" is neither",
		{`# [[label]]`, "[[label]]\nid = \"would_use\"\nname = \"Use it?\"\nvalues = [\"yes\"]\n#"}: "label.0.values: a label has two to four values, not 1",
		{`# [[label]]`, "[[label]]\nid = \"would_use\"\nname = \"Use it?\"\nvalues = [\"yes\", \"yes\"]\n#"}: "label.0.values: \"yes\" is duplicated",
		{`# [[label]]`, "[[label]]\nid = \"accuracy\"\nname = \"Use it?\"\nvalues = [\"yes\", \"no\"]\n#"}:   "label.0.id: \"accuracy\" is the id of an attribute",
		{`name = "first"`, `name = "Rehearsal, warm"`}:                                                       "arm.0.name: \"Rehearsal, warm\" is not a name",
		{`name = "second"`, `name = "the paste arm"`}:                                                        "arm.1.name: \"the paste arm\" reveals the model",
		{`# [[label]]`, "[[label]]\nid = \"Would\"\nname = \"Use it?\"\nvalues = [\"yes\", \"no\"]\n#"}:      "label.0.id: \"Would\" is not an id",
		{`# [[label]]`, "[[label]]\nid = \"would\"\nname = \"\"\nvalues = [\"yes\", \"no\"]\n#"}:             "label.0.name: it is empty",
		{`gate = "none"`, `gate = "passed"`}:                                                                 "practice.gate: \"passed\" is none of",
		{`repeats = 2`, `repeats = -1`}:                                                                      "practice.repeats: -1 is not from 0 to 20",
		{`# [[attention]]`, "[[attention]]\ntask = 0\ntext = \"Choose 2\"\nscore = 2\n#"}:                    "attention.0.task: 0 is not a task",
		{`# [[attention]]`, "[[attention]]\ntask = 1\ntext = \"Choose 6\"\nscore = 6\n#"}:                    "attention.0.score: 6 is not from 1 to 5",
		{`# [[attention]]`, "[[attention]]\ntask = 1\ntext = \"\"\nscore = 5\n#"}:                            "attention.0.text: it is empty",
		{`tasks = 0 `, `tasks = -1 `}:                                                                        "breaks.tasks: -1 is negative",
		{`seconds = 120`, `seconds = -1`}:                                                                    "breaks.seconds: -1 is not from 0",
		{`forced = false`, `forced = true`}:                                                                  "breaks.forced: say after how many",
		{`clock = ""`, `clock = "big"`}:                                                                      "session.clock: \"big\" is neither",
		{`resume_hours = 0 `, `resume_hours = -2 `}:                                                          "session.resume_hours: -2 is not from 0",
		{`late = "flag"`, `late = "forgive"`}:                                                                "session.late: \"forgive\" is neither",
		{`# [[survey]]`, "[[survey]]\nid = \"a\"\ntext = \"\"\n#"}:                                           "survey.0.text: it is empty",
		{`# [[survey]]`, "[[survey]]\nid = \"a\"\ntext = \"Q\"\nchoices = [\"one\"]\n#"}:                     "survey.0.choices: 1 choices do not fit",
		{`# [[survey]]`, "[[survey]]\nid = \"a\"\ntext = \"Q\"\n[[survey]]\nid = \"a\"\n#"}:                  "survey.1.id: two questions have the id \"a\"",
		{`# [[survey]]`, "[[survey]]\nid = \"a b\"\ntext = \"Q\"\n#"}:                                        "survey.0.id: \"a b\" is not an id",
		{`primary = "satisfied"`, `primary = "speed"`}:                                                       "analysis.primary: \"speed\" is none of satisfied, attempts, time, total, tests",
		{`family = "holm"`, `family = "none"`}:                                                               "analysis.family: \"none\" is neither",
		{`to_review = "resolved"`, `to_review = "maybe"`}:                                                    "analysis.to_review: \"maybe\" is not known: write resolved, failed or excluded",
		{`model = "testers"`, `model = "anova"`}:                                                             "analysis.model: \"anova\" is neither",
		{`# [consent]`, "[consent]\ntext = \"yes\"\n#"}:                                                      "consent.version: a consent needs both",
	} {
		text := strings.Replace(Example(), edit[0], edit[1], 1)
		if text == Example() {
			t.Fatalf("the example does not have %q", edit[0])
		}
		_, err := Parse("study.toml", text)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "study.toml:") {
			t.Errorf("%q: %v, want %s", edit[1], err, want)
		}
	}
}

// TestBalance checks the definitions of balance over a full cycle of testers, for any numbers of arms and
// sets.
func TestBalance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		arms := rapid.IntRange(1, 5).Draw(t, "arms")
		sets := arms * rapid.IntRange(1, 4).Draw(t, "sets for each arm")
		s := &Study{Tasks: Tasks{Sets: sets}, Arms: make([]Arm, arms), Design: Design{Arms: Within, Order: LatinSquare}}
		each := sets / arms
		cycle := len(square(arms)) * arms * len(square(each))
		armAt, setWith, setAt := map[[2]int]int{}, map[[2]int]int{}, map[[2]int]int{}
		for tester := 1; tester <= cycle; tester++ {
			parts := s.Assign(tester)
			var all []int
			for at, p := range parts {
				armAt[[2]int{p.Arm, at}]++
				for place, set := range p.Sets {
					setWith[[2]int{p.Arm, set}]++
					setAt[[2]int{set, place}]++
				}
				all = append(all, p.Sets...)
			}
			slices.Sort(all)
			for i, set := range all {
				if i != set || len(all) != sets {
					t.Fatalf("tester %d works on the sets %v", tester, all)
				}
			}
		}
		alike(t, "arms at each place", armAt, arms*arms)
		alike(t, "sets with each arm", setWith, arms*sets)
		alike(t, "sets at each place", setAt, sets*each)
	})
}

// TestBalanceCrossed: each tester works with all arms on all test sets, in one order; over a full cycle each arm has each place
// among a tester's sessions equally often, and directly follows each other arm equally often. One test set is enough.
func TestBalanceCrossed(t *testing.T) {
	for arms := 2; arms <= 5; arms++ {
		for sets := 1; sets <= 3; sets++ {
			s := &Study{Arms: make([]Arm, arms), Tasks: Tasks{Sets: sets}, Design: Design{Arms: Crossed, Order: LatinSquare, Testers: 2 * arms}}
			at, after := map[[2]int]int{}, map[[2]int]int{}
			for _, a := range s.Assignments("") {
				for i, part := range a.Sessions {
					at[[2]int{part.Arm, i}]++
					if i > 0 {
						after[[2]int{a.Sessions[i-1].Arm, part.Arm}]++
					}
					if len(part.Sets) != sets || !slices.Equal(part.Sets, a.Sessions[0].Sets) {
						t.Errorf("%d arms, %d sets: tester %d gets the sets %v, then %v", arms, sets, a.Tester, a.Sessions[0].Sets, part.Sets)
					}
				}
			}
			if len(at) != arms*arms || len(after) != arms*(arms-1) {
				t.Errorf("%d arms: %d places and %d successions", arms, len(at), len(after))
			}
			for _, counts := range []map[[2]int]int{at, after} {
				for key, n := range counts {
					if n != 2 {
						t.Errorf("%d arms: %v happens %d times, others twice", arms, key, n)
					}
				}
			}
		}
	}
}

func TestBalanceBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		arms, sets := rapid.IntRange(1, 5).Draw(t, "arms"), rapid.IntRange(1, 6).Draw(t, "sets")
		s := &Study{Tasks: Tasks{Sets: sets}, Arms: make([]Arm, arms), Design: Design{Arms: Between, Order: LatinSquare}}
		place := map[[3]int]int{}
		for tester := 1; tester <= arms*len(square(sets)); tester++ {
			parts := s.Assign(tester)
			if len(parts) != 1 {
				t.Fatalf("%d sessions", len(parts))
			}
			for at, set := range parts[0].Sets {
				place[[3]int{parts[0].Arm, set, at}]++
			}
		}
		alike(t, "sets of each arm at each place", place, arms*sets*sets)
	})
}

func alike[K comparable](t *rapid.T, what string, counts map[K]int, n int) {
	if len(counts) != n {
		t.Fatalf("%s: %d of %d", what, len(counts), n)
	}
	first := -1
	for key, c := range counts {
		if first < 0 {
			first = c
		}
		if c != first {
			t.Fatalf("%s: %v has %d, others %d", what, key, c, first)
		}
	}
}

// TestSquare: a Williams design is balanced for position and for the preceding arm.
func TestSquare(t *testing.T) {
	for n := 1; n <= 9; n++ {
		place, follows := map[[2]int]int{}, map[[2]int]int{}
		rows := square(n)
		for _, row := range rows {
			for i, v := range row {
				place[[2]int{v, i}]++
				if i > 0 {
					follows[[2]int{row[i-1], v}]++
				}
			}
		}
		if len(place) != n*n || len(follows) != n*(n-1) {
			t.Errorf("%d: %v", n, rows)
		}
		for key, c := range place {
			if c != len(rows)/n {
				t.Errorf("%d: place %v %d times", n, key, c)
			}
		}
		for key, c := range follows {
			if c != len(rows)*(n-1)/(n*(n-1)) {
				t.Errorf("%d: %v follow %d times", n, key, c)
			}
		}
	}
}

func TestJoinCodes(t *testing.T) {
	hash, other := disk.Sum([]byte("a")), disk.Sum([]byte("b"))
	seen := map[string]bool{}
	for n := 1; n <= 2000; n++ {
		code := Code(hash, n)
		if got, err := Join(hash, strings.ToLower(code)); err != nil || got != n || seen[code] {
			t.Fatalf("%s: %d, %v", code, got, err)
		}
		seen[code] = true
	}
	code := Code(hash, 7)
	if _, err := Join(other, code); err == nil || !strings.Contains(err.Error(), "another study") {
		t.Errorf("a code of another study: %v", err)
	}
	for i := range code {
		if code[i] == '-' {
			continue
		}
		wrong := code[:i] + string("0123456789"[(int(code[i])+3)%10]) + code[i+1:]
		if _, err := Join(hash, wrong); wrong != code && err == nil {
			t.Errorf("%s for %s is accepted", wrong, code)
		}
	}
	for _, wrong := range []string{"", "x", "0000-0000-00", strings.Repeat("A", 300), "日本語"} {
		if _, err := Join(hash, wrong); err == nil {
			t.Errorf("%q is accepted", wrong)
		}
	}
}

func someBenchmark() *benchmark.Benchmark {
	b := &benchmark.Benchmark{Name: "b"}
	for i := range 12 {
		b.Tasks = append(b.Tasks, benchmark.Task{ID: fmt.Sprintf("t%d", i), Language: "python", Difficulty: benchmark.Difficulties[i%3]})
	}
	return b
}

func someModel(name string) (session.Model, error) {
	return session.Model{Name: name, Provider: "openai", Model: name + "-1"}, nil
}

// TestFrozen: a change to a frozen study is detected in its file and its tasks, and can be frozen only with a higher
// version, which leaves the version before as it was frozen. Comments and layout are no change.
func TestFrozen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.toml")
	put := func(text string) *Study {
		t.Helper()
		fatal.If(t, os.WriteFile(path, []byte(text), 0o644))
		s, err := Load(path)
		fatal.If(t, err)
		return s
	}
	s, b := put(Example()), someBenchmark()
	if _, err := s.Frozen(b, someModel); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before it is frozen: %v", err)
	}
	l, _, err := s.Freeze(b, someModel)
	fatal.If(t, err)
	if got, err := s.Frozen(b, someModel); err != nil || got.Hash != l.Hash || len(got.Tasks) != 6 {
		t.Errorf("%+v, %v", got, err)
	}
	for name, text := range map[string]string{
		"as it was":    Example(),
		"a comment":    strings.Replace(Example(), "k = 10 ", "k = 10 # as in the paper\n#", 1),
		"for Windows":  "\ufeff" + strings.ReplaceAll(Example(), "\n", "\r\n"),
		"other spaces": strings.Replace(Example(), "k = 10 ", "k\t=   10 ", 1),
	} {
		same := put(text)
		if got, kept, err := same.Freeze(b, someModel); err != nil || got.Hash != l.Hash || kept != nil {
			t.Errorf("%s: %v, %v", name, kept, err)
		}
		got, err := same.Frozen(b, someModel)
		fatal.If(t, err)
		file, _, err := same.Publish(got, false)
		if err != nil || string(file) != Example() || !got.Intact() {
			t.Errorf("%s: the file that was frozen is not published (%v)", name, err)
		}
	}
	changed := put(strings.Replace(Example(), "k = 10 ", "k = 11 ", 1))
	if _, err := changed.Frozen(b, someModel); !errors.Is(err, errChanged) || !strings.Contains(err.Error(), "session.k is 11, was 10") || !strings.Contains(err.Error(), "write version = 2") {
		t.Errorf("a changed file: %v", err)
	}
	if _, _, err := changed.Freeze(b, someModel); !errors.Is(err, errChanged) {
		t.Errorf("a change is frozen under the same version (%v)", err)
	}
	s = put(Example())
	other := someBenchmark()
	for i := range other.Tasks {
		other.Tasks[i].Title = "new"
	}
	if _, err := s.Frozen(other, someModel); !errors.Is(err, errChanged) || !strings.Contains(err.Error(), "task t") {
		t.Errorf("a changed task: %v", err)
	}
	newer := func(name string) (session.Model, error) {
		return session.Model{Name: name, Provider: "openai", Model: name + "-2"}, nil
	}
	if _, err := s.Frozen(b, newer); !errors.Is(err, errChanged) || !strings.Contains(err.Error(), "model rehearsal of arm first") {
		t.Errorf("a changed model: %v", err)
	}
	next := put(strings.Replace(Example(), "version = 1 ", "version = 2 ", 1))
	if _, err := next.Frozen(b, someModel); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "version 2 is not yet") {
		t.Errorf("before version 2 is frozen: %v", err)
	}
	second, kept, err := next.Freeze(b, someModel)
	if err != nil || second.Hash == l.Hash || len(kept) != 2 {
		t.Fatalf("a higher version is not frozen (%v, %v)", kept, err)
	}
	first, err := Load(kept[0])
	fatal.If(t, err)
	if got, err := first.Frozen(b, someModel); err != nil || got.Hash != l.Hash {
		t.Errorf("version 1 cannot be used: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Example())
	f.Add("name = 'x'\n[[arm]]\n[[arm]]\n")
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := Parse("study.toml", text); err == nil {
			for tester := 1; tester < 5; tester++ {
				if len(s.Arms) < 50 && s.Tasks.Sets < 50 {
					s.Assign(tester)
				}
			}
		}
	})
}

// TestMistypedFiles: whatever is mistyped in a study file, its error names the line, in words that are not the decoder's.
func TestMistypedFiles(t *testing.T) {
	place, decoder := regexp.MustCompile(`^s\.toml:[1-9]\d*: .`), regexp.MustCompile(`U\+[0-9A-F]{4}|expected|invalid|toml: `)
	refused := 0
	for seed := range uint64(10_000) {
		random := rand.New(rand.NewPCG(seed, 1))
		text := []rune(Example())
		for range 1 + random.IntN(2) {
			at := random.IntN(len(text) + 1)
			typed := []rune("[],=\"'{}.#\n0-_ a\x00\\é")
			switch random.IntN(4) {
			case 0:
				text = slices.Delete(text, at, min(len(text), at+1))
			case 1:
				text = slices.Insert(text, at, typed[random.IntN(len(typed))])
			case 2:
				text = slices.Delete(text, at, min(len(text), at+random.IntN(40)))
			case 3:
				text = text[:at]
			}
		}
		_, err := Parse("s.toml", string(text))
		if err == nil {
			continue
		}
		refused++
		said, _, _ := strings.Cut(err.Error(), "\"")
		if !place.MatchString(said) || decoder.MatchString(said) {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if refused < 1000 {
		t.Errorf("%d files were refused", refused)
	}
}

// TestRulesNeedTheirTasks: a study cannot require tasks that the benchmark lacks.
func TestRulesNeedTheirTasks(t *testing.T) {
	b := &benchmark.Benchmark{Name: "small"}
	for i := range 4 {
		b.Tasks = append(b.Tasks, benchmark.Task{ID: fmt.Sprint("t", i), Title: "T"})
	}
	for edit, want := range map[[2]string]string{
		{`gate = "none"`, `gate = "accepted"`}:                                            `practice.gate: benchmark "small" has no practice tasks`,
		{`# [[attention]]`, "[[attention]]\ntask = 3\ntext = \"Choose 2\"\nscore = 2\n#"}: "attention.0.task: 3: a session has 2 tasks",
		{`filter = ""`, `filter = "type:none"`}:                                           "tasks.filter: no task of benchmark",
		{`per_set = 3`, `per_set = 9`}:                                                    "tasks.per_set: ",
	} {
		text := strings.NewReplacer(`stratify = ["difficulty"]`, "").Replace(strings.Replace(Example(), edit[0], edit[1], 1))
		if edit[0] != "per_set = 3" {
			text = strings.Replace(text, "per_set = 3", "per_set = 2", 1)
		}
		s, err := Parse("study.toml", text)
		fatal.If(t, err)
		if _, _, err = s.Sets(b); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "study.toml:") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
