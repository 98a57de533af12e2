package study

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/data/disk"
	"assay/scoring/irt/adaptive"
	"assay/session"
)

// Adaptive are the settings of the order "adaptive".
type Adaptive struct {
	Items        string             `toml:"items"`    // the file of items, beside the study file
	Response     string             `toml:"response"` // what counts as a right response, a session.Solved
	Least        int                `toml:"least"`
	Most         int                `toml:"most"`
	SE           float64            `toml:"se"`
	Among        int                `toml:"among"`
	Exposure     float64            `toml:"exposure"`
	Types        map[string]float64 `toml:"types"`        // wanted shares of tasks by type
	Difficulties map[string]float64 `toml:"difficulties"` // and by difficulty
	Balance      string             `toml:"balance"`      // without wanted shares: the field whose shares are those of the test set
}

// balances are the fields that tests can be balanced by, "" for none.
var balances = []string{"category", "type", "difficulty", ""}

func defaultAdaptive() Adaptive {
	r := adaptive.DefaultRules()
	return Adaptive{Response: string(session.SolvedWithinK), Least: r.Least, Most: r.Most, SE: r.SE, Among: r.Among, Exposure: r.Exposure, Balance: balances[0]}
}

// checkAdaptive checks the settings of the order "adaptive".
func (s *Study) checkAdaptive() error {
	a := s.Adaptive
	if s.Design.Order != ByAbility {
		if s.file.Has("adaptive") {
			return s.file.Wrong("adaptive",
				"tasks are not chosen by ability: write order = %q under [design], or remove [adaptive]", ByAbility)
		}
		return nil
	}
	switch {
	case a.Items == "":
		return s.file.Wrong("adaptive.items",
			"name the file of items that tasks are chosen by; `assay difficulty items RESULTS --out items.json` writes one")
	case !slices.Contains(session.Responses(), session.Solved(a.Response)):
		return s.file.Wrong("adaptive.response", "%q is none of %s, %s, %s",
			a.Response, session.SolvedWithinK, session.SolvedFirst, session.SolvedToUser)
	case a.Least < 0:
		return s.file.Wrong("adaptive.least", "%d is negative", a.Least)
	case a.Most < 1:
		return s.file.Wrong("adaptive.most", "%d: at least one task is asked; testers read how many there are at most", a.Most)
	case a.Least > a.Most:
		return s.file.Wrong("adaptive.least", "%d is more than the most, %d", a.Least, a.Most)
	case !(a.SE >= 0 && a.SE <= 2):
		return s.file.Wrong("adaptive.se", "%v is not a standard error from 0, for tests of the most tasks, to 2", a.SE)
	case a.Among < 1:
		return s.file.Wrong("adaptive.among", "%d: the next task is drawn among at least 1", a.Among)
	case !(a.Exposure > 0 && a.Exposure <= 1) && s.file.Has("adaptive.exposure"):
		return s.file.Wrong("adaptive.exposure", "%v is not a share above 0, at most 1", a.Exposure)
	case !slices.Contains(balances, a.Balance):
		return s.file.Wrong("adaptive.balance", "%q is none of category, type, difficulty, or \"\" for none", a.Balance)
	}
	for key, shares := range map[string]map[string]float64{"types": a.Types, "difficulties": a.Difficulties} {
		sum := 0.0
		for _, name := range slices.Sorted(maps.Keys(shares)) {
			if v := shares[name]; !(v >= 0 && v <= 1) {
				return s.file.Wrong("adaptive."+key+"."+name, "%v is not a share from 0 to 1", v)
			}
			sum += shares[name]
		}
		if len(shares) > 0 && math.Abs(sum-1) > 0.001 {
			return s.file.Wrong("adaptive."+key, "the shares add up to %g, not to 1", sum)
		}
	}
	return nil
}

// rules returns the rules of the study's adaptive tests of some tasks.
func (a Adaptive) rules(tasks []session.PlanTask) adaptive.Rules {
	r := adaptive.Rules{Least: a.Least, Most: a.Most, SE: a.SE, Among: a.Among, Exposure: a.Exposure}
	for _, p := range []struct {
		name   string
		shares map[string]float64
	}{{"type:", a.Types}, {"difficulty:", a.Difficulties}} {
		for _, v := range slices.Sorted(maps.Keys(p.shares)) {
			r.Shares = append(r.Shares, adaptive.Share{Group: p.name + v, Share: p.shares[v]})
		}
	}
	var groups []string
	counted := 0
	for _, t := range tasks {
		if t.Practice {
			continue
		}
		counted++
		for _, g := range t.Groups() {
			if a.Balance != "" && strings.HasPrefix(g, a.Balance+":") {
				groups = append(groups, g)
			}
		}
	}
	if r.Shares == nil {
		r.Shares = adaptive.Proportional(groups)
	}
	return r.Bounded(counted)
}

// items returns the items of the tasks in the sets, by id; nil if the order is another. Those of a packed study
// are in its lock.
func (s *Study) items(sets [][]*benchmark.Task) (map[string]adaptive.Item, error) {
	if s.Design.Order != ByAbility {
		return nil, nil
	}
	f, err := s.itemFile()
	if err != nil {
		return nil, err
	}
	all := map[string]adaptive.Item{}
	for _, set := range sets {
		var ids []string
		for _, t := range set {
			ids = append(ids, t.ID)
		}
		items, missing := f.Of(ids)
		if len(missing) > 0 {
			return nil, s.file.Wrong("adaptive.items",
				"%s has no item for %s: calibrate it with results over these tasks, or filter them out",
				s.Adaptive.Items, someOf(missing))
		}
		for _, item := range items {
			all[item.ID] = item
		}
	}
	return all, s.checkShares(sets)
}

// checkShares checks that each test has tasks of all groups that shares are wanted of.
func (s *Study) checkShares(sets [][]*benchmark.Task) error {
	for key, shares := range map[string]map[string]float64{"types": s.Adaptive.Types, "difficulties": s.Adaptive.Difficulties} {
		for _, name := range slices.Sorted(maps.Keys(shares)) {
			for i, set := range sets {
				if shares[name] > 0 && !slices.ContainsFunc(set, func(t *benchmark.Task) bool {
					return key == "types" && t.Type == name || key == "difficulties" && string(t.Difficulty) == name
				}) {
					return s.file.Wrong("adaptive."+key+"."+name, "test set T%d has no such task", i)
				}
			}
		}
	}
	return nil
}

func someOf(ids []string) string {
	const few = 3
	if len(ids) <= few {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:few], ", "), len(ids)-few)
}

// itemFile reads the file of items.
func (s *Study) itemFile() (*adaptive.File, error) {
	if s.packed != nil {
		f := &adaptive.File{Name: s.packed.Lock.Items}
		for _, t := range s.packed.Lock.Tasks {
			if t.Item.ID != "" {
				f.Items = append(f.Items, t.Item)
			}
		}
		return f, nil
	}
	path := filepath.FromSlash(s.Adaptive.Items)
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(s.Path()), path)
	}
	text, err := disk.ReadFile(path, disk.Table)
	if err != nil {
		return nil, s.file.Wrong("adaptive.items", "the file of items cannot be read: %v", err)
	}
	f, err := adaptive.Parse(path, text)
	if err != nil {
		return nil, s.file.Wrong("adaptive.items", "%v", err)
	}
	return f, nil
}

// adapt makes a plan that of an adaptive test.
func (s *Study) adapt(plan *session.Plan, tasks []*benchmark.Task, tester, part int) error {
	items, err := s.items([][]*benchmark.Task{slices.DeleteFunc(slices.Clone(tasks), func(t *benchmark.Task) bool { return t.Practice })})
	if err != nil {
		return err
	}
	f, err := s.itemFile()
	if err != nil {
		return err
	}
	for i := range plan.Tasks {
		if item, has := items[plan.Tasks[i].ID]; has && !plan.Tasks[i].Practice {
			plan.Tasks[i].Item = &item
		}
	}
	plan.Adaptive = &session.Adaptive{
		Rules: s.Adaptive.rules(plan.Tasks), Solved: session.Solved(s.Adaptive.Response), Items: f.Name, Checks: s.checks(),
		Seed: session.AdaptiveSeed(s.Design.Seed, tester, part),
	}
	return nil
}
