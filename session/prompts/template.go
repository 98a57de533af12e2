package prompts

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"text/template"

	"assay/benchmark"
)

// TemplateNames returns the files that a folder of templates must contain: one for each context level, and one
// for rephrasing.
func TemplateNames() []string {
	return []string{"level-1.tmpl", "level-2.tmpl", "level-3.tmpl", "rephrase.tmpl"}
}

// Fields are the fields of a template, such as {{.Statement}}.
type Fields struct {
	Language   string
	EntryPoint string   // name of the function or class; empty for a whole program
	Signature  string   // its interface, as the task declares it
	Statement  string   // the task's statement without examples
	Reference  string   // its reference solution
	Before     string   // levels 2 and 3: the prompt of the previous level
	Text       string   // rephrase: the prompt to rephrase
	Others     []string // existing wordings
	Avoid      []string // names that must not be used: those that the previous answer used

	// Of requests for harder tasks, see session/harden.
	Change string   // what is to be changed
	Calls  []string // calls of the solution, with what they return

	// Of requests to judges, see session/overlap/modeljudge.
	Rubric  string   // what raters are asked, in their words
	Answers []string // one answer, or two, each between tags and with what raters see of the tests
	Form    string   // the JSON to fill in
}

// FieldNames lists the fields with descriptions, for people who edit templates.
func FieldNames() [][2]string {
	return [][2]string{
		{"Language", "the task's language"}, {"EntryPoint", "the function or class to write; empty for a whole program"},
		{"Signature", "its interface"}, {"Statement", "the task without examples"}, {"Reference", "the reference solution (levels 2 and 3)"},
		{"Before", "the prompt of the level before (levels 2 and 3)"}, {"Text", "the prompt to be said in other words (rephrase)"},
		{"Others", "wordings that there are already, a list"}, {"Avoid", "names that the answer before used and must not, a list"},
		{"Change", "what a harder solution is to change (harden-change)"}, {"Calls", "calls of a new solution with their results, a list (harden-statement)"},
		{"Rubric", "what raters are asked, in their words (judge)"}, {"Answers", "the answer, or the two answers, between tags, a list (judge)"},
		{"Form", "the JSON in which the model answers (judge)"},
	}
}

// Templates are the templates of requests to a prompt model.
type Templates struct {
	hash  string
	texts map[string]*template.Template
}

// LoadTemplates reads templates of a folder and tries each, so that unknown fields are found before any
// request.
func LoadTemplates(folder fs.FS, name string, files []string) (*Templates, error) {
	t := &Templates{texts: map[string]*template.Template{}}
	sum := sha256.New()
	for _, file := range files {
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			return nil, fmt.Errorf("the templates in %s: %w; a folder of templates has %s, and 'assay prompts templates DIR' writes them",
				name, err, strings.Join(files, ", "))
		}
		parsed, err := template.New(file).Option("missingkey=error").Parse(string(text))
		if err == nil {
			err = parsed.Execute(io.Discard, Fields{Others: []string{""}, Avoid: []string{""}, Calls: []string{""}, Answers: []string{"", ""}, EntryPoint: "f", Signature: "f()"})
		}
		if err != nil {
			return nil, fmt.Errorf("the templates in %s: %w", name, err)
		}
		t.texts[file] = parsed
		fmt.Fprintf(sum, "%s %d\n%s", file, len(text), text)
	}
	t.hash = hex.EncodeToString(sum.Sum(nil)[:8])
	return t, nil
}

// Hash identifies the templates; a file of prompts records it.
func (t *Templates) Hash() string { return t.hash }

// Render returns the request of a template.
func (t *Templates) Render(file string, f Fields) (string, error) {
	var b strings.Builder
	if err := t.texts[file].Execute(&b, f); err != nil {
		return "", fmt.Errorf("the template %s: %w", file, err)
	}
	return strings.TrimSpace(b.String()) + "\n", nil
}

// FieldsOf returns the fields that follow from the task.
func FieldsOf(t *benchmark.Task) Fields {
	return Fields{Language: t.Language, EntryPoint: t.EntryPoint, Signature: t.SignatureText(), Statement: Original(t), Reference: strings.TrimSpace(t.Reference)}
}
