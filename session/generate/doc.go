// Package generate collects many answers from models without a human: tasks × models × prompts × samples,
// each answered once and none paid for twice.
//
// A Run is a directory. Its manifest lists the wanted answers, the cells; each answer is written to its
// file as soon as it is complete, with the hash of its inputs. A run still needs the cells of the manifest
// that are not stored, so a killed run continues where it stopped. FORMAT.md describes the directory.
//
// session/llm and session/llm/endpoint send the requests, session/prompts provides prompts, and
// benchmark/batch judges the answers. The caller is cmd/cli.
package generate
