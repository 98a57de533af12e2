package judge

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A message is bounded, and so is what a sample can make this process and the checker
// hold. The answers to a batch are fewer bytes: what has more is asked for call by call.
const (
	maxFrame = 16 << 20
	maxBatch = 4 << 20
)

var (
	errFrameTooLarge = errors.New("a message is too large")
	errMalformed     = errors.New("a message is malformed")
)

// channel carries frames: four bytes of length, most significant first, then
// JSON.
type channel struct {
	w io.Writer
	r *bufio.Reader
}

func newChannel(w io.Writer, r io.Reader) *channel {
	return &channel{w: w, r: bufio.NewReaderSize(r, 4<<10)}
}

func (c *channel) send(message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return c.sendBytes(body)
}

// sendBytes sends a frame with something else than JSON in it.
func (c *channel) sendBytes(body []byte) error {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	if len(body) < 64<<10 { // a copy is cheaper than a second write
		_, err := c.w.Write(append(head, body...))
		return err
	}
	_, err := c.w.Write(head)
	if err == nil {
		_, err = c.w.Write(body)
	}
	return err
}

// receive reads one frame into message. An error that is neither
// errFrameTooLarge nor errMalformed means that the other side is gone.
func (c *channel) receive(message any) error { return c.receiveUpTo(maxFrame, message) }

func (c *channel) receiveUpTo(most uint32, message any) error {
	var head [4]byte
	if _, err := io.ReadFull(c.r, head[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > most {
		return errFrameTooLarge
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(c.r, body); err != nil {
		return err
	}
	if err := json.Unmarshal(body, message); err != nil {
		return fmt.Errorf("%w: %w", errMalformed, err)
	}
	return nil
}

// decodeList reads a list in JSON that has at most so many elements. What a sample sends is
// decoded by this alone: an element of three bytes would become a hundred times as large.
func decodeList[T any](text []byte, most int) (list []T, err error) {
	if len(text) == 0 || string(text) == "null" {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('[') {
		return nil, fmt.Errorf("%w: a list was expected", errMalformed)
	}
	for d.More() {
		if len(list) == most {
			return nil, fmt.Errorf("%w: a list has more than %d elements", errMalformed, most)
		}
		list = append(list, *new(T))
		if err := d.Decode(&list[len(list)-1]); err != nil {
			return nil, fmt.Errorf("%w: %w", errMalformed, err)
		}
	}
	return list, nil
}
