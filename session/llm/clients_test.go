package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session/llm/llmtest"
)

// outcome is what a client makes of the bytes of a quirk.
type outcome struct {
	Text     string `json:"text"`
	Thinking string `json:"thinking"`
	Finish   string `json:"finish"`
	In       any    `json:"in"`
	Out      any    `json:"out"`
	Error    string `json:"error"`
	Asked    int    `json:"asked"` // requests
}

// TestOtherClients writes testdata/clients.md: what openai's and Anthropic's own clients, in $ASSAY_CLIENTS/node_modules, make of
// the bytes of TestQuirks, next to what assay does, with the reason of each difference.
func TestOtherClients(t *testing.T) {
	dir := os.Getenv("ASSAY_CLIENTS")
	if dir == "" {
		t.Skip("ASSAY_CLIENTS names no directory: npm install openai @anthropic-ai/sdk makes one")
	}
	var quirks []llmtest.Quirk
	var rows bytes.Buffer
	for _, q := range llmtest.Quirks() {
		if q.Provider == ProviderOllama || q.Provider == ProviderGemini {
			continue // they have no client here
		}
		quirks = append(quirks, q)
		row, err := json.Marshal(q)
		fatal.If(t, err)
		rows.Write(append(row, '\n'))
	}
	run := exec.Command("node", "testdata/clients.mjs", dir)
	run.Stdin, run.Stderr = &rows, os.Stderr
	out, err := run.Output()
	fatal.If(t, err)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(quirks) {
		t.Fatalf("%d outcomes of %d rows", len(lines), len(quirks))
	}
	count := map[string]int{}
	var table strings.Builder
	for i, q := range quirks {
		var theirs outcome
		fatal.If(t, json.Unmarshal([]byte(lines[i]), &theirs))
		ours := outcomeOf(q)
		why := difference(ours, theirs, q)
		if why == "" {
			t.Errorf("%s: assay %+v, theirs %+v: the difference is not explained", q.Name, ours, theirs)
		}
		count[why]++
		fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", cell(q.Name), cell(ours.String()), cell(theirs.String()), why)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# The same bytes by other clients\n\n`ASSAY_CLIENTS=DIRECTORY go test ./session/llm -run OtherClients` writes this page. The rows are those of `session/llm/llmtest`.\n\nClients: %s. %d rows, of %d. The others are of Ollama and Gemini. All of them are also run through a batch (`session/generate`) and a session (`session/engine`):\n\n", versions(t, dir), len(quirks), len(llmtest.Quirks()))
	for _, why := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(&text, "- %s: %d\n", why, count[why])
	}
	text.WriteString("\n| row | assay | the provider's client | |\n|---|---|---|---|\n" + table.String())
	fatal.If(t, os.WriteFile("testdata/clients.md", []byte(text.String()), 0o644))
}

// TestClientsPage: the page has every row that it is about, with what assay makes of it now.
func TestClientsPage(t *testing.T) {
	page := string(fatal.Read(t, "testdata/clients.md"))
	rows := 0
	for _, q := range llmtest.Quirks() {
		if q.Provider == ProviderOllama || q.Provider == ProviderGemini {
			continue
		}
		if rows++; !strings.Contains(page, fmt.Sprintf("\n| %s | %s | ", cell(q.Name), cell(outcomeOf(q).String()))) {
			t.Errorf("the page does not have %s as it is", q.Name)
		}
	}
	if said := fmt.Sprintf(" %d rows, of %d.", rows, len(llmtest.Quirks())); !strings.Contains(page, said) {
		t.Errorf("the page does not say %q", said)
	}
}

// versions names the clients.
func versions(t *testing.T, dir string) string {
	t.Helper()
	var list []string
	for _, name := range []string{"openai", "@anthropic-ai/sdk"} {
		var of struct{ Version string }
		fatal.If(t, json.Unmarshal(fatal.Read(t, dir+"/node_modules/"+name+"/package.json"), &of))
		list = append(list, name+" "+of.Version)
	}
	return strings.Join(list, ", ")
}

// outcomeOf is what assay makes of a quirk: TestQuirks holds it to that.
func outcomeOf(q llmtest.Quirk) outcome {
	asked := len(q.Before) + 1
	if q.Again {
		asked = 1 + maxRetries
	}
	if q.Class != "" {
		return outcome{Error: q.Class, Asked: asked}
	}
	return outcome{q.Text, q.Thinking, q.Finish, float64(q.In), float64(q.Out), "", asked}
}

// difference says why two outcomes differ; "" if it is not known.
func difference(ours, theirs outcome, q llmtest.Quirk) string {
	none := func(o outcome) bool { return o.Finish == "" || o.Finish == "none" }
	number := func(v any) any {
		if v == nil {
			return 0.0
		}
		return v
	}
	switch {
	case ours.Error != "" && theirs.Error != "" && ours.Asked > 1 && theirs.Asked == 1:
		return "both fail: assay asks again where a server is not ready"
	case ours.Error != "" && theirs.Error != "" && ours.Asked == 1 && theirs.Asked > 1:
		return "both fail: theirs asks again where that cannot help"
	case ours.Error != "" && theirs.Error != "":
		return "both fail"
	case ours.Error == string(CutOff):
		return "the stream was cut: theirs takes what had come for an answer"
	case ours.Error == string(Server) || ours.Error == string(RateLimited):
		return "the server failed: theirs takes what had come for an answer"
	case ours.Error == string(NotAModel):
		return "nothing of a model: theirs returns an answer, without text"
	case ours.Error != "":
		return "an error sent as an answer, which theirs takes for one"
	case theirs.Error != "" && len(q.Before) > 0:
		return "an answer at a later try, which theirs does not make"
	case theirs.Error != "":
		return "a whole answer, which theirs refuses"
	case theirs.Text != ours.Text && (theirs.Text == "" || strings.Contains(theirs.Text, "[object")):
		return "a whole answer, sent in another form than theirs reads"
	case theirs.Text != ours.Text:
		return ""
	case ours.Thinking != theirs.Thinking:
		return "thinking: theirs leaves it to the caller"
	case !(none(ours) && none(theirs)) && !strings.EqualFold(ours.Finish, theirs.Finish):
		return "alike, but the reason: assay gives those of all providers one name"
	case number(ours.In) != number(theirs.In) || number(ours.Out) != number(theirs.Out):
		return "alike, but the counts: theirs passes on what is no number, or adds nothing up"
	}
	return "alike"
}

func (o outcome) String() string {
	times := ""
	if o.Asked > 1 {
		times = fmt.Sprintf(", asked %d times", o.Asked)
	}
	if o.Error != "" {
		return "error: " + o.Error + times
	}
	text := fmt.Sprintf("%q, ends with %q", o.Text, o.Finish)
	if o.In != nil || o.Out != nil {
		text += fmt.Sprintf(", tokens %v and %v", o.In, o.Out)
	}
	return text + times
}

// cell makes a text one of a table's cells.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(text[:min(len(text), 120)])
}
