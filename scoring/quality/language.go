package quality

import "assay/data/language"

// LanguageOf returns the language of a file by its name, "" if it is not one that can be measured.
func LanguageOf(file string) string {
	if e := language.Find(language.OfFile(file)); e != nil && e.Grammar != "" {
		return e.Name
	}
	return ""
}
