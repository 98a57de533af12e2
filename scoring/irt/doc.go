// Package irt owns item-response theory: from the scores of respondents (models, models with a level of
// prompts, testers) on items (tasks), it estimates each respondent's ability and each item's difficulty and
// discrimination, with intervals.
//
// β3-IRT (Chen et al., "β³-IRT: A New Item Response Model and its Applications", AISTATS 2019; used by
// Tambon et al., TaskEval, 2025, equation 4) expects from respondent i on item j the score
//
//	E[pᵢⱼ | θᵢ, δⱼ, aⱼ] = 1 / (1 + (δⱼ/(1-δⱼ))^aⱼ (θᵢ/(1-θᵢ))^-aⱼ)
//
// with ability θ and difficulty δ between 0 and 1 and discrimination a, negative if less able respondents
// do better. In logits t and d it is the logistic function of a(t-d), the same curve as in 2PL. Scores
// scatter around it as shares of n trials (Binomial) or by Chen et al.'s beta distribution with the shapes
// (θ/δ)^a and ((1-θ)/(1-δ))^a (Beta).
//
//   - Fit and then Estimates.Draw is what to use: the maximum of the posterior, and from
//     there its draws, which give estimates and intervals.
//   - Faithful is what TaskEval's code does, to reproduce it.
//   - OnePL and TwoPL are for single responses of 0 and 1.
//
// Draw assumes that abilities come from a normal population whose mean and spread are estimated with them;
// for 2PL, whose unit is the spread of abilities, the mean log discrimination is. The items' priors fix the
// unit and origin of β3-IRT's scale. So the scales of separate fits cannot be compared: fit the Union of
// the responses, and take each Part of it. The difficulties of the two benchmarks have separate means,
// which are sampled too: a common prior would pull them together if few respondents link them.
//
// Coverage in percent of 95 % intervals of β3-IRT, over ability logits with a standard deviation of 0.1 to
// 2 around -1.5 to 1.5, 5 to 32 respondents, 16 to 164 items, and 1 or 10 trials (TestCalibrateBeta3, 60
// data sets each):
//
//	                                       ability   difficulty  discrimination
//	Draw, Long                             92 to 99   94 to 97      93 to 97
//	Draw, Short                            94 to 100  93 to 98      95 to 98
//	Long, quantiles as of free draws       91 to 98   94 to 95      93 to 95
//	Short, quantiles as of free draws      89 to 97   91 to 95      90 to 94
//	fixed prior Beta(1,1), draws           68 to 98   85 to 96      53 to 96
//	fixed prior, curvature (Laplace)       38 to 98   72 to 88      76 to 95
//
// The last four methods were removed. Abilities miss together, when their common location does, so their
// rates are known to about 2.5 points.
//
// No R² shows that with few respondents single difficulties are far off. With Beta's scatter, the mean
// Spearman correlation of estimated with true difficulty is about 0.75 with 5 respondents, 0.85 with 12 and
// 0.9 with 20; with single responses it is 0.6, 0.75 and 0.8 (TestRecoveryByRespondents). Below
// EnoughRespondents the estimates carry a warning.
//
// Degenerate data. These are errors: responses that are all equal, a single respondent or item, a
// respondent or an item without any response, scores outside 0 to 1. These are fitted with a warning:
// constant items (their discrimination is the prior's, their difficulty lies at one end), respondents that
// fail or solve everything (only the prior bounds their ability), respondents with the same answers (all
// are fitted; the threshold counts them once), groups of respondents that share no item. Missing cells are
// left out of all sums; Faithful rejects them. Results never contain NaN or infinities.
//
// The package reads no clock, does no I/O and imports only scoring/stats of assay. Randomness comes from a
// seed or a source passed in.
package irt
