#!/bin/sh
# Simulates every interval and test with ASSAY_SIMULATIONS (20) times as many data sets as
# the tests do by default, and writes the table.
set -e
cd "$(dirname "$0")/../.."
go=${1:-go}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0
ASSAY_SIMULATIONS=${ASSAY_SIMULATIONS:-20} $go test -count=1 -timeout 180m -v -run Calibrate ./scoring/... ./session/... >"$log" 2>&1 || failed=1
grep -E '^(--- FAIL|FAIL|ok)|, want ' "$log" | grep -v 'no test' || true
{
	cat <<-END
	# How often intervals cover and tests reject

	Each row is a simulation: of a 95 % interval the share of data sets in which it covers
	what it estimates, of a test at 5 % the share in which it rejects a null that is true.
	"withheld" is the share in which the method gave nothing, and said so; the rate is of
	the others. Rows that say "before" are methods that were replaced. \`make calibrate\`
	writes this table.

	| what | setting | nominal | rate | withheld | data sets |
	|:--|:--|--:|--:|--:|--:|
	END
	sed -n 's/^.*calibrate: \(.*\)$/| \1 |/p' "$log" | LC_ALL=C sort
} >scoring/calibrate/RESULTS.md
exit $failed
