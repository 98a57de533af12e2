#!/usr/bin/env bash
#
# killed-session.sh BIN
#
# A session of three tasks with the rehearsal model in a real terminal (tmux,
# 80x24), whose program is killed with SIGKILL while composing, streaming,
# judging and rating. Each time it is started again, the session is continued
# from the home screen, and what was there must be there.
#
# Exit code: 0 all passed, 1 a step failed, 2 usage, 77 this machine cannot.
#
# The tasks are named, not only seeded, so that a larger benchmark draws the
# same three: build-order is right only at its third recording, and its first
# two use up their processor time, which keeps the judge busy for seconds.

set -u
export LC_ALL=C.UTF-8

[ $# = 1 ] || { echo "usage: $0 BIN" >&2; exit 2; }
BIN=$(realpath -- "$1") && [ -x "$BIN" ] || { echo "$0: $1 is not a program" >&2; exit 2; }
. "$(dirname -- "$0")/terminal.sh"

SEED=34     # read-port, build-order, cache-replay
TASKS="id=read-port,build-order,cache-replay"

# --- dying and coming back ---

descendants() {
	local child
	for child in $(cat "/proc/$1"/task/*/children 2>/dev/null); do
		echo "$child"
		descendants "$child"
	done
}

# ended PID…: none of them runs any more; one that waits to be reaped does not.
ended() {
	local pid state
	for pid in "$@"; do
		state=$(sed 's/.*) //; s/ .*//' "/proc/$pid/stat" 2>/dev/null)
		case $state in '' | Z | X) ;; *) return 1 ;; esac
	done
}

# killed: kill -9 the program, and see that what it ran dies with it.
killed() {
	local children
	children=$(descendants "$PID")
	kill -9 "$PID" || fail "there is no process $PID to kill"
	poll "the program is dead" dead
	poll "the processes that it started are gone" ended $children
}

# continued PACE: start again and continue the session.
continued() {
	assay "$1"
	sees "Continue" "▸ starter · rehearsal" "1 session"
	press Enter
}

has_verb() { "$BIN" --help | grep -qE "^  $1 "; }
verb() { env HOME="$DIR/home" TMPDIR="$DIR/tmp" ASSAY_STORE="$DIR/home/assay.db" "$BIN" "$@" >"$DIR/out" 2>&1 || fail "assay $*: $(cat "$DIR/out")"; }

# --- the session ---

step "a session of three tasks begins"
assay 0 --tasks 3 --seed $SEED --filter "$TASKS" --model rehearsal
sees "task 1 of 3" "Read a port from settings" "enter open the task"
press Enter
sees "your prompt" "attempt 1 of 10"
ok

step "killed while composing: the draft is there"
type_text "Write read_port, naïvely at first."
press Enter
type_text "No port → default."
sees "naïvely" "No port → default."
# The promise is about time: what was typed a second ago is safe. So this one
# wait is by the clock.
typed=$(now)
long_ago() { [ $(($(now) - typed)) -ge 1000000000 ]; }
poll "a second has passed" long_ago
killed
continued 10
sees "Write read_port, naïvely at first." "No port → default." "your prompt" "attempt 1 of 10"
ok

step "writing goes on at the end of the draft"
type_text " Go."
sees "No port → default. Go."
ok

step "killed while streaming: cut off, same prompt, same attempt"
press C-s
sees "rehearsal" "Here is a function"
lacks "y satisfied"
killed
continued 0
sees "The answer was cut off when assay ended." "attempt." "Write read_port, naïvely at first." "No port → default. Go." "attempt 1 of 10"
ok

step "sent again, the answer comes whole"
press C-s
sees "tests ✓" "y satisfied" "attempt 1 of 10" # at its beginning if it came at once, else at its end
press Home
sees "Here is a function"
press End
sees "The default is returned as it is"
press Home
sees "Here is a function"
ok

step "killed while rating: the digits are there"
press y
sees "Rate the final answer" "satisfied: u takes it back" "9 to go"
press 4 5 3
sees "6 to go"
# A digit is shown before it is committed, a note after; they are committed in
# the order of the keys.
press F12
sees "Your note on this task"
type_text "kept"
press Enter
sees "note: kept" "1-5 rate, go on"
killed
continued 0
sees "Rate the final answer" "6 to go" "note: kept"
rated "Accuracy" 4
rated "Completeness" 5
rated "Conciseness" 3
ok

step "undo and rating work across the crash"
press u
sees "7 to go"
press 2 4 4 4 4 4 y
sees "complete: enter commits"
rated "Conciseness" 2
press Enter
sees "task 2 of 3" "An order in which to build" "1 of 3 tasks done"
ok

step "killed between tasks: the next one waits"
killed
continued 0
sees "task 2 of 3" "An order in which to build" "1 of 3 tasks done"
ok

step "killed while judging: the answer is there, the verdict comes by itself"
press Enter
sees "your prompt" "attempt 1 of 10"
type_text "Order the modules."
press C-s
sees "y satisfied" "tests … running"
press Home
sees "We can build the order step by step" "tests … running"
killed
continued 0
sees "We can build the order step by step" "y satisfied" "attempt 1 of 10"
sees "tests ✗ 6/15"
press 2
sees "✗ time limit"
ok

step "refined once: killed with the second draft"
press r
sees "your next message" "attempt 2 of 10" "1 turn before"
type_text "It never ends on a circle."
sees "It never ends on a circle."
typed=$(now)
poll "a second has passed" long_ago
killed
continued 0
sees "It never ends on a circle." "your next message" "attempt 2 of 10"
press C-s
sees "y satisfied" "tests … running" "attempt 2 of 10"
press Home
sees "You are right" "tests … running"
killed
continued 0
sees "You are right" "attempt 2 of 10" "tests ✗ 14/15"
ok

step "refined twice: the third attempt is accepted and rated"
press r
sees "your next message" "attempt 3 of 10" "2 turns before"
type_text "Too slow for long chains."
sees "Too slow for long chains."
press C-s
sees "tests ✓ 15/15" "attempt 3 of 10"
press 3
sees "attempt 2 → attempt 3"
# All at once: keys that are pressed ahead of a commit must not be lost.
press y 5 5 4 4 4 4 5 5 y Enter
sees "task 3 of 3" "Replay a small cache" "2 of 3 tasks done"
ok

step "killed while paused: the draft is there"
press Enter
sees "your prompt" "attempt 1 of 10"
type_text "Replay the cache."
sees "Replay the cache."
press F2
sees "‖ Paused" "Everything is saved"
killed
continued 0
sees "Replay the cache." "attempt 1 of 10"
ok

step "given up, rated: the summary"
press C-s
sees "tests ✗" "y satisfied"
press g
sees "given up: u takes it back" "10 to go"
press 2 2 2 2 2 2 2 2 n c
sees "complete: enter commits"
press Enter
sees "Session finished" "3 tasks: 2 satisfied, 1 given up" "4.67"
ok

step "the program leaves, and leaves nothing running"
children=$(descendants "$PID")
press Enter
sees "1 session" "none open"
press r
sees "✓ finished" "3/3" "4.67"
press Enter
sees "3 tasks: 2 satisfied, 1 given up"
press Enter
sees "Replay a small cache" "✗ given up" "3 of 3 tasks"
press Escape
sees "all sessions"
press Escape
sees "none open"
press q
poll "the program has ended" dead
poll "the processes that it started are gone" ended $children
ok

if has_verb session; then
	step "assay session verify finds the log whole"
	verb session verify
	grep -qE '✓ .* [0-9]+ events' "$DIR/out" || fail "assay session verify says: $(cat "$DIR/out")"
	ok
fi
if has_verb report; then
	step "assay report tells of the session"
	verb report last
	grep -q 'read-port' "$DIR/out" || fail "assay report says: $(cat "$DIR/out")"
	ok
fi

step "no temporary file is left"
[ -z "$(ls -A "$DIR/tmp")" ] || fail "left behind: $(ls -A "$DIR/tmp")"
ok

echo "$PASSED passed, 0 failed"
