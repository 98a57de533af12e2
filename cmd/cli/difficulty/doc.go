// Package difficulty has the verbs that estimate how hard tasks are, from results and from people.
package difficulty
