package llm

// Class groups provider errors by what a person can do about them.
type Class string

// The classes of error.
const (
	Auth        Class = "auth"         // the key is missing or refused
	RateLimited Class = "rate_limit"   // 429, after the allowed retries
	Unreachable Class = "unreachable"  // no connection
	TimedOut    Class = "timeout"      // connect, idle or total time-out
	CutOff      Class = "cut_off"      // the stream ended without a finish reason
	NotAModel   Class = "not_a_model"  // an HTML page or another content type
	BadRequest  Class = "bad_request"  // the provider refused the request
	Server      Class = "server_error" // 5xx after the allowed retries, or an error within the stream
	Program     Class = "program"      // a command that failed
	NoAnswer    Class = "no_answer"    // nothing recorded for this task
)

// Error is a failed request, in words for the tester. None of its texts holds
// a key.
type Error struct {
	Class   Class
	Message string // what was attempted and what happened
	Advice  string // what to do
	Partial string // text received before the failure
	// Refused are the settings, by their keys in the models file, that the server named
	// when it refused the request.
	Refused []string
	Err     error
}

func (e *Error) Error() string {
	if e.Advice == "" {
		return e.Message
	}
	return e.Message + ": " + e.Advice
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
