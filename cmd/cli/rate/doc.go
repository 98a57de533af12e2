// Package rate has the verbs by which several people rate the same answers: planning, rating,
// closing, agreement.
package rate
