"""A model that talks: talk.py TOKENS-A-SECOND SECONDS. It prints words and code, in
lower case and ASCII but for one sign at the beginning, in pieces of ten milliseconds."""

import random
import sys
import time

rate, seconds = float(sys.argv[1]), float(sys.argv[2])
sys.stdin.read()
words = "we keep two counters of letters one for each side and move the cut along the text while both are of the same size".split()
random.seed(1)


def tokens():
    while True:
        for sentence in range(6):
            for word in range(random.randint(6, 14)):
                yield random.choice(words) + " "
            yield "\n" if sentence % 3 else "\n\n"
        yield "\n```python\n"
        for line in range(random.randint(4, 12)):
            for part in ("    left", "[", random.choice("abc"), "]", " += ", "right", "[", random.choice("xyz"), "]", "\n"):
                yield part
        yield "```\n\n"


stream = tokens()
sys.stdout.write("☉ ")
began, said = time.monotonic(), 0
while (now := time.monotonic() - began) < seconds:
    while said < now * rate:
        sys.stdout.write(next(stream))
        said += 1
    sys.stdout.flush()
    time.sleep(0.01)
sys.stdout.write("\n\n☾\n")
