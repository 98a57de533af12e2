# Properties: what holds for every input, tried on inputs that are drawn. Draws come from
# choices, small numbers of which 0 is always the simplest; an input on which a property fails is
# shrunk by making its choices fewer and smaller, so that whatever is drawn can be shrunk.
import copy
import random

_RUNS = 100            # inputs of a property that does not say how many
_REDRAWS = 100         # draws for one input that its property is given, and for one more part that differs from others
_MOST_SHRINKS = 500    # inputs that are tried to shrink one


class Choices:
    """Where draws come from: a source of random numbers, or a list of choices, after which all are 0."""

    def __init__(self, source):
        self.random = source if isinstance(source, random.Random) else None
        self.given = [] if self.random else source
        self.made = []

    def draw(self, n, likely=None):
        """A number from 0 to n - 1. At random it is one that likely gives, if that is given."""
        if self.random:
            k = likely(self.random) if likely else self.random.randrange(n)
        else:
            k = min(self.given[len(self.made)], n - 1) if len(self.made) < len(self.given) else 0
        self.made.append(k)
        return k


def drawn(gen, choices):
    """A value of a generator, see benchmark.Generator."""
    kind = next(k for k in _KINDS if k in gen)
    return _KINDS[kind](gen, gen[kind], choices)


def _int(gen, ends, choices):
    return _whole(ends[0], ends[1], choices)


def _whole(low, high, choices):
    """A whole number. The simplest one is nearest to 0, and then those away from it, upwards first. Small ones and the ends
    are more likely than others."""
    near = min(max(0, low), high)

    def likely(source):
        kind = source.randrange(8)
        if kind < 2:
            return place(source.choice((low, high)))
        if kind < 6:
            return place(source.randint(max(low, near - 10), min(high, near + 10)))
        return place(source.randint(low, high))

    def place(value):
        return value - near if value >= near else high - near + near - value

    k = choices.draw(high - low + 1, likely)
    return near + k if k <= high - near else near - (k - (high - near))


def _float(gen, ends, choices):
    low, high = ends
    first, last = -int(-low // 1), int(high // 1)
    if first <= last and choices.draw(2) == 0:
        return float(_whole(first, last, choices))
    return low + (high - low) * choices.draw(1 << 53) / (1 << 53)


def _parts(gen, choices, part):
    """A list of parts, as many as the size says: each but the first ones is asked for by a choice."""
    low, high = gen["size"]
    parts = []
    while len(parts) < high and (len(parts) < low or choices.draw(2 + (high - low) // 2)):
        parts.append(part())
    return parts


def _different(gen, choices, part, key=lambda p: p):
    """The same with parts that differ; fewer where no others are found."""
    known, low = [], gen["size"][0]

    def fresh():
        for _ in range(_REDRAWS):
            p = part()
            if not any(type(key(q)) is type(key(p)) and key(q) == key(p) for q in known):
                known.append(p)
                return p
        return _NOTHING

    parts = [p for p in _parts(gen, choices, fresh) if p is not _NOTHING]
    if len(parts) < low:
        raise Undrawn("there are no %d different ones: %s" % (low, short(parts)))
    return parts


class Undrawn(Exception):
    """No value can be drawn."""


def _list(gen, of, choices):
    parts = (_different if gen.get("unique") else _parts)(gen, choices, lambda: drawn(of, choices))
    return sorted(parts) if gen.get("sorted") else parts


def _dict(gen, of, choices):
    return dict(_different(gen, choices, lambda: (drawn(of[0], choices), drawn(of[1], choices)), lambda p: p[0]))


_KINDS = {
    "int": _int,
    "float": _float,
    "bool": lambda gen, of, choices: bool(choices.draw(2)),
    "text": lambda gen, of, choices: "".join(_parts(gen, choices, lambda: of[choices.draw(len(of))])),
    "list": _list,
    "set": lambda gen, of, choices: set(_different(gen, choices, lambda: drawn(of, choices))),
    "dict": _dict,
    "tuple": lambda gen, of, choices: tuple(drawn(g, choices) for g in of),
    "one_of": lambda gen, of, choices: decode(of[choices.draw(len(of))], True),
    "any_of": lambda gen, of, choices: drawn(of[choices.draw(len(of))], choices),
}


class Property:
    """A property with its inputs, the same for every program."""

    def __init__(self, p, entry):
        self.entry, self.args = entry, p["args"]
        self.name, self.edge = p.get("name") or "", bool(p.get("edge"))
        self.seed = p.get("seed") or 0
        namespace = {"__name__": "property", "__builtins__": builtins}
        exec(compile(p["holds"], "property", "exec", dont_inherit=True), namespace)
        self.holds, self.given = namespace.get("holds"), namespace.get("given")
        if not callable(self.holds):
            raise ValueError("the property %s defines no function holds" % self.name)
        source = random.Random(self.seed)
        self.inputs = [self.input(source) for _ in range(p.get("runs") or _RUNS)]

    def input(self, source):
        """The arguments that are drawn, with the choices that they came from."""
        for _ in range(_REDRAWS):
            choices = Choices(source)
            args = [drawn(g, choices) for g in self.args]
            if self.given is None or self.given(*copy.deepcopy(args)) is True:
                return args, choices.made
        raise ValueError("the property %s is given none of %d inputs in a row: draw them otherwise" % (self.name, _REDRAWS))

    def call(self, args):
        return clip("%s(%s)" % (self.entry, ", ".join(short(a) for a in args)))

    def fails(self, run, args):
        """How it fails on an input: a status, a text, and what is the same for failures of one
        kind. None: it holds."""
        run.last = _NOTHING
        try:
            said = self.holds(run.candidate, *copy.deepcopy(args))
        except CallFailed as e:
            return e.status, e.text, None
        except (Unsendable, Stop):
            raise
        except BaseException as e:
            status, text = fault(e)
            return status, text, (status, getattr(e, "_assay_names", None) or type(e).__name__)
        if said is True:
            return None
        return "wrong_answer", clip(said) if type(said) is str else "", ("wrong_answer", "")

    def shrunk(self, run, args, choices, failure):
        """The simplest input that is found on which it fails in the same way."""
        return Shrinking(self, run, args, choices, failure).best


class Shrinking:
    """The search for a simpler input: with fewer choices, and then with smaller ones."""

    def __init__(self, prop, run, args, choices, failure):
        self.prop, self.run, self.left, self.known = prop, run, _MOST_SHRINKS, {repr(args)}
        self.best = args, choices, failure
        before = None
        while self.left > 0 and before is not self.best:
            before = self.best
            self.shorten()
            self.lower()

    def shorten(self):
        n = len(self.best[1])
        for size in sorted({n >> k for k in range(n.bit_length())} | set(range(1, min(n, 8) + 1)), reverse=True):
            i = len(self.best[1]) - size
            while i >= 0:
                i -= size if self.fails(self.best[1][:i] + self.best[1][i + size:]) else 1
                i = min(i, len(self.best[1]) - size)

    def lower(self):
        """Makes each choice as small as it can be, and those that are equal together."""
        for i in range(len(self.best[1])):
            if i < len(self.best[1]):
                self.least([i])
        for k in set(self.best[1]):
            self.least([i for i, other in enumerate(self.best[1]) if other == k])

    def least(self, places):
        """Lowers equal choices at some places, by halves; 0 first, since most do not matter."""
        holds, fails = -1, self.best[1][places[0]] if places else 0
        while fails - holds > 1:
            k = 0 if holds < 0 else (holds + fails) // 2
            choices = list(self.best[1])
            for i in places:
                choices[i] = k
            if self.fails(choices):
                fails = k
                if max(places) >= len(self.best[1]):
                    return  # they are fewer now
            else:
                holds = k

    def fails(self, choices):
        """Whether the property fails in the same way on simpler choices, which are then the best."""
        made, prop = Choices(choices), self.prop
        if self.left <= 0:
            return False
        try:
            args = [drawn(g, made) for g in prop.args]
            if prop.given is not None and prop.given(*copy.deepcopy(args)) is not True:
                return False
        except Exception:  # nothing is known of this input
            return False
        if (len(made.made), made.made) >= (len(self.best[1]), self.best[1]) or repr(args) in self.known:
            return False
        self.known.add(repr(args))
        self.left -= 1
        failure = prop.fails(self.run, args)
        if failure is None or failure[2] != self.best[2][2]:
            if failure is not None and failure[2] is None:
                self.left = 0  # the program does not answer any more
            return False
        self.best = args, made.made, failure
        return True


class PropertyCase(Case):
    """The test case of a property."""

    def __init__(self, run, index, prop):
        text = "%s on %d inputs, seed %d" % (prop.entry, len(prop.inputs), prop.seed)
        Case.__init__(self, run, index, text, "the property holds", prop.edge, prop.name)
        self.prop, self.failure, self.at = prop, None, 0

    def try_all(self):
        """Tries all inputs until it fails on one."""
        for self.at, (args, choices) in enumerate(self.prop.inputs):
            failure = self.prop.fails(self.run, args)
            if failure is None or failure[0] == "not_run" and type(self.run) is Recording:
                continue
            self.failure = args, choices, failure
            self.tell(args, failure)
            return

    def tell(self, args, failure, words=""):
        report = self.report
        where = "input %d of %d, seed %d%s" % (self.at + 1, len(self.prop.inputs), self.prop.seed, words)
        report["status"], report["message"] = failure[0], failure[1]
        if failure[0] != "not_run":
            report["call"] = self.prop.call(args)
            report["message"] = clip("%s (%s)" % (failure[1], where) if failure[1] else where)
            report["got"] = "" if self.run.last is _NOTHING else short(self.run.last)

    def shrink(self):
        """Looks for a simpler input. Its calls are not to be repeated for another program."""
        args, choices, failure = self.failure
        if failure[2] is None:
            return
        self.run.log, self.run.case, self.run.trial = None, self, True
        found, made, failure = self.prop.shrunk(self.run, args, choices, failure)
        self.run.last = _NOTHING
        self.prop.fails(self.run, found)  # so that what it got is of this input
        if made != choices:
            self.tell(found, failure, ", shrunk from " + self.prop.call(args))
        self.run.case, self.run.trial = None, False
