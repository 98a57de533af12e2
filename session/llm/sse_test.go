package llm

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// decode reads a whole stream; the last event is marked where it was final.
func decode(r eventSource) (events []string, err error) {
	for {
		data, final, err := r.next()
		if err != nil {
			return events, err
		}
		text := string(data)
		if final {
			text += "<final>"
		}
		events = append(events, text)
	}
}

func TestSSE(t *testing.T) {
	rows := []struct {
		name, stream string
		want         []string
	}{
		{"one event", "data: a\n\n", []string{"a"}},
		{"no space", "data:a\n\n", []string{"a"}},
		{"one space is dropped", "data:  a\n\n", []string{" a"}},
		{"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", []string{"a", "b"}},
		{"CR", "data: a\r\rdata: b\r\r", []string{"a", "b"}},
		{"several lines", "data: a\ndata: b\n\n", []string{"a\nb"}},
		{"empty data", "data\n\n", []string{""}},
		{"empty lines of data", "data:\ndata:\n\n", []string{"\n"}},
		{"comments and other fields", ": hi\nevent: x\nid: 1\nretry: 5\ndata: a\n\n", []string{"a"}},
		{"an event without data is none", "event: ping\n\ndata: a\n\n", []string{"a"}},
		{"no blank line at the end", "data: a\n\ndata: b\n", []string{"a", "b<final>"}},
		{"no end of line at the end", "data: a", []string{"a<final>"}},
		{"byte-order mark", "\xEF\xBB\xBFdata: a\n\n", []string{"a"}},
		{"a field that begins alike", "database: a\n\n", nil},
		{"empty", "", nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(row.stream), iotest.OneByteReader(strings.NewReader(row.stream))} {
				got, err := decode(newSSEReader(r))
				if err != io.EOF || !reflect.DeepEqual(got, row.want) {
					t.Errorf("got %q, %v, want %q", got, err, row.want)
				}
			}
		})
	}
}

func TestSSERefusesEventsWithoutEnd(t *testing.T) {
	for name, stream := range map[string]string{
		"one line":   "data: " + strings.Repeat("x", 200),
		"many lines": strings.Repeat("data: xxxxxxxx\n", 40),
	} {
		t.Run(name, func(t *testing.T) {
			r := newSSEReader(strings.NewReader(stream))
			r.limit = 100
			if _, err := decode(r); !errors.Is(err, errEventTooLong) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// FuzzSSE checks that decoding does not depend on how the stream is cut into
// reads, and that no event is longer than the stream.
func FuzzSSE(f *testing.F) {
	for _, seed := range []string{"data: a\n\n", "data: a\r\n\r\n", ": c\ndata:\rdata: b\r\r", "\xEF\xBB\xBFdata: x", "data\n\ndata: {\"a\":1}\n\n", "\r\n\r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, stream string) {
		whole, err := decode(newSSEReader(strings.NewReader(stream)))
		if err != io.EOF {
			t.Fatalf("the end is %v", err)
		}
		single, _ := decode(newSSEReader(iotest.OneByteReader(strings.NewReader(stream))))
		if !reflect.DeepEqual(whole, single) {
			t.Fatalf("whole %q, byte by byte %q", whole, single)
		}
		total := 0
		for _, event := range whole {
			total += len(strings.TrimSuffix(event, "<final>"))
		}
		if total > len(stream) {
			t.Fatalf("%d bytes of data in a stream of %d", total, len(stream))
		}
	})
}
