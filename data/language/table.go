package language

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/pelletier/go-toml/v2"

	"assay/data/disk"
	"assay/data/tomlfile"
)

//go:embed languages.toml
var builtIn string

// table holds entries by name, and what leads to them.
type table struct {
	entries map[string]*Entry
	names   []string          // sorted
	words   map[string]string // names and aliases, in lower case
	endings map[string]string // extensions, in lower case
}

// bundled has the built-in entries, and current also those of a file that was loaded.
var (
	bundled = sync.OnceValue(func() *table {
		t, err := (&table{}).with("languages.toml", builtIn, false)
		if err != nil {
			panic(err) // tests read it
		}
		return t
	})
	current atomic.Pointer[table]
)

func now() *table {
	if t := current.Load(); t != nil {
		return t
	}
	return bundled()
}

// Load adds the entries of a user's file, instead of those of an earlier one. There need not be a file. Errors
// name the file, the line and the key.
func Load(file string) error {
	text, err := disk.ReadFile(file, disk.Table)
	if errors.Is(err, fs.ErrNotExist) {
		current.Store(nil)
		return nil
	}
	if err != nil {
		return fmt.Errorf("the table of languages cannot be read: %w", err)
	}
	t, err := bundled().with(file, string(text), true)
	if err != nil {
		return err
	}
	current.Store(t)
	return nil
}

var plainName = regexp.MustCompile(`^[a-z][a-z0-9+#_-]*$`)

// onceOwn are the built-in languages whose entries people wrote themselves, after the manual of earlier versions. Such an
// entry is not used any more.
var onceOwn = map[string]bool{"elixir": true}

// with returns the table with the entries of a text.
func (t *table) with(file, text string, own bool) (*table, error) {
	added := map[string]*Entry{}
	decoded, err := tomlfile.Decode(file, text, &added, "'assay help languages' lists the keys of a language")
	if err != nil {
		return nil, err
	}
	written := map[string]any{} // the keys of a user's entries as they stand in the file
	if own {
		if err := toml.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &written); err != nil {
			return nil, err
		}
	}
	next := &table{entries: maps.Clone(t.entries), words: maps.Clone(t.words), endings: maps.Clone(t.endings)}
	if next.entries == nil {
		next.entries, next.words, next.endings = map[string]*Entry{}, map[string]string{}, map[string]string{}
	}
	for _, name := range slices.Sorted(maps.Keys(added)) {
		e := added[name]
		if !plainName.MatchString(name) {
			return nil, decoded.Wrong(name, "the name of a language is in lower-case letters and digits, and begins with a letter")
		}
		if own && onceOwn[name] {
			continue
		}
		if next.entries[name] != nil {
			return nil, decoded.Wrong(name, "the language is built in, and an entry does not replace it: choose another name")
		}
		e.Name, e.Own = name, own
		if own {
			if e.Digest, err = digest(written[name]); err != nil {
				return nil, err
			}
		}
		if wrong := e.prepare(); wrong != nil {
			return nil, decoded.Wrong(name+"."+wrong.key, "%s", wrong.text)
		}
		if wrong := next.claim(e); wrong != nil {
			return nil, decoded.Wrong(name+"."+wrong.key, "%s", wrong.text)
		}
		next.entries[name] = e
	}
	next.names = slices.Sorted(maps.Keys(next.entries))
	return next, nil
}

// digest returns the SHA-256 of an entry, whatever the order of its keys.
func digest(entry any) (string, error) {
	data, err := json.Marshal(entry)
	return disk.Sum(data), err
}

// claim enters the entry's names and extensions, each of which belongs to one language.
func (t *table) claim(e *Entry) *problem {
	for _, word := range append([]string{e.Name}, e.Aliases...) {
		if other := t.words[strings.ToLower(word)]; other != "" && other != e.Name {
			return &problem{"aliases", fmt.Sprintf("%q is the language %s already: choose another name", word, other)}
		}
		t.words[strings.ToLower(word)] = e.Name
	}
	for _, extension := range e.Extensions {
		if other := t.endings[strings.ToLower(extension)]; other != "" && other != e.Name {
			return &problem{"extensions", fmt.Sprintf("%q is the ending of %s already: choose another", extension, other)}
		}
		t.endings[strings.ToLower(extension)] = e.Name
	}
	return nil
}

// Find returns the entry of a language by the name that tasks give, or nil.
func Find(name string) *Entry { return now().entries[name] }

// Names returns the names of all languages, sorted.
func Names() []string { return slices.Clone(now().names) }

// Named returns the name of the language that a word names, as its name or an alias, or "".
func Named(word string) string { return now().words[strings.ToLower(word)] }

// OfFile returns the language of a source file by its extension, or "". An extension .txt may follow.
func OfFile(file string) string {
	return now().endings[strings.ToLower(path.Ext(strings.TrimSuffix(file, ".txt")))]
}

// Extension returns the extension of source files in a language, or "".
func Extension(name string) string {
	if e := Find(name); e != nil {
		return e.Extensions[0]
	}
	return ""
}

// Title returns the usual spelling of a language's name.
func Title(name string) string {
	if e := Find(name); e != nil {
		return e.Title
	}
	if name == "" {
		return "any language"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// Lexer returns chroma's name of the language that a word names: a name, an alias, or a word that only chroma
// knows.
func Lexer(word string) string {
	if e := Find(Named(word)); e != nil {
		return cmp.Or(e.Lexer, e.Name)
	}
	return word
}

// CheckStandard returns why a task in a language cannot have a standard, or nil. Every task may leave it out.
func CheckStandard(name, standard string) error {
	e := Find(name)
	if e == nil || standard == "" {
		return nil
	}
	if _, known := e.Option(standard); known {
		return nil
	}
	if len(e.Standards) == 0 {
		return fmt.Errorf("%q is given, and programs in %s have no choice of a standard: leave it out", standard, e.Title)
	}
	return fmt.Errorf("%q is not known: those of %s are %s", standard, e.Title, strings.Join(e.standardNames(), ", "))
}

// OfStandard returns the language that has a standard of a name, or an error that lists all standards.
func OfStandard(standard string) (string, error) {
	var all []string
	for _, name := range Names() {
		e := Find(name)
		if _, known := e.Option(standard); known {
			return name, nil
		}
		all = append(all, e.standardNames()...)
	}
	return "", fmt.Errorf("the standard %q is not known: there are %s", standard, strings.Join(all, ", "))
}

// ID identifies what a language is here among machines: its name, and for a user's entry also its hash.
func ID(name string) string {
	if e := Find(name); e != nil && e.Own {
		return e.Name + "-" + e.Digest[:12]
	}
	return name
}
