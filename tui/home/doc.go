// Package home is the first screen: sessions to continue, the way to a new one,
// and the ways to the browsers of results and tasks.
package home
