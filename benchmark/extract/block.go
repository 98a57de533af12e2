package extract

import (
	"regexp"
	"slices"
	"strings"

	"assay/data/language"
)

// block is a fenced block of an answer.
type block struct {
	language string // the first word after the fence, in lower case
	text     string
	unclosed bool
}

// findBlocks finds the fenced blocks as in CommonMark: a fence is a line of three or more backticks or
// tildes, it may be indented (also deeper than CommonMark allows, as in lists), and is closed by a fence of
// the same character that is at least as long. Shorter fences inside belong to the text.
func findBlocks(text string) []block {
	var blocks []block
	var open *block
	var body []string
	var char byte
	var length int
	var indent string
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		fence, n, info, lead := readFence(bare)
		switch {
		case open == nil && n > 0:
			open = &block{language: languageOf(info)}
			char, length, indent, body = fence, n, lead, nil
		case open == nil:
		case n >= length && fence == char && info == "":
			open.text = strings.Join(body, "")
			blocks = append(blocks, *open)
			open = nil
		default:
			body = append(body, strings.TrimPrefix(line, indent))
		}
	}
	if open != nil {
		open.text, open.unclosed = strings.Join(body, ""), true
		if strings.TrimSpace(open.text) != "" {
			blocks = append(blocks, *open)
		}
	}
	return blocks
}

// readFence parses a line as a fence; n is 0 if it is not one. Markers of a quote or list item may precede
// it.
func readFence(line string) (char byte, n int, info, indent string) {
	rest := strings.TrimLeft(line, " \t")
	indent = line[:len(line)-len(rest)]
	if len(rest) < 3 || rest[0] != '`' && rest[0] != '~' {
		return 0, 0, "", ""
	}
	char = rest[0]
	for n < len(rest) && rest[n] == char {
		n++
	}
	if n < 3 {
		return 0, 0, "", ""
	}
	info = strings.TrimSpace(rest[n:])
	if char == '`' && strings.Contains(info, "`") {
		return 0, 0, "", "" // code within a line of prose
	}
	return char, n, info, indent
}

// languageOf returns the language in the info string after a fence: "python", "{.python}", "python
// title=…", "language-python".
func languageOf(info string) string {
	word := strings.Trim(info, "{}. ")
	if i := strings.IndexAny(word, " \t,{:"); i >= 0 {
		word = word[:i]
	}
	return strings.TrimPrefix(strings.ToLower(word), "language-")
}

// is reports whether the block is labelled with the language.
func (b block) is(name string) bool {
	return b.language == name || b.language != "" && language.Named(b.language) == name
}

// score ranks a block as the one to run; 0 rules it out.
func (b block) score(wanted, entry string) int {
	marked, unmarked := b.is(wanted), b.language == "" || b.language == "code" || b.language == "plaintext" || b.language == "text"
	if strings.TrimSpace(b.text) == "" {
		return 0
	}
	score := 0
	switch {
	case marked:
		score = 4
	case unmarked && (wanted != "python" || looksLikePython(b.text)):
		score = 2
	case unmarked:
		score = 0
	case entry != "" && b.defines(entry, wanted):
		score = 1 // the wrong label, but it defines the entry point
	default:
		return 0
	}
	if entry != "" && b.defines(entry, wanted) {
		return score + 8
	}
	return score
}

// headers begin definitions in Python and in languages that models confuse with it; moreHeaders in others.
var (
	headers     = []string{"def ", "async def ", "class ", "function ", "func "}
	moreHeaders = []string{"local function ", "fun ", "fn ", "pub fn ", "sub ", "let ", "let rec ", "(define (", "(defn "}
)

// defines reports whether the block defines a name at any depth, as a function, class or variable, in what may be
// meant as code in the wanted language.
func (b block) defines(name, wanted string) bool {
	intros := headers
	if wanted != "python" {
		intros = slices.Concat(headers, moreHeaders)
	}
	for line := range strings.Lines(b.text) {
		line = strings.TrimLeft(line, " \t>.")
		for _, intro := range intros {
			if rest, ok := strings.CutPrefix(line, intro); ok && isName(rest, name) {
				return true
			}
		}
		if isName(line, name) {
			rest := strings.TrimLeft(line[len(name):], " ")
			if strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") || strings.HasPrefix(rest, "<-") {
				return true
			}
		}
	}
	return false
}

// isName reports whether text starts with the whole name.
func isName(text, name string) bool {
	rest, ok := strings.CutPrefix(text, name)
	return ok && (rest == "" || !isWord(rest[0]))
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

var topLevel = regexp.MustCompile(`(?m)^(?:async\s+def|def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]*)?=[^=]|^import\s+([^\n#]+)|^from\s+\S+\s+import\s+([^\n#]+)`)

// definitions returns the names that Python text defines at top level.
func definitions(text string) []string {
	var found []string
	for _, m := range topLevel.FindAllStringSubmatch(text, -1) {
		switch {
		case m[1] != "":
			found = append(found, m[1])
		case m[2] != "":
			found = append(found, m[2])
		default:
			for _, item := range strings.Split(strings.Trim(m[3]+m[4], " ()\r"), ",") {
				words := strings.Fields(item)
				if len(words) > 0 {
					name, _, _ := strings.Cut(words[len(words)-1], ".")
					found = append(found, name)
				}
			}
		}
	}
	return found
}

// needed returns the other blocks that define names which the chosen one uses and does not define. Blocks
// that define the same names as the chosen one are alternatives to it and never joined.
func needed(blocks []block, chosen int, wanted string) []int {
	if wanted != "python" {
		return nil
	}
	have := map[string]bool{}
	for _, name := range definitions(blocks[chosen].text) {
		have[name] = true
	}
	used := words(blocks[chosen].text)
	var parts []int
	for i, b := range blocks {
		if i == chosen || !b.is(wanted) && b.language != "" || !looksLikePython(b.text) {
			continue
		}
		wanted, alternative := false, false
		for _, name := range definitions(b.text) {
			alternative = alternative || have[name] && !isImport(b.text, name)
			wanted = wanted || used[name] && !have[name]
		}
		if wanted && !alternative && !callsAtTop(b.text, blocks[chosen].text) {
			parts = append(parts, i)
		}
	}
	return parts
}

// isImport reports whether text imports name.
func isImport(text, name string) bool {
	for line := range strings.Lines(text) {
		if (strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "from ")) && words(line)[name] {
			return true
		}
	}
	return false
}

// callsAtTop reports whether a block is an example that calls what the chosen one defines, rather than a
// part of it.
func callsAtTop(text, chosen string) bool {
	var top strings.Builder
	for line := range strings.Lines(text) {
		if line[0] != ' ' && line[0] != '\t' {
			top.WriteString(line)
		}
	}
	used := words(top.String())
	for _, name := range definitions(chosen) {
		if used[name] {
			return true
		}
	}
	return false
}

var word = regexp.MustCompile(`[A-Za-z_]\w*`)

func words(text string) map[string]bool {
	found := map[string]bool{}
	for _, w := range word.FindAllString(text, -1) {
		found[w] = true
	}
	return found
}
