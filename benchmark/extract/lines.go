package extract

import (
	"regexp"
	"slices"
	"strings"
)

// line is a line of an answer, without its end.
type line struct {
	text  string
	start int // of the text in the answer
}

func (l line) end() int { return l.start + len(l.text) }

// special is a token of a model's own markup. None is part of a program.
const special = `<\|[^|<>\s]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|</?s>|<(?:eos|bos|pad|unk|EOT|EOS|end_of_turn|start_of_turn|end_of_text)>|\[/?INST\]|<</?SYS>>`

var (
	anyToken = regexp.MustCompile(special)
	// turnBegin matches what begins the model's own turn: all before it is a prompt.
	turnBegin = regexp.MustCompile(`<\|(?:start|im_start)\|>\s*assistant(?:<\|channel\|>\s*final\s*<\|message\|>)?|<\|channel\|>\s*final\s*<\|message\|>|` +
		`<\|start_header_id\|>\s*assistant\s*<\|end_header_id\|>|<\|assistant\|>|<start_of_turn>model|<｜Assistant｜>|\[/INST\]`)
	// turnEnd matches what ends the model's turn: what follows is another's.
	turnEnd = regexp.MustCompile(`<\|(?:im_end|im_start|eot_id|eom_id|eot|EOT|end|endoftext|end_of_text|end_of_turn|return|user|END_OF_TURN_TOKEN|end_of_sentence)\|>|` +
		`<｜(?:end▁of▁sentence|User)｜>|</s>|<(?:eos|EOT|EOS|end_of_turn|start_of_turn|end_of_text)>|\[INST\]`)
)

// linesOf returns the lines of an answer without thinking, without what precedes or follows the model's turn, and
// without special tokens. Tokens in strings of a program stay.
func linesOf(answer string) []line {
	var all []line
	from := 0
	for _, s := range append(thinking(answer), span{len(answer), len(answer)}) {
		all = append(all, split(answer, from, s.start)...)
		from = s.end
	}
	return ownTurn(all)
}

// split returns the lines of a part of a text.
func split(text string, from, to int) (all []line) {
	for each := range strings.Lines(text[from:to]) {
		text := strings.TrimPrefix(each, "\ufeff")
		all = append(all, line{strings.TrimRight(text, "\r\n"), from + len(each) - len(text)})
		from += len(each)
	}
	return all
}

// ownTurn returns the lines of the model's turn.
func ownTurn(all []line) []line {
	var own []line
	var open fence
	for i := range all {
		l, begins, ends := turn(all[i], open.n > 0)
		if begins {
			own, open = nil, fence{}
		}
		if f, ok := readFence(l.text); ok && open.n == 0 {
			open = f
		} else if ok && open.closedBy(f) {
			open = fence{}
		}
		own = append(own, l)
		if ends && !blank(own) {
			break
		}
	}
	return own
}

// turn returns a line without special tokens, and whether the model's turn begins or ends in it. Within a block of
// code only tokens at the end of a line count.
func turn(l line, fenced bool) (rest line, begins, ends bool) {
	for len(l.text) <= longestTurn {
		cut := false
		for _, at := range anyToken.FindAllStringIndex(l.text, -1) {
			if at2 := turnBegin.FindStringIndex(l.text[at[0]:]); at2 != nil && at2[0] == 0 && !fenced {
				at[1], begins = at[0]+at2[1], true
				l = line{l.text[at[1]:], l.start + at[1]}
				cut = true
				break
			}
			if quoted(l.text, at[0], at[1]) {
				continue
			}
			after := anyToken.ReplaceAllString(l.text[at[1]:], "")
			fence, isFence := readFence(l.text[:at[0]])
			ended := turnEnd.MatchString(l.text[at[0]:at[1]])
			switch {
			case isFence && fence.info == "" && ended, !fenced && ended, strings.TrimSpace(l.text[:at[0]]) == "" && ended && strings.TrimSpace(after) == "":
				return line{l.text[:at[0]], l.start}, begins, true
			case strings.TrimSpace(after) == "":
				return line{l.text[:at[0]], l.start}, begins, false
			case !fenced && strings.TrimSpace(l.text[:at[0]]) == "":
				l = line{l.text[at[1]:], l.start + at[1]}
				cut = true
			}
			if cut {
				break
			}
		}
		if !cut {
			break
		}
	}
	return l, begins, false
}

// longestTurn bounds the lines in which tokens are looked for, in bytes: a runaway answer may be one line of them.
const longestTurn = 8 << 10

func blank(all []line) bool {
	return !slices.ContainsFunc(all, func(l line) bool { return strings.TrimSpace(l.text) != "" })
}

// joined returns the text of lines.
func joined(all []line) string {
	var b strings.Builder
	for _, l := range all {
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	return b.String()
}
