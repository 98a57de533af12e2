package llmtest

import (
	"maps"
	"slices"
	"strings"
)

// Finishes maps the finish reasons by which servers end chat completions, in lower case, to the reason of the answer;
// to "error" where the server says that it failed.
func Finishes() map[string]string {
	all := map[string]string{}
	for reason, words := range map[string]string{
		"stop":           "stop end_turn stop_sequence stop_token eos eos_token eos_found stop_str complete completed finished finish_reason_stop",
		"length":         "length max_tokens max_output_tokens max_length model_length max_completion_tokens token_limit model_context_window_exceeded context_length_exceeded finish_reason_max_tokens",
		"content_filter": "content_filter content_filtered safety recitation blocklist prohibited_content spii guardrail_intervened sensitive language image_safety error_toxic finish_reason_safety finish_reason_recitation",
		"refusal":        "refusal",
		"repetition":     "repetition repetition_detected",
		"tool_calls":     "tool_calls tool_use tool_call function_call malformed_function_call unexpected_tool_call",
		"error":          "error abort aborted cancelled canceled user_cancel timeout timed_out network_error insufficient_system_resource server_error internal_error internal_server_error overloaded engine_overloaded unavailable not_finished error_limit pause_turn",
	} {
		for word := range strings.FieldsSeq(words) {
			all[word] = reason
		}
	}
	return all
}

// finishQuirks end with every reason, in lower and in upper case.
func finishQuirks() []Quirk {
	var all []Quirk
	finishes := Finishes()
	for _, word := range slices.Sorted(maps.Keys(finishes)) {
		for _, sent := range []string{word, strings.ToUpper(word)} {
			q := Quirk{Name: "ends with " + sent, Body: sse(hi, ended(sent)), Text: "Hi", Finish: finishes[word]}
			if q.Finish == "error" {
				q.Class, q.Odd = "server_error", "finish reason "+sent
			}
			all = append(all, q)
		}
	}
	return of(openAI, "", all)
}
