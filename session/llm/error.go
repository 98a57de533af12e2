package llm

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Class groups provider errors by what a person can do about them.
type Class string

// The classes of error.
const (
	Auth        Class = "auth"         // the key is missing or rejected
	Quota       Class = "quota"        // the account has no credit left
	RateLimited Class = "rate_limit"   // 429, after the allowed retries
	Unreachable Class = "unreachable"  // no connection
	TimedOut    Class = "timeout"      // connect, idle or total time-out
	CutOff      Class = "cut_off"      // the stream ended without a finish reason
	NotAModel   Class = "not_a_model"  // an HTML page or another content type
	BadRequest  Class = "bad_request"  // the provider rejected the request
	TooLong     Class = "too_long"     // the prompt, with the turns before it, exceeds the model's context
	Filtered    Class = "filtered"     // the provider's filter rejected the prompt
	Server      Class = "server_error" // 5xx after the allowed retries, or an error within the stream
	Program     Class = "program"      // a command that failed
	NoAnswer    Class = "no_answer"    // nothing recorded for this task
)

// Error is a failed request, worded for the tester. None of its texts contains a key.
type Error struct {
	Class   Class
	Message string // what was attempted and what happened
	Advice  string // what to do
	Partial string // text received before the failure
	// InputTokens and OutputTokens are what an agent had used before it failed, as far as it tells.
	InputTokens, OutputTokens int
	Own                       bool // Message and Advice are assay's words alone: they may be shown where the model is hidden
	// Refused lists the settings, by their keys in the models file, that the server named when it rejected
	// the request.
	Refused []string
	Setting string        // the key of the models file that is at fault, where Class does not tell
	Status  int           // of the HTTP response; 0 if there was none
	Final   bool          // the same request would fail in the same way, and cost as much
	After   time.Duration // how long the server asked to wait before the next request
	Err     error
}

func (e *Error) Error() string {
	if e.Advice == "" {
		return e.Message
	}
	return e.Message + ": " + e.Advice
}

// Brief names the failure in a few words, without the server's message.
func (e *Error) Brief() string {
	switch {
	case e.Status != 0:
		return strings.TrimSpace(fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status)))
	case e.Class == Unreachable:
		return "no connection"
	case e.Class == TimedOut:
		return "no answer in time"
	case e.Class == CutOff:
		return "the answer was cut off"
	}
	return "an error"
}

// Passing reports whether the failure is temporary: the same request may succeed later. Only the caller
// knows whether to retry, since part of an answer may have been paid for.
func (e *Error) Passing() bool {
	if e.Final {
		return false
	}
	switch e.Class {
	case Auth, Quota, BadRequest, TooLong, Filtered, NoAnswer:
		return false
	case NotAModel:
		return e.Status < 300 // a login page, which may go away; a wrong address stays wrong
	}
	return true
}

// Amiss returns the key of the models file that is to be corrected before anything else, as far as an error tells.
func Amiss(err error) string {
	var field *fieldError
	var failed *Error
	switch {
	case errors.As(err, &field):
		return field.field
	case !errors.As(err, &failed):
		return ""
	case failed.Setting != "":
		return failed.Setting
	case failed.Class == Unreachable || failed.Class == TimedOut:
		return "base_url"
	case failed.Class == Auth && failed.Status != 403: // some keys may ask, and not list models
		return "api_key_env"
	}
	return ""
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
