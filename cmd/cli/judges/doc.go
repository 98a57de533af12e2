// Package judges makes what judges code for a verb, from its flags: a sandbox of this machine, the
// workers of a fleet, or both. It also says what cannot be judged, and how far judging is.
package judges
