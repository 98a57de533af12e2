package generate

import (
	"fmt"
	"slices"
	"strings"

	"assay/session/llm"
)

// Warnings lists what limits the meaning of a plan's results: too few samples for a k, an unsuitable
// temperature, or limits that truncate answers. The rule of thumb is n = 1 at temperature 0 for pass@1, 20
// to 50 at 0.8 for pass@10 and 200 at 0.8 for pass@100, as Chen et al. (2021) did.
func Warnings(p Plan, ks []int) []string {
	models, n := p.Models, p.N
	all := append(longPrompts(p), p.sameNotes()...)
	most := slices.Max(append([]int{1}, ks...))
	switch {
	case most > n:
		all = append(all, fmt.Sprintf("pass@%d needs at least %d samples of each task, and there will be %d", most, most, n))
	case most > 1 && n < 2*most:
		all = append(all, fmt.Sprintf("%d samples are few for pass@%d: with less than twice as many samples as k its estimate hardly says more than whether any sample passes", n, most))
	}
	for _, group := range []struct {
		says string
		is   func(llm.Model) bool
	}{
		{fmt.Sprintf("temperature 0 for pass@%d: the samples will be nearly the same, and pass@%d nearly pass@1; 0.8 is usual", most, most),
			func(m llm.Model) bool { return most > 1 && sendsTemperature(m) && *m.Temperature == 0 }},
		{"temperature 0 and several samples: they will be nearly the same, and cost as much as different ones",
			func(m llm.Model) bool { return most == 1 && n > 1 && sendsTemperature(m) && *m.Temperature == 0 }},
		{fmt.Sprintf("a low temperature for pass@%d: 0.8 is usual, where samples differ more", most),
			func(m llm.Model) bool {
				return most >= 10 && sendsTemperature(m) && *m.Temperature > 0 && *m.Temperature < 0.5
			}},
		{"a high temperature for pass@1 of one sample: another run may give other numbers; 0 to 0.2 is usual",
			func(m llm.Model) bool { return most == 1 && n == 1 && sendsTemperature(m) && *m.Temperature >= 0.6 }},
		{"no temperature is sent: the server's own holds, which is recorded nowhere",
			func(m llm.Model) bool { return m.OverHTTP() && !sendsTemperature(m) }},
		{"a repeated answer is all that n samples can be: the provider rehearsal plays one recording",
			func(m llm.Model) bool { return m.Provider == llm.ProviderRehearsal && n > 1 }},
	} {
		var names []string
		for _, m := range models {
			if group.is(m) {
				names = append(names, m.Name)
			}
		}
		if len(names) > 0 {
			all = append(all, strings.Join(names, ", ")+": "+group.says)
		}
	}
	return all
}

// longPrompts warns of prompts that exceed the context of a model.
func longPrompts(p Plan) []string {
	var all []string
	for _, m := range p.Models {
		holds := m.Holds(p.Holds[m.Name])
		if holds == 0 {
			continue
		}
		long := 0
		for i := range p.Benchmark.Tasks {
			if slices.ContainsFunc(p.Prompts(&p.Benchmark.Tasks[i]), func(w Prompt) bool { return llm.GuessTokens(len(w.Text)) > holds }) {
				long++
			}
		}
		if long > 0 {
			all = append(all, fmt.Sprintf("%s: the prompts of %d of %d tasks exceed its context of %d tokens: some servers cut them without a word", m.Name, long, len(p.Benchmark.Tasks), holds))
		}
	}
	return all
}

// sendsTemperature reports whether a temperature is set and not dropped.
func sendsTemperature(m llm.Model) bool {
	return m.Temperature != nil && !slices.Contains(m.Drop, "temperature")
}
