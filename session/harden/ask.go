package harden

import (
	"context"
	"encoding/json"
	"regexp"

	"assay/data/disk"
	"assay/session/generate"
	"assay/session/llm"
)

// request asks a model, unless the file has its answer already. The answer is in the file when request
// returns it.
func (r *run) request(ctx context.Context, who *generate.Asked, step, task string, number int, text string) (string, error) {
	key := Request{Step: step, Task: task, Number: number, Definition: who.Model.Definition(), Text: textHash(text)}
	var before *Answer
	r.File.Look(func(s *State) { before = s.answers[key] })
	if before != nil {
		return before.Answer, generate.Usable(before.Finish, before.Answer)
	}
	answer, cost, err := r.Account.Ask(ctx, who, text, llm.Request{Task: task, Sample: number, Prompt: step})
	if err != nil {
		return "", err
	}
	a := &Answer{Request: key, Model: who.Model.Name, Answer: answer.Text, Finish: answer.FinishReason,
		In: answer.InputTokens, Out: answer.OutputTokens, Cost: cost, At: r.Now().UTC()}
	if err := r.File.Add(Event{Answer: a}); err != nil {
		return "", err
	}
	return a.Answer, generate.Usable(a.Finish, a.Answer)
}

// textHash identifies a text in the file.
func textHash(text string) string { return disk.Sum(text)[:16] }

var jsonBlock = regexp.MustCompile("(?s)```json[ \t]*\n(.*?)\n[ \t]*```")

// inputsIn returns the arguments of calls in a model's answer: those in a block of JSON. A model that gives
// none is not wrong.
func inputsIn(answer string) [][]json.RawMessage {
	var list [][]json.RawMessage
	for _, m := range jsonBlock.FindAllStringSubmatch(answer, -1) {
		var calls [][]json.RawMessage
		if json.Unmarshal([]byte(m[1]), &calls) == nil {
			list = append(list, calls...)
		}
	}
	return list
}

// withoutJSON returns an answer without its blocks of JSON, so that what remains is the program.
func withoutJSON(answer string) string { return jsonBlock.ReplaceAllString(answer, "") }
