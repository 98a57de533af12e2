#!/bin/sh
# Says where the processor time of judging goes, by perf, which must be allowed to look at
# the kernel (as root, mostly), on a machine that does little else:
#
#   stages.sh ASSAY SAMPLES TASKS [WORKERS]
set -eu
if [ $# -lt 3 ]; then
    sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
perf record -q -a -g -F 2999 -o "$dir/data" -- "$1" eval "$2" --tasks "$3" --workers "${4:-$(nproc)}" --run-only --json >"$dir/summary" 2>/dev/null
perf script -i "$dir/data" --show-task-events -F comm,pid,tid,time,event,ip,sym 2>/dev/null |
    "${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/stages.py" "$dir/summary" "$(basename "$1")"
