package format

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark"
)

// value returns the value of a key such as "verifier.timeout_sec", or nil.
func (d *directory) value(key string) any {
	var at any = d.values
	for part := range strings.SplitSeq(key, ".") {
		table, _ := at.(map[string]any)
		at = table[part]
	}
	return at
}

// isEmpty reports whether a value is none, 0, "" or an empty list.
func isEmpty(value any) bool {
	switch v := value.(type) {
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return value == nil || value == "" || value == int64(0) || value == 0 || value == 0.0 || value == false
}

// str returns a text of the configuration.
func (d *directory) str(key string) (string, error) {
	value := d.value(key)
	text, ok := value.(string)
	if value != nil && !ok {
		return "", d.wrong(key, "the value must be text")
	}
	return text, nil
}

// number returns a number of the configuration, 0 for none.
func (d *directory) number(key string, most float64) (n float64, err error) {
	switch v := d.value(key).(type) {
	case nil:
		return 0, nil
	case int64:
		n = float64(v)
	case int:
		n = float64(v)
	case float64:
		n = v
	default:
		return 0, d.wrong(key, "the value must be a number")
	}
	if !(n > 0 && n <= most) {
		return 0, d.wrong(key, "%v is outside 0 to %v", n, most)
	}
	return n, nil
}

// texts returns a list of texts.
func (d *directory) texts(key string) (list []string, err error) {
	value := d.value(key)
	items, ok := value.([]any)
	if value != nil && !ok {
		return nil, d.wrong(key, "the value must be a list of texts")
	}
	for _, item := range items {
		text, ok := item.(string)
		if !ok {
			return nil, d.wrong(key, "the value must be a list of texts")
		}
		list = append(list, text)
	}
	return list, nil
}

// variables returns a table of environment variables. Those of the machine, ${NAME}, are left out.
func (d *directory) variables(key string) (map[string]string, error) {
	value := d.value(key)
	table, ok := value.(map[string]any)
	if value != nil && !ok {
		return nil, d.wrong(key, "the value must be a table of texts")
	}
	var found map[string]string
	for name, value := range table {
		text, ok := value.(string)
		if !ok {
			return nil, d.wrong(key+"."+name, "the value must be text")
		}
		if strings.Contains(text, "${") {
			continue
		}
		if found == nil {
			found = map[string]string{}
		}
		found[name] = text
	}
	return found, nil
}

// metadata reads what describes the task; its keys have a prefix.
func (d *directory) metadata(prefix string) error {
	difficulty, err := d.str(prefix + "difficulty")
	if err != nil {
		return err
	}
	if known := benchmark.Difficulty(difficulty); slices.Contains(benchmark.Difficulties[:], known) {
		d.task.Difficulty = known
	}
	if d.task.Category, err = d.str(prefix + "category"); err != nil {
		return err
	}
	if d.task.Topics, err = d.texts(prefix + "tags"); err != nil {
		return err
	}
	return nil
}

const mostSeconds = 36000

// limits reads the limits of time, in seconds, for tests and agents, and the number of processors.
func (d *directory) limits(tests, agent, cpus string) error {
	seconds, err := d.number(tests, mostSeconds)
	if err != nil {
		return err
	}
	processors := 1.0
	if cpus != "" {
		if processors, err = d.number(cpus, 1024); err != nil {
			return err
		}
	}
	d.task.Limits.WallSeconds = seconds
	d.task.Limits.CPUTotal = min(seconds*max(processors, 1), mostSeconds)
	d.task.Repository.Directory.AgentTimeSeconds, err = d.number(agent, 10*mostSeconds)
	return err
}

// size reads a size in MB, from a number or from a text such as "4G".
func (d *directory) size(number, text string) (int, error) {
	n, err := d.number(number, 1<<20)
	if err != nil || n > 0 {
		return int(math.Ceil(n)), err
	}
	written, err := d.str(text)
	if err != nil || written == "" {
		return 0, err
	}
	digits := strings.TrimRight(strings.ToUpper(written), "IB")
	factor := map[string]float64{"M": 1, "G": 1 << 10, "T": 1 << 20}[digits[max(len(digits)-1, 0):]]
	n, err = strconv.ParseFloat(digits[:max(len(digits)-1, 0)], 64)
	if factor == 0 || err != nil || !(n*factor >= 1 && n*factor <= 1<<20) {
		return 0, d.wrong(text, "%q is no size; write it as in 2048M or 4G", written)
	}
	return int(math.Ceil(n * factor)), nil
}

// keep keeps the configuration in the task, for other tools.
func (d *directory) keep() {
	if raw, err := json.Marshal(d.values); err == nil { // TOML has numbers that JSON lacks
		d.task.Extra = map[string]json.RawMessage{strings.TrimSuffix(strings.TrimSuffix(d.config, ".toml"), ".yaml"): raw}
	}
}
