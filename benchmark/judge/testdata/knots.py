# Holds what becomes of values with sharing and cycles on their way to the checker against Python's own ==: of each
# graph that is made at random, and of an expected value that is a tree.
#
#   knots.py CODEC STANDARD COMPARE SEED GRAPHS
import random
import sys

for name in sys.argv[1:4]:
    with open(name) as f:
        exec(f.read())
random.seed(int(sys.argv[4]))
steps = 0


class Counted(StandardEncoder):
    def part(self, value, depth):
        global steps
        steps += 1
        return StandardEncoder.part(self, value, depth)


def graph():
    """The last of up to sixty values that have earlier ones as parts, and of which some get later ones."""
    cyclic, made = random.random() < 0.5, [random.randrange(2, 9), "a"]
    for _ in range(random.choice((3, 5, 8, 12) if random.random() < 0.98 else (90,))):
        near = made[-3:]
        parts = [random.choice(near) for _ in range(random.randrange(3))]
        kind = random.randrange(5)
        if kind == 3:
            made.append({i: p for i, p in enumerate(parts)})
        elif kind == 4:
            made.append(frozenset(p for p in parts if type(p) in (int, str, frozenset)))
        else:
            made.append(tuple(parts) if kind == 2 else parts)
    if cyclic:
        for v in random.choices(made, k=4):
            if type(v) is list:
                v.append(random.choice(made))
            elif type(v) is dict:
                v["x"] = random.choice(made)
    return made[-1], len(made)


def tree(v, depth, room):
    """v as far as it is no deeper; what is deeper is a number."""
    room[0] -= 1
    kind = type(v)
    if kind in (int, str):
        return v
    if depth == 0 or room[0] < 0:
        return random.choice((0, [], {}))
    if kind is dict:
        return {k: tree(p, depth - 1, room) for k, p in v.items()}
    if kind is frozenset:
        return v
    return kind(tree(p, depth - 1, room) for p in v)


def sent(value):
    return decode(json.loads("".join(_encode(Counted().encode(value), 0))))


equal = 0
for _ in range(int(sys.argv[5])):
    value, objects = graph()
    expected = tree(value, random.choice((2, 5, 99)), [500])
    steps = 0
    got = sent(value)
    if steps > 20 * objects + 20:
        sys.exit("%d steps for %d objects" % (steps, objects))
    if len(text_of(value)) > 30 * _SHOWN:
        sys.exit("a text is too long")
    try:
        want = value == expected
    except RecursionError:
        want = False
    if same(got, sent(expected)) is not want:
        sys.exit("%s is %s, Python says %s" % (text_of(got), expected, want))
    equal += want
print(equal)
