// Package rate has the verbs for several people rating the same answers: planning, rating, closing,
// agreement.
package rate
