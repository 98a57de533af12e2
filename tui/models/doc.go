// Package models is the screen of the models: which there are, whether they are ready
// and why not, what one small request to them says, and where the file is in which they
// are described.
package models
