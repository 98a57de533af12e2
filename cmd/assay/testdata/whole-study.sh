#!/usr/bin/env bash
#
# whole-study.sh BIN
#
# A blind study of two arms and two testers from its file to the report that names the models, as the manual
# tells it, by keys in a real terminal (tmux, 80x24): one tester works on a machine of their own from a packed
# file, one over SSH; consent, practice, tasks, breaks, ratings, attention checks, survey, handing in; then two
# raters, and unblinding. Before that no screen, no file of a tester and no report may name a model.
#
# Exit code: 0 all passed, 1 a step failed, 2 usage, 77 this machine cannot.

set -u
export LC_ALL=C.UTF-8

[ $# = 1 ] || { echo "usage: $0 BIN" >&2; exit 2; }
BIN=$(realpath -- "$1") && [ -x "$BIN" ] || { echo "$0: $1 is not a program" >&2; exit 2; }
. "$(dirname -- "$0")/terminal.sh"

MODELS="fast-horse slow-horse" # the names that nobody may read

# program ARGS…: the owner's program outside of the terminal.
OWNER=(env -i PATH="$PATH" LC_ALL=C.UTF-8 HOME="$DIR/home" TMPDIR="$DIR/tmp" XDG_CONFIG_HOME="$DIR/home/config"
	XDG_DATA_HOME="$DIR/home/data" XDG_STATE_HOME="$DIR/home/state" XDG_CACHE_HOME="$DIR/home/cache"
	ASSAY_STORE="$DIR/home/assay.db" ASSAY_REHEARSAL_PACE=0 "$BIN")
program() { "${OWNER[@]}" "$@"; }

# blind: no model is named on the screen.
blind() {
	local word shown
	shown=$(screen)
	for word in $MODELS; do case $shown in *"$word"*) fail "the screen shows: $word" ;; esac; done
}

# then KEY TEXT…: press a key and wait for the texts.
after() {
	local key=$1
	shift
	press "$key"
	sees "$@"
	blind
}

# form N COMPLETE: fill the form until it is complete.
form() {
	local i=0
	until shows "$2"; do
		i=$((i + 1))
		[ $i -lt 40 ] || fail "the form is never complete"
		case $(screen | grep '▸') in
		*"Please choose 2"*) press 2 ;;
		*"Explanation"*) press y ;;
		*"What the model got wrong"*) press c ;;
		*) press $((1 + (i + $1) % 5)) ;;
		esac
		nap
	done
	blind
}

# task N: the next task, by two prompts; every third is given up.
task() {
	after Enter "your prompt"
	type_text "Write what the statement asks for."
	after C-s "y satisfied" "tests – hidden"
	if [ $(($1 % 3)) = 2 ]; then
		after g "Rate the final answer"
	else
		after r "your next message"
		type_text "Once more, and handle the edges."
		after C-s "y satisfied" "tests – hidden"
		after y "Rate the final answer"
	fi
	form $1 "complete: enter commits"
	press Enter
}

# sitting PART: one session of a tester, from the study's words to its end.
sitting() {
	sees "Judge each answer" "Your terminal"
	until shows "y I agree"; do press Space; nap; done
	after y "open the task"
	local tasks=2 i
	[ "$1" = 1 ] && tasks=3
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
	if [ "$1" = 1 ]; then # its results could influence the next
		sees "Session finished" "another session for you (2 of 2)" "your results after the last"
		blind
		return
	fi
	sees "How was it?" # a person is asked once, at the end
	after 1 "What else?"
	type_text "nothing"
	after Enter "All 2 questions answered"
	press Enter
	sees "Session finished" "That was your last session"
	blind
}

# remote NAME PLACE: a tester on a machine of their own, who has nothing but a packed file.
remote() {
	WHO=$1
	step "$1 at home, session 1"
	assay 0 study join "$DIR/places/two-hidden-models-place-$2.study" --tester "$1"
	sitting 1
	after Enter "Next session of Two hidden models"
	press q
	poll "the program ends" dead
	ok
	step "$1 at home, session 2, and the file to hand in"
	assay 0 study join
	sitting 2
	after w "send this file to the study's owner" "two-hidden-models-place-$2.assay"
	after Enter "none open"
	press q
	poll "the program ends" dead
	for word in $MODELS; do
		grep -rqa "$word" "$DIR/$1" && fail "$(grep -rla "$word" "$DIR/$1" | head -3) names $word"
	done
	ok
	WHO=home
}

# guest NAME CODE: a tester over SSH.
guest() {
	WHO=$1
	step "$1 over SSH, both sessions"
	in_pane "ssh -tt -F /dev/null -o LogLevel=ERROR -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -p $PORT any@127.0.0.1"
	sees "code"
	type_text "$2"
	after Enter "You work here as $1" "Session 1 of 2 is next"
	press Enter
	sitting 1
	after Enter "Session 2 of 2 is next"
	press Enter
	sitting 2
	after Enter "You have finished all 2 sessions"
	press q
	poll "the connection ends" dead
	ok
	WHO=home
}

# rater NAME: rates two answers on the owner's machine.
rater() {
	step "$1 rates"
	assay 0 rate answers "$DIR/ratings.jsonl" --rater "$1"
	sees "1 of 2" "v form"
	after v "your rating of the final answer"
	form 1 "1 of 2 rated"
	after Enter "v form"
	after v "your rating of the final answer"
	form 2 "2 of 2 rated"
	press q
	poll "the program ends" dead
	ok
}

# --- the study ---

step "the study file, its plan and its lock"
mkdir -p "$DIR/home/config/assay"
printf '[[model]]\nname = "fast-horse"\nprovider = "rehearsal"\ntokens_per_second = 0\n[[model]]\nname = "slow-horse"\nprovider = "rehearsal"\ntokens_per_second = 0\n' \
	>"$DIR/home/config/assay/models.toml"
cat >"$DIR/study.toml" <<'STUDY'
name = "Two hidden models"
version = 1
instructions = "Judge each answer."
[tasks]
benchmark = "starter"
sets = 2
per_set = 2
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
task = 2
text = "Please choose 2 here"
score = 2
[breaks]
tasks = 1
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
program study check "$DIR/study.toml" >/dev/null 2>&1 || fail "the study file is refused"
program study freeze "$DIR/study.toml" >/dev/null 2>&1 || fail "it cannot be frozen"
program study pack "$DIR/study.toml" --out "$DIR/places" --place 1 >/dev/null 2>&1 || fail "it cannot be packed"
program study reserve "$DIR/study.toml" 2 --for dan 2>/dev/null || fail "no place can be reserved"
[ "$(program study plan "$DIR/study.toml" 2>/dev/null | grep -c -e packed -e 'reserved for dan')" = 2 ] || fail "the plan does not show who has which place"
ok

remote ann 1

step "the study is served"
command -v ssh >/dev/null || { echo "skipped: ssh is missing"; exit 77; }
INVITED=$(program serve invite dan) || fail "nobody can be invited"
"${OWNER[@]}" serve "$DIR/study.toml" --listen 127.0.0.1:0 >"$DIR/served.txt" 2>"$DIR/served.log" &
SERVER=$!
trap 'kill $SERVER 2>/dev/null; cleanup' EXIT
poll "the server listens" grep -q "served at" "$DIR/served.txt"
PORT=$(sed -n 's/.*served at [^ ]*:\([0-9]*\);.*/\1/p' "$DIR/served.txt")
ok
guest dan "$(echo "$INVITED" | awk '$1 == "dan" { print $2 }')"
kill $SERVER
wait $SERVER 2>/dev/null

step "what was handed in is collected, once"
program study collect --study "$DIR/study.toml" "$DIR"/ann/*.assay >"$DIR/collect.txt" 2>&1 || fail "$(cat "$DIR/collect.txt")"
program study collect --study "$DIR/study.toml" "$DIR"/ann/*.assay 2>&1 | grep -q "nothing new" || fail "the second time is not noticed"
program study watch "$DIR/study.toml" >"$DIR/watch.txt" || fail "watch fails"
grep -q "2 places: 2 done" "$DIR/watch.txt" || fail "$(cat "$DIR/watch.txt")"
grep -q "^2 .* dan " "$DIR/watch.txt" || fail "dan has not the place that was kept for him: $(cat "$DIR/watch.txt")"
ok

program rate plan "$DIR/ratings.jsonl" --raters dora,eve --per-rater 2 --seed 1 >/dev/null 2>&1
rater dora
rater eve

step "the report and a reviewer's bundle are blind, and add up"
program rate close "$DIR/ratings.jsonl" --by owner >/dev/null 2>&1 || fail "the rating cannot be closed"
program report --study "$DIR/study.toml" --overlap "$DIR/ratings.jsonl" --out "$DIR/report" >/dev/null 2>&1 || fail "there is no report"
mkdir "$DIR/unpacked"
program session export --bundle "$DIR/blind.assay" --study "$DIR/study.toml" --ratings "$DIR/ratings.jsonl" >/dev/null 2>&1 || fail "there is no bundle"
tar -xzf "$DIR/blind.assay" -C "$DIR/unpacked"
for word in $MODELS; do
	grep -rqa "$word" "$DIR/report" "$DIR/watch.txt" "$DIR/unpacked" && fail "$(grep -rla "$word" "$DIR/report" "$DIR/watch.txt" "$DIR/unpacked" | head -3) names $word"
done
grep -q "Model A" "$DIR/report/report.md" && grep -q "Model B" "$DIR/report/report.md" || fail "the arms are not named"
program report --check "$DIR/report" >"$DIR/check.txt" 2>&1 || fail "$(cat "$DIR/check.txt")"
program session verify >/dev/null || fail "a log is not whole"
program session verify "$DIR/blind.assay" >"$DIR/verify.txt" 2>&1 || fail "$(cat "$DIR/verify.txt")"
grep -q "blind: no model is named; with the raters' ratings" "$DIR/verify.txt" || fail "$(cat "$DIR/verify.txt")"
ok

step "unblinded, on record"
program study unblind "$DIR/study.toml" >/dev/null 2>&1 && fail "it needs no reason"
program study unblind "$DIR/study.toml" --reason "all are finished" 2>/dev/null | grep -q "Model A.*fast-horse" || fail "unblind names nothing"
program study watch | grep -q "4 of 4 sessions were finished: all are finished" || fail "watch does not tell"
program report --study "$DIR/study.toml" 2>/dev/null | grep -q "fast-horse" || fail "the report is blind still"
program session export --bundle "$DIR/open.assay" --study "$DIR/study.toml" >/dev/null 2>&1 || fail "there is no bundle"
program session verify "$DIR/open.assay" >"$DIR/verify.txt" 2>&1 || fail "$(cat "$DIR/verify.txt")"
tar -xzOf "$DIR/open.assay" study/unblinded.json | grep -q "all are finished" || fail "the bundle does not tell"
ok

echo "$PASSED passed, 0 failed"
