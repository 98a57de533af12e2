# What scripts that drive assay in a real terminal (tmux) have in common; it is sourced.
# BIN is the program. Everything happens in a directory of its own: home, store and tmux
# server are nobody else's.
#
# Exit code: 0 all passed, 1 a step failed, 77 this machine cannot.

for need in tmux bwrap; do
	command -v $need >/dev/null || { echo "skipped: $need is missing"; exit 77; }
done
bwrap --unshare-user --unshare-pid --ro-bind / / true 2>/dev/null ||
	{ echo "skipped: bwrap cannot make a sandbox here"; exit 77; }

PATIENCE=60 # seconds for a text to appear; only a failing step uses them up

DIR=$(mktemp -d) || exit 1
mkdir "$DIR/home" "$DIR/tmp" "$DIR/tmux"
export TMUX_TMPDIR=$DIR/tmux
unset TMUX
PANE=
PASSED=0

# --- the terminal ---

tm() { tmux -u -L assay -f /dev/null "$@"; }

WHO=home # whose home, store and settings: a folder of DIR

# assay PACE [ARGS…]: start the program, as the pane's own process, with the
# recordings played at PACE tokens per second.
assay() {
	local command="ASSAY_REHEARSAL_PACE=$1 '$BIN'"
	shift
	[ $# = 0 ] || command+=$(printf " '%s'" "$@")
	in_pane "$command"
}

# in_pane COMMAND: start a command with variables before it, as the pane's own process.
in_pane() {
	local home=$DIR/$WHO command
	mkdir -p "$home"
	command="exec env -i PATH='$PATH' TERM=\"\$TERM\" LC_ALL=C.UTF-8 HOME='$home' TMPDIR='$DIR/tmp'"
	command+=" XDG_CONFIG_HOME='$home/config' XDG_DATA_HOME='$home/data' XDG_STATE_HOME='$home/state'"
	command+=" XDG_CACHE_HOME='$home/cache' ASSAY_STORE='$home/assay.db' $1"
	if [ -z "$PANE" ]; then
		PANE=$(tm start-server \; set-option -g remain-on-exit on \; set-option -g status off \; \
			new-session -d -P -F '#{pane_id}' -x 80 -y 24 -c "$home" "$command") || fail "tmux does not start"
	else
		tm respawn-pane -k -c "$home" -t "$PANE" "$command" || fail "tmux does not start the program again"
	fi
	PID=$(tm display-message -p -t "$PANE" '#{pane_pid}')
}

screen() { tm capture-pane -p -t "$PANE"; }
dead() { [ "$(tm display-message -p -t "$PANE" '#{pane_dead}')" = 1 ]; }
press() { tm send-keys -t "$PANE" "$@"; }
type_text() { tm send-keys -t "$PANE" -l -- "$1"; }
now() { date +%s%N; }

# --- what is expected ---

fail() {
	echo "not ok  $STEP"
	echo "        $1"
	if [ -n "$PANE" ]; then
		echo "--- screen ---"
		screen
		echo "--------------"
	fi
	echo "$PASSED passed, 1 failed"
	exit 1
}

ok() {
	PASSED=$((PASSED + 1))
	echo "ok      $STEP"
}

step() { STEP=$1; }

# nap: 0.03 s, without a process that is started for it.
exec {NOTHING}<> <(:)
nap() { read -rt 0.03 -u "$NOTHING"; }

# poll WHAT COMMAND…: try the command until it succeeds.
poll() {
	local what=$1 end=$((SECONDS + PATIENCE))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || fail "never: $what"
		nap
	done
}

shows() {
	local text=$1 shown
	shown=$(screen)
	case $shown in *"$text"*) return 0 ;; esac
	dead && fail "the program ended before it showed: $text"
	return 1
}

# sees TEXT…: all of the texts appear on the screen, in any order.
sees() {
	local text
	for text in "$@"; do poll "the screen shows: $text" shows "$text"; done
}

lacks() { shows "$1" && fail "the screen shows: $1"; }

# rated NAME SCORE: the row of the rating form has that score.
rated() { screen | grep -qE "$1 .*\[$2\]" || fail "$1 is not rated $2"; }

cleanup() {
	[ -z "${PID:-}" ] || dead || kill -9 "$PID" 2>/dev/null
	[ -z "$PANE" ] || tm kill-server 2>/dev/null
	rm -rf "$DIR"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP
