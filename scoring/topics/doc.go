// Package topics groups texts by what they are about.
//
// Lexical turns texts into points by their words (TF-IDF and a truncated singular value
// decomposition), Semantic what a model of embeddings says of them. HDBSCAN finds the
// groups among points and leaves apart what belongs to none, and Name calls each by the
// words that set it apart (class-based TF-IDF). What is done with topics, such as their
// difficulty, is session/difficulty's.
package topics
