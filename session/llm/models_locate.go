package llm

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// locateProblem finds the line of the problem in a models file that does not decode. The decoder knows one
// position for each key, whichever model it belongs to, and none for unknown keys; so each [[model]] is
// decoded separately.
func locateProblem(path, text string) error {
	lines := strings.Split(text, "\n")
	starts := append([]int{1}, modelLines(text)...)
	for i, start := range starts {
		end := len(lines)
		if i+1 < len(starts) {
			end = starts[i+1] - 1
		}
		block := strings.Join(lines[start-1:end], "\n")
		if line, message := blockProblem(block); message != "" {
			return fmt.Errorf("%s:%d: %s", path, start+line-1, message)
		}
	}
	// No block is wrong by itself, for example if a table is defined twice.
	line, message := blockProblem(text)
	return fmt.Errorf("%s:%d: %s", path, line, message)
}

// linePrefix matches a position in the decoder's errors.
var linePrefix = regexp.MustCompile(`^toml: line ([0-9]+) \(last key "([^"]*)"\): `)

// blockProblem returns the first problem of text and its line, from 1; the message is empty if there is
// none.
func blockProblem(text string) (line int, message string) {
	var file modelsFile
	meta, err := toml.Decode(text, &file)
	var at toml.ParseError
	switch {
	case errors.As(err, &at):
		message = at.Message
		if at.LastKey != "" {
			message = at.LastKey + ": " + message + remedy(at.LastKey)
		}
		return max(at.Position.Line, 1), message
	case err != nil:
		message = err.Error()
		line = 1
		if m := linePrefix.FindStringSubmatch(message); m != nil {
			line, _ = strconv.Atoi(m[1]) // digits, by the pattern
			message = m[2] + ": " + message[len(m[0]):] + remedy(m[2])
		}
		return line, message
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return keyLine(text, unknown[0]), fmt.Sprintf("the key %q is not known: `assay models list --example` prints a file with all keys", unknown[0].String())
	}
	return 0, ""
}

// remedy describes the valid values of a key's field.
func remedy(key string) string {
	parts := strings.Split(key, ".")
	if len(parts) < 2 || parts[0] != "model" || expected(parts[1]) == "" {
		return ""
	}
	return ": " + parts[1] + " " + expected(parts[1])
}

// fieldLine returns the line, from 1, of a problem with the model of the given index: the line of the
// field, or the line that starts the model if the field is missing.
func fieldLine(text string, number int, e *fieldError) int {
	starts := modelLines(text)
	if number >= len(starts) {
		return 1 // the models are written as an array
	}
	lines := strings.Split(text, "\n")
	end := len(lines)
	if number+1 < len(starts) {
		end = starts[number+1] - 1
	}
	block := strings.Join(lines[starts[number]-1:end], "\n")
	if line, found := findKey(block, append(toml.Key{"model"}, strings.SplitN(e.field, ".", 2)...)); found {
		return starts[number] + line - 1
	}
	table, _, _ := strings.Cut(e.field, ".")
	line, _ := findKey(block, toml.Key{"model", table})
	return starts[number] + line - 1
}

// keyLine returns the line, from 1, that sets or opens the given key.
func keyLine(text string, key toml.Key) int {
	line, _ := findKey(text, key)
	return line
}

func findKey(text string, key toml.Key) (line int, found bool) {
	name := key[len(key)-1]
	for i, l := range strings.Split(text, "\n") {
		left, _, assigned := strings.Cut(strings.TrimSpace(l), "=")
		left = strings.Trim(strings.TrimSpace(left), `"'`)
		table := strings.Trim(strings.TrimSpace(l), "[] ")
		if assigned && (left == name || strings.HasSuffix(left, "."+name)) || table == key.String() {
			return i + 1, true
		}
	}
	return 1, false
}

// modelHeader matches the line that starts a model.
var modelHeader = regexp.MustCompile(`^\s*\[\[\s*model\s*\]\]`)

// modelLines lists the lines, from 1, that start a model.
func modelLines(text string) []int {
	var found []int
	for i, l := range strings.Split(text, "\n") {
		if modelHeader.MatchString(l) {
			found = append(found, i+1)
		}
	}
	return found
}
