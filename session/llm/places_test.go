package llm

import "testing"

// TestAddress: what a person leaves out of an address is added.
func TestAddress(t *testing.T) {
	for typed, want := range map[string]string{
		" localhost:8080/v1 ": "http://localhost:8080/v1", "127.0.0.1:1": "http://127.0.0.1:1", "[::1]:8000": "http://[::1]:8000", "gateway.example.com": "https://gateway.example.com",
		"10.0.0.1:8000": "https://10.0.0.1:8000", "http://gateway.example.com/v1": "http://gateway.example.com/v1", "unix:///run/m.sock": "unix:///run/m.sock", "": "",
	} {
		if got := Address(typed); got != want {
			t.Errorf("%q is %q, want %q", typed, got, want)
		}
	}
}

// TestPlaces: addresses that the environment gives are used in place of the providers' own.
func TestPlaces(t *testing.T) {
	for _, tt := range []struct{ place, variable, value, want string }{
		{"openai", "", "", "https://api.openai.com/v1"},
		{"openai", "OPENAI_BASE_URL", "https://gateway.test/v1", "https://gateway.test/v1"},
		{"anthropic", "ANTHROPIC_BASE_URL", "https://gateway.test", "https://gateway.test"},
		{"azure", "AZURE_OPENAI_ENDPOINT", "https://x.openai.azure.com/", "https://x.openai.azure.com/openai/v1"},
		{"ollama", "", "", ""},
		{"ollama", "OLLAMA_HOST", "0.0.0.0", "http://localhost:11434"},
		{"ollama", "OLLAMA_HOST", "box:9000", "http://box:9000"},
		{"ollama", "OLLAMA_HOST", "https://box/", "https://box"},
	} {
		for _, p := range Places(func(name string) string {
			if name == tt.variable {
				return tt.value
			}
			return ""
		}) {
			if p.Name == tt.place && p.BaseURL != tt.want {
				t.Errorf("%s with %s=%s is at %q, want %q", tt.place, tt.variable, tt.value, p.BaseURL, tt.want)
			}
		}
	}
}
