// Package llm owns the models: it streams an answer to a conversation from a
// provider and says truthfully whether the answer is complete.
package llm
