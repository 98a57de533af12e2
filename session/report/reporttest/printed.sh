#!/bin/sh
#
# printed.sh PAGES DIRECTORY...: prints each report's page and fails where it takes more pages, or has type below 6 pt.
# Needs chromium, pdfinfo (poppler-utils) and mutool (mupdf-tools), which reports each text's size as it is on paper.

set -eu
most=$1
shift
failed=0
pdf=$(mktemp --suffix=.pdf)
trap 'rm -f "$pdf"' EXIT
for report; do
	chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf="$pdf" "file://$(realpath "$report")/report.html" >/dev/null 2>&1
	pages=$(pdfinfo "$pdf" | awk '/^Pages:/{print $2}')
	smallest=$(mutool draw -q -F stext -o - "$pdf" | grep -o '<font name="[^"]*" size="[^"]*"' | sed 's/.*size="//; s/"$//' | sort -n | head -1)
	echo "$report: $pages pages, smallest type $smallest pt"
	if [ "$pages" -gt "$most" ] || [ "$(echo "$smallest < 6" | bc)" = 1 ]; then
		failed=1
	fi
done
exit $failed
