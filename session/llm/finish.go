package llm

import (
	"fmt"
	"strings"
)

// Finish reasons of an Answer. Others are the provider's own words, which Answer.Odd then names.
const (
	finishStop     = "stop"
	finishLength   = "length"
	finishFilter   = "content_filter"
	finishRefusal  = "refusal"
	finishLoop     = "repetition" // the server stopped a model that repeated itself
	finishTools    = "tool_calls"
	finishNone     = "none"  // the stream ended as whole, without a reason
	finishByServer = "error" // the server failed: never the reason of an Answer
)

// finishReasons maps the finish reasons of providers, in lower case, to those of an Answer. Sources: the API references
// of OpenAI, Azure, Anthropic, Google, Mistral, Cohere, Bedrock, DeepSeek, Z.ai, and the code of vLLM, SGLang, TGI,
// TensorRT-LLM, llama.cpp and Ollama.
var finishReasons = reasons(map[string]string{
	finishStop:     "stop end_turn stop_sequence stop_token eos eos_token eos_found stop_str complete completed finished finish_reason_stop",
	finishLength:   "length max_tokens max_output_tokens max_length model_length max_completion_tokens token_limit model_context_window_exceeded context_length_exceeded finish_reason_max_tokens",
	finishFilter:   "content_filter content_filtered safety recitation blocklist prohibited_content spii guardrail_intervened sensitive language image_safety error_toxic finish_reason_safety finish_reason_recitation",
	finishRefusal:  "refusal",
	finishLoop:     "repetition repetition_detected",
	finishTools:    "tool_calls tool_use tool_call function_call malformed_function_call unexpected_tool_call",
	finishByServer: "error abort aborted cancelled canceled user_cancel timeout timed_out network_error insufficient_system_resource server_error internal_error internal_server_error overloaded engine_overloaded unavailable not_finished error_limit pause_turn",
})

func reasons(words map[string]string) map[string]string {
	all := map[string]string{}
	for reason, list := range words {
		for word := range strings.FieldsSeq(list) {
			all[word] = reason
		}
	}
	return all
}

// finished sets the finish reason that a provider gave; "" is none, and so is the word null. A reason by which the server says that it failed
// makes the piece an error: the half answer before it is not the model's.
func (p *piece) finished(word string) {
	if word == "" || strings.EqualFold(word, "null") {
		return
	}
	switch reason, known := finishReasons[strings.ToLower(word)]; {
	case !known:
		p.finish = word
		p.odd = append(p.odd, fmt.Sprintf("unknown finish reason %q", word))
	case reason == finishByServer:
		p.failed = &reported{class: Server, message: "finish reason " + word}
	default:
		p.finish = reason
	}
}
