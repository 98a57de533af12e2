// Package measure has the verb that measures code on disk, and doctor's findings about analysers.
package measure
