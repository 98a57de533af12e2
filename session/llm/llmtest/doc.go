// Package llmtest is for tests: a server that sends what servers of models have sent to other clients in public bug
// reports, as a table. A row has the bytes that come in, and what must become of them: text, thinking, finish reason,
// tokens, flags, retries. The tests of session/llm, session/generate and session/engine run every row, through the
// client, a batch and a session.
package llmtest
