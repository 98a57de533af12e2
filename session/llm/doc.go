// Package llm owns the models: it streams an answer to a conversation from a
// provider and says truthfully whether the answer is complete.
//
// [LoadModels] reads the models file (models.example.toml beside this file is
// the committed example) and yields [Models]; [Models.Client] makes the
// [Client] of one of them. There is one file a provider: rehearsal.go and
// replay.go play recorded answers, paste.go takes what a person pastes,
// command.go runs a program, and openai.go, anthropic.go and ollama.go are the
// codecs of protocols over HTTP. The client for all of these is in http.go and
// its neighbours. [Model.Check] sends one small request and says what it shows.
//
// What a client needs from outside, such as environment variables, sleep,
// randomness, recordings and the network, comes in [Deps]; the package keeps
// no state of its own. It stores nothing, and it keeps keys out of every text
// that it returns. What a conversation consists of is decided by the caller.
package llm
