#!/usr/bin/env bash
#
# whole-study.sh BIN
#
# A study of two arms, two testers and six tasks in each of a tester's two sessions, from
# its file to its report, by keys in a real terminal (tmux, 80x24): consent, practice,
# tasks, breaks, ratings, attention checks, survey. No screen, and no file of the report,
# may name a model before the study is unblinded.
#
# Exit code: 0 all passed, 1 a step failed, 2 usage, 77 this machine cannot.

set -u
export LC_ALL=C.UTF-8

[ $# = 1 ] || { echo "usage: $0 BIN" >&2; exit 2; }
BIN=$(realpath -- "$1") && [ -x "$BIN" ] || { echo "$0: $1 is not a program" >&2; exit 2; }
. "$(dirname -- "$0")/terminal.sh"

MODELS="fast-horse slow-horse" # the names that nobody may read

# program ARGS…: the program outside of the terminal, in the same home.
program() {
	env -i PATH="$PATH" LC_ALL=C.UTF-8 HOME="$DIR/home" TMPDIR="$DIR/tmp" XDG_CONFIG_HOME="$DIR/home/config" \
		XDG_DATA_HOME="$DIR/home/data" XDG_STATE_HOME="$DIR/home/state" XDG_CACHE_HOME="$DIR/home/cache" \
		ASSAY_STORE="$DIR/home/assay.db" "$BIN" "$@"
}

# blind: no model is named on the screen.
blind() { for word in $MODELS; do lacks "$word"; done; }

# then KEY TEXT…: press a key and wait for the texts.
after() {
	local key=$1
	shift
	press "$key"
	sees "$@"
	blind
}

# task N: the next task, by two prompts; every third is given up.
task() {
	after Enter "your prompt"
	type_text "Write what the statement asks for."
	after C-s "y satisfied" "tests – hidden"
	if [ $(($1 % 3)) = 2 ]; then
		after g "Give this task up"
		after y "Rate the final answer"
	else
		after r "your next message"
		type_text "Once more, and handle the edges."
		after C-s "y satisfied" "tests – hidden"
		after y "Rate the final answer"
	fi
	local i=0
	until shows "complete: enter commits"; do
		i=$((i + 1))
		[ $i -lt 40 ] || fail "the form is never complete"
		case $(screen | grep '▸') in
		*"Please choose 2"*) press 2 ;;
		*"Explanation"*) press y ;;
		*"What the model got wrong"*) press c ;;
		*) press $((1 + (i + $1) % 5)) ;;
		esac
		sleep 0.15
	done
	blind
	press Enter
}

# sitting CODE NAME PART: one session of a tester, from joining to the survey.
sitting() {
	step "tester $2, session $3"
	assay 0 --study "$DIR/study.toml" --join "$1" --tester "$2"
	sees "Judge each answer" "Your terminal"
	until shows "y I agree"; do press Space; sleep 0.1; done
	after y "open the task"
	local tasks=6 i
	[ "$3" = 1 ] && tasks=7
	for ((i = 0; i < tasks; i++)); do
		if shows "Time for a break"; then
			after Enter "the study wants a break"
			after b "‖ Break"
			sleep 1.2
			after Enter "open the task"
		fi
		task $i
		if [ $((i + 1)) -lt $tasks ]; then sees "The clock starts"; fi
	done
	if [ "$3" = 2 ]; then # a person is asked once, at the end
		sees "How was it?"
		after 1 "What else?"
		type_text "nothing"
		after Enter "All 2 questions answered"
		press Enter
	fi
	sees "Session finished"
	blind
	after Enter "none open"
	press q
	poll "the program ends" dead
	ok
}

# --- the study ---

step "the study file, its plan and its lock"
mkdir -p "$DIR/home/config/assay"
printf '[[model]]\nname = "fast-horse"\nprovider = "command"\ncommand = ["cat", "%s"]\n[[model]]\nname = "slow-horse"\nprovider = "command"\ncommand = ["cat", "%s"]\n' \
	"$DIR/answer.md" "$DIR/answer.md" >"$DIR/home/config/assay/models.toml"
printf 'Here:\n\n```python\ndef solve(*args):\n    return None\n```\n' >"$DIR/answer.md"
cat >"$DIR/study.toml" <<'STUDY'
name = "Two hidden models"
version = 1
instructions = "Judge each answer."
[tasks]
benchmark = "starter"
sets = 2
per_set = 6
practice = true
[[arm]]
name = "first"
model = "fast-horse"
shown = "Model A"
[[arm]]
name = "second"
model = "slow-horse"
shown = "Model B"
[design]
arms = "within"
testers = 2
seed = 3
[session]
k = 3
tests = "none"
suffix = "Explain the code."
[practice]
gate = "judged"
[[attention]]
task = 4
text = "Please choose 2 here"
score = 2
[breaks]
tasks = 4
seconds = 1
forced = true
[consent]
version = "7"
text = "You agree that your prompts are recorded."
[[survey]]
id = "mood"
text = "How was it?"
choices = ["fine", "not so fine"]
[[survey]]
id = "words"
text = "What else?"
optional = true
STUDY
program study check "$DIR/study.toml" >/dev/null || fail "the study file is refused"
program study freeze "$DIR/study.toml" >/dev/null 2>&1 || fail "it cannot be frozen"
CODES=$(program study plan "$DIR/study.toml" | awk 'NR > 1 { print $2 }')
[ "$(echo "$CODES" | wc -l)" = 2 ] || fail "there are not two codes: $CODES"
ok

n=0
for code in $CODES; do
	n=$((n + 1))
	sitting "$code" "T$n" 1
	sitting "$code" "T$n" 2
done

step "the report is blind, and adds up"
program study watch >"$DIR/watch.txt" || fail "watch fails"
program report all --out "$DIR/report" >/dev/null 2>&1 || fail "there is no report"
for word in $MODELS; do
	grep -rqa "$word" "$DIR/report" "$DIR/watch.txt" && fail "$(grep -rla "$word" "$DIR/report" "$DIR/watch.txt" | head -3) names $word"
done
grep -q "Model A" "$DIR/report/report.md" && grep -q "Model B" "$DIR/report/report.md" || fail "the arms are not named"
program report --check "$DIR/report" >"$DIR/check.txt" 2>&1 || fail "$(cat "$DIR/check.txt")"
program session verify >/dev/null || fail "a log is not whole"
ok

step "unblinded, on record"
program study unblind "$DIR/study.toml" >/dev/null 2>&1 && fail "it needs no reason"
program study unblind "$DIR/study.toml" --reason "all are finished" 2>/dev/null | grep -q "Model A.*fast-horse" || fail "unblind names nothing"
program study watch | grep -q "4 of 4 sessions were finished: all are finished" || fail "watch does not tell"
program report all | grep -q "fast-horse" || fail "the report is blind still"
ok

echo "$PASSED passed, 0 failed"
