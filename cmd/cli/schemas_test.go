package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/data/fatal"
	"assay/data/schematest"
	"assay/scoring"
	"assay/scoring/stats"
	"assay/session/report"
)

// TestSchemas: the schemas of what --json prints are of the types and their comments.
func TestSchemas(t *testing.T) {
	g := schematest.New(t, map[reflect.Type]schematest.Object{
		reflect.TypeFor[report.Number]():  {{Name: "type", Value: []string{"number", "null"}}},
		reflect.TypeFor[scoring.Rating](): {{Name: "enum", Value: []any{"A", "B", "C", "D", "E", nil}}},
		reflect.TypeFor[*stats.Interval](): {{Name: "type", Value: []string{"object", "null"}}, {Name: "required", Value: []string{"low", "high"}},
			{Name: "properties", Value: map[string]any{"low": map[string]any{"type": "number"}, "high": map[string]any{"type": "number"}}}},
	})
	written, err := filepath.Glob("schemas/*.json")
	fatal.If(t, err)
	left := map[string]bool{} // of verbs that are gone
	for _, file := range written {
		left[file] = true
	}
	eachVerb(t, func(name string, cmd *cobra.Command) {
		f := cmd.Flags().Lookup("json")
		if f == nil {
			return
		}
		file := filepath.Join("schemas", strings.ReplaceAll(name, " ", "-")+".json")
		delete(left, file)
		got := g.Schema(fmt.Sprintf("urn:assay:%s:%d", strings.ReplaceAll(name, " ", "-"), schemaVersion), "assay "+name+" --json", console.JSONTypes(f)...)
		want, err := os.ReadFile(file)
		if *update && !t.Failed() {
			if err == nil && bytes.Contains(want, fmt.Appendf(nil, ":%d\"", schemaVersion)) {
				for _, what := range schematest.Breaks(t, want, got) {
					t.Errorf("%s: %s: raise schemaVersion, since scripts that read it could fail", file, what)
				}
			}
			if !t.Failed() {
				fatal.If(t, os.WriteFile(file, got, 0o644))
				want, err = got, nil
			}
		}
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is stale (%v); run the test with -update and look at the difference", file, err)
		}
	})
	for file := range left {
		t.Errorf("%s is of no verb: remove it", file)
	}
}

// jsonLines are command lines that print other documents than those of commandLines.
var jsonLines = []string{
	"measure --rules",
	"prompts show tasks.json --kind original",
	"report last",
	"report first=results second=other --tasks tasks.json",
	"run generate --tasks tasks.json --model rehearsal --out run",
	"run tester --tasks tasks.json --model rehearsal --k 1",
	"session export last --bundle packed.assay",
	"session import --tasks t.csv --attempts a.csv --ratings r.csv --again",
	"session verify last",
	"tasks list",
}

// TestJSONIsOfTheSchemas: what verbs print satisfies their schemas. TestScripts checks that, too.
func TestJSONIsOfTheSchemas(t *testing.T) {
	tr := newTree(t)
	lines := slices.Clone(jsonLines)
	eachVerb(t, func(name string, cmd *cobra.Command) {
		if cmd.Flags().Lookup("json") != nil {
			lines = append(lines, strings.Join(words(name), " "))
		}
	})
	printed := map[string]bool{"rate report": true, "rate status": true, "run code": true, "tasks from-git": true} // by other tests
	for _, line := range lines {
		tr.renew()
		args := append(strings.Fields(line), "--json")
		said, _ := tr.run(args)
		verb, err := checkJSON(t, args, tr.out)
		if err != nil {
			t.Errorf("assay %s: %v\n%s", line, err, said)
		}
		printed[verb] = printed[verb] || tr.out != ""
	}
	for verb, once := range printed {
		if !once {
			t.Errorf("no line prints JSON of assay %s", verb)
		}
	}
}

// checkJSON checks the documents that a command line with --json printed, and returns its verb.
func checkJSON(t testing.TB, args []string, out string) (verb string, err error) {
	root := newRoot(console.System())
	cmd, _, err := root.Find(currentName(root, args, io.Discard))
	if err != nil {
		return "", err
	}
	verb = verbOf(cmd)
	schema, err := schemaFiles.ReadFile("schemas/" + strings.ReplaceAll(verb, " ", "-") + ".json")
	if err != nil {
		return verb, err
	}
	documents := json.NewDecoder(strings.NewReader(out))
	for {
		var document json.RawMessage
		switch err := documents.Decode(&document); {
		case errors.Is(err, io.EOF):
			return verb, nil
		case err != nil:
			return verb, err
		}
		if err := schematest.Validate(t, schema, string(document)); err != nil {
			return verb, err
		}
	}
}
