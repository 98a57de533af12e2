#!/bin/sh
# Simulates every interval and test, with ASSAY_SIMULATIONS data sets for each row (a tenth
# of them where one takes seconds), and writes the table.
set -e
cd "$(dirname "$0")/../.."
go=${1:-go}
n=${ASSAY_SIMULATIONS:-1000}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0
simulate() {
	ASSAY_SIMULATIONS=$1 $go test -count=1 -timeout 180m -v -run Calibrate $2 >>"$log" 2>&1 || failed=1
}
fast=$($go list ./scoring/... ./session/... | grep -v -e /irt -e /study -e /stats)
simulate "$n" "$fast"
simulate $((n / 4 + 1)) ./scoring/stats
simulate $((n / 10 + 1)) "./scoring/irt ./session/study"
grep -E '^(--- FAIL|FAIL|ok)' "$log" | grep -v 'no test' || true
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
