// Package models is the screen of the models: whether each is ready and, if not, why; the
// result of a small request to it; and the path of the models file.
package models
