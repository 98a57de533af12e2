// Package topics clusters texts by subject.
//
// Lexical turns texts into points by their words (TF-IDF and a truncated singular value decomposition),
// Semantic by vectors from an embedding model. hdbscan clusters the points and labels outliers as noise,
// and Name labels each cluster with its most distinctive words (class-based TF-IDF). What topics are used
// for, such as their difficulty, belongs to session/difficulty.
package topics
