package llm

import (
	"context"
	"fmt"
	"strings"
	"sync"
)

// keeper has the key of a model.
type keeper struct {
	model Model
	deps  Deps

	mu sync.Mutex
	// key returns the output of the key command, until the server rejects it. It is a function so that
	// dumping the keeper does not show the key.
	key func() string
}

// secret returns the key to send, or "" for none.
func (k *keeper) secret(ctx context.Context) (string, *Error) {
	if len(k.model.APIKeyCmd) > 0 {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.key != nil {
			return k.key(), nil
		}
		key, err := k.deps.RunKey(ctx, k.model.APIKeyCmd)
		if err != nil {
			return "", &Error{Class: Auth, Message: err.Error(), Advice: "run it by hand, or correct api_key_cmd in the models file", Err: err}
		}
		k.key = func() string { return key }
		return key, nil
	}
	if k.model.APIKeyEnv == "" {
		return "", nil
	}
	key := strings.TrimSpace(k.deps.Getenv(k.model.APIKeyEnv))
	if key == "" {
		return "", &Error{
			Class:   Auth,
			Message: fmt.Sprintf("there is no key for %q: the environment variable %s is not set", k.model.Name, k.model.APIKeyEnv),
			Advice:  "set it and start assay again, or use another model",
		}
	}
	return key, nil
}

// forget makes the next request run the key command again, since the key may have been replaced.
func (k *keeper) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.key = nil
}
