package bundle

import (
	"bytes"
	"fmt"
	"strings"
)

// readme returns a bundle's page for a reviewer who has never seen one. It depends only on the manifest.
func readme(m Manifest) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# A bundle of assay

This is everything that a study of a code-generating model left: what the testers
did, what the model answered, how each answer was judged, and the report. To check it:

    assay session verify FILE

where FILE is this bundle as you received it, not unpacked. That checks that nothing
is altered or missing, runs every stored answer against its tests again, in a sandbox,
lists the verdicts that differ, and makes the report anew to compare it byte for byte.
Add --no-run where no code may run.

It was written by assay %s. Another version may lay the report out differently: if
the report alone differs, verify with that version.
`, m.Assay)
	if len(m.Interpreters)+len(m.Libraries) > 0 {
		fmt.Fprintf(&b, "\nThe answers were run with:\n\n")
		for _, name := range append(m.Interpreters[:len(m.Interpreters):len(m.Interpreters)], m.Libraries...) {
			fmt.Fprintf(&b, "- %s\n", plain(name))
		}
	}
	fmt.Fprintf(&b, `
## What is in it

| file | what it is |
|---|---|
| manifest.json | versions, settings and seeds; name, size and SHA-256 of every other file |
| sessions/ID.jsonl | everything that happened in a session, one event a line, each sealed onto the one before by SHA-256 |
| texts/SHA256 | the texts that events name by their SHA-256: tasks with their tests, prompts, answers, code, results of the test cases, files that programs left |
| report/ | the report as a page (report.html) and as text (report.md), its numbers (report.json), a paper and its tables for LaTeX, figures, and the data in CSV with their codebook |

In a log, `+"`session_opened`"+` has the plan, whose tasks name their text under `+"`content`"+`;
`+"`prompt_sent`"+` names the prompt, `+"`answer_received`"+` the answer, `+"`code_extracted`"+` the code
taken from it, and `+"`verdict_recorded`"+` the verdict with the results of the test cases.

## Sessions

`)
	for _, s := range m.Sessions {
		fmt.Fprintf(&b, "- %s: %d tasks of %s, model %s (%s), k = %d, seed %d, %d events\n",
			s.ID, s.Tasks, plain(s.Benchmark), plain(s.Model), plain(s.Provider), s.K, s.Seed, s.Events)
	}
	if s := m.Study; s != nil {
		fmt.Fprintf(&b, "\n## The study\n\n%s, version %d, frozen as %s. study/study.toml is its file with the analysis plan, study/study.lock.json\nits lock: tasks and models by their hashes.\n", plain(s.Name), s.Version, s.Hash)
		if s.Blind {
			b.WriteString("The study is blind: neither these files nor the logs name its models, whose settings the lock\nidentifies by hashes (`definition`).\n")
		} else {
			b.WriteString("In the logs of a blind study a model has the hash of its settings (`definition`); the lock names it.\nstudy/unblinded.json says when, why and how far the study was when that was revealed.\n")
		}
		if s.Ratings {
			b.WriteString("study/ratings.jsonl has what people who did not write the prompts gave to the same answers.\n")
		}
	}
	fmt.Fprintf(&b, "\nThe last event is of %s.\n", m.Date)
	return b.Bytes()
}

// plain cleans a name from a log for use in one line of text.
func plain(name string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, name)), " ")
}
