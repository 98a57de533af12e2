// Package llm owns the models: it streams an answer to a conversation from a
// provider and says truthfully whether the answer is complete.
//
// [LoadModels] reads the models file (models.example.toml beside this file is
// the committed example) and yields [Models]; [Models.Client] makes the
// [Client] of one of them. There is one file a provider: rehearsal.go plays
// recorded answers, paste.go takes what a person pastes, command.go runs a
// program, openai.go speaks the chat-completions protocol that most servers
// offer.
//
// What a client needs from outside, such as environment variables, sleep,
// randomness, recordings and the network, comes in [Deps]; the package keeps
// no state of its own. It stores nothing, and it keeps keys out of every text
// that it returns. What a conversation consists of is decided by the caller.
package llm
