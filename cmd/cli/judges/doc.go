// Package judges creates judges for verbs from their flags: a sandbox on this machine, the workers of a
// fleet, or both. It also reports what cannot be judged, and the progress of judging.
package judges
