// Package home is the first screen: sessions to continue, the way to a new one,
// and a look at what is finished.
package home
