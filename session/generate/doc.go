// Package generate asks models for many answers without a human: tasks × models ×
// prompts × samples, each answered once and none paid for twice.
//
// A Run lies in a directory. Its manifest says which answers are wanted, the cells; each
// answer is written to its file as soon as it is complete, under the hash of what made
// it. What a run still needs is the manifest less what is stored, so that a run that was
// killed goes on where it was. FORMAT.md describes the directory.
//
// How a server is asked is session/llm's and session/llm/endpoint's; where prompts come
// from is session/prompts'; judging answers is benchmark/batch's. The caller is cmd/cli.
package generate
