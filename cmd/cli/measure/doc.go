// Package measure has the verb that measures code on disk, and what doctor says of analysers.
package measure
