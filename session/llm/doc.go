// Package llm owns the models: it streams a provider's answer to a conversation and reports reliably
// whether the answer is complete.
//
// [LoadModels] reads the models file (models.example.toml in this folder is the example) and returns
// [Models]; [Models.Client] returns a [Client] for one of them. Each provider has a file: rehearsal.go and
// replay.go play recorded answers, paste.go waits for an answer to be pasted, command.go runs a program,
// agent.go one that changes a repository (transcript.go reads what it prints), builtin.go is such a program itself, and
// openai.go, anthropic.go and ollama.go are codecs for HTTP protocols. Their client is in http.go and its neighbours. [Model.Check] sends a small test request.
//
// A client's external dependencies, such as environment variables, sleep, randomness, recordings and the
// network, come in [Deps]; the package has no global state. It stores nothing, and no text it returns
// contains a key. The caller decides what a conversation consists of.
package llm
