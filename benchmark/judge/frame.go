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

// Messages are bounded, and with them what a sample can make this process and the checker hold. A
// batch has a lower bound: calls with larger answers are made one by one.
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

// sendBytes sends a frame whose content is already encoded.
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

// receive reads one frame into message. Any error other than errFrameTooLarge and errMalformed
// means that the other side has closed the channel.
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

// decodeList decodes a JSON list of at most most elements. All lists from a sample are decoded
// here: an element of three bytes takes a hundred times as much memory.
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
