// Package difficulty has the verbs that estimate task difficulty from results and from people.
package difficulty
