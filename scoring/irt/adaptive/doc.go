// Package adaptive owns adaptive tests: which item to ask a respondent next, given the items' parameters and
// the responses so far; the respondent's ability with its interval; the score to expect on all items; and
// when to stop.
//
// Items are curves of package irt with the uncertainty of their parameters (Items). A Pool is prepared items
// with the rules of the test. It is immutable, and a function of the responses: the same responses and seed
// give the same choice. It reads no clock and keeps nothing of a respondent.
//
// Abilities are on the scale of the respondents that the items were calibrated with: 0 is the mean of their
// abilities and 1 the standard deviation. Recorded and Simulated compare adaptive, random and fixed tests.
package adaptive
