#!/bin/sh
# Compares assay's speed with other harnesses on the same samples. Runs are
# interleaved, since a machine's speed changes from minute to minute, and only the
# ratios within one run of this script mean anything.
#
#   peers.sh ASSAY SAMPLES TASKS [HUMAN_EVAL_CHECKOUT [ROUNDS [WORKERS [EVALPLUS_CHECKOUT]]]]
#
# WORKERS is how many samples at a time the others run, by default one for each
# processor. Several numbers, as in "2 4", are tried one after the other, so that each
# harness has what suits it best. assay finds its own.
# ASSAY is the program; SAMPLES and TASKS are HumanEval's files (completions, plain;
# tasks, plain or gzip). The checkout is of github.com/openai/human-eval, in which
# the execution of code must have been enabled as its README says, the other of
# github.com/evalplus/evalplus, which needs numpy and psutil; "-" leaves one out.
# WARNING: the peers run the samples with all your rights. Give them only
# samples that you trust, such as the canonical solutions.
set -eu
if [ $# -lt 3 ]; then
    sed -n '2,19s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
assay=$1 samples=$2 tasks=$3 checkout=${4:--} rounds=${5:-3} workers=${6:-$(nproc)} plus=${7:--}
here=$(dirname "$0")
python=${PYTHON:-/usr/bin/python3}

# With CPU=1, the CPU time of everything that was run, also of what was killed, by
# perf. It slows down what forks and switches much, and so assay more than others:
# the rates of such a run mean little.
timed() {
    if [ "${CPU:-}" = 1 ]; then
        perf stat -x, -e task-clock -o "$cpu" "$@"
    else
        "$@"
    fi
}
cpu=$(mktemp)
trap 'rm -f "$cpu"' EXIT

report() { # name samples accepted seconds
    ms=$(awk -F, '/task-clock/ {print $1}' "$cpu" 2>/dev/null || true)
    awk -v n="$1" -v s="$2" -v a="$3" -v t="$4" -v ms="${ms:-0}" \
        'BEGIN { printf "%-14s %6d samples  %6d accepted  %8.1f samples/s", n, s, a, s / t; if (ms > 0) printf "  %6.2f CPU ms each", ms / s; print "" }'
    : >"$cpu"
}

for round in $(seq "$rounds"); do
    echo "round $round"
    for isolation in warm strict; do
        out=$(timed "$assay" eval "$samples" --tasks "$tasks" --isolation "$isolation" --run-only --json 2>/dev/null)
        set -- $(echo "$out" | "$python" -c 'import json,sys; r=json.load(sys.stdin); print(r["samples"], r["accepted"], r["seconds"])')
        report "assay-$isolation" "$@"
    done
    for peer in human-eval evalplus floor; do
        from=-
        case $peer in
        human-eval) from=$checkout ;;
        evalplus) from=$plus ;;
        esac
        if [ $peer != floor ] && [ "$from" = - ]; then
            continue
        fi
        for n in $workers; do
            set -- $(timed "$python" "$here/peers.py" $peer "$from" "$samples" "$tasks" "$n" 2>/dev/null | tail -1)
            shift
            report "$peer x$n" "$@"
        done
    done
done
