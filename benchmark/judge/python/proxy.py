# The checker's side of values that stay with the program. A Remote asks the
# program's process for each thing that a test does with it. It must never be
# able to agree with an expected value, whatever the program answers:
#
# - it equals itself and, as a class or function of Python, that; it has no order;
# - no expected value is sent to it by an operator, by "in", or by a method that
#   a plain value also has: a program that returns an object where a number or a
#   string was asked for would get to answer "are you 3.5?" itself.
#
# - its length, its items and its attributes are read once and stay so until the test
#   changes something: else it could have a length for one half of a test and no items
#   for the other, or be sorted where it is asked item by item.
#
# Where the task itself makes the entry point a class, its instances are what is
# tested. Those, which the checker constructed, do have operators; what their methods
# return, be it the instance itself, is an object like any other.
import copy
import itertools

_MAX_LENGTH = 1 << 24    # what a program may say that an object's length is
_MAX_ITERATOR = 100000   # values of an iterator that a test passes

_PLAIN_NAMES = {n for t in _PLAIN for n in dir(t) if n[:1] != "_"} | set(
    "allclose approx cmp compare compareTo compare_signal compare_to compare_total compare_total_mag eq equal equalTo equal_to equals "
    "isEqual is_close is_equal isclose matches same same_as same_quantum".split())
_SPECIAL_NAMES = {"__name__", "__qualname__", "__doc__", "__dict__"}
_CLASSES = {"generator": types.GeneratorType, "function": types.FunctionType, "coroutine": types.CoroutineType}


class Remote:
    """An object of the program, by its handle in one of its processes."""

    __slots__ = ("_assay_run", "_assay_on", "_assay_life", "_assay_type", "_assay_text", "_assay_known")

    def __init__(self, run, on, life, type_name, text, known=None):
        for slot, value in zip(Remote.__slots__, (run, on, life, type_name, text, known)):
            object.__setattr__(self, slot, value)

    def _assay_ask(self, op, name="", args=(), kwargs={}):
        return self._assay_run.ask(self, op, name, args, kwargs)

    def __repr__(self):
        return self._assay_text or "<%s>" % self._assay_type

    def __eq__(self, other):
        if type(other) in _HANDLES and other._assay_on == self._assay_on and other._assay_life == self._assay_life:
            return True
        return self is other or other is not None and other is self._assay_known

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((self._assay_life, self._assay_on) if self._assay_known is None else self._assay_known)

    @property
    def __class__(self):
        return _CLASSES.get(self._assay_type, type(self))

    def __getattr__(self, name):
        if name[:6] == "_assay" or name[:2] == "__" and name not in _SPECIAL_NAMES:
            raise AttributeError(name)
        if name in _PLAIN_NAMES and not self._assay_plays(name):
            raise AttributeError("the program returned %s, of type %s, which is asked for .%s as a built-in value would be"
                                 % (self, self._assay_type, name))
        value = self._assay_ask("get", name)
        return RemoteMethod(self, name) if value is RemoteMethod else value

    def _assay_plays(self, name):
        return self._assay_type == "generator" and name in ("send", "throw", "close")

    def __setattr__(self, name, value):
        self._assay_ask("set", name, (value,))

    def __delattr__(self, name):
        self._assay_ask("unset", name)

    def __call__(self, *args, **kwargs):
        return self._assay_ask("call", "", args, kwargs)

    def __getitem__(self, key):
        if type(key) is slice:
            raise TypeError("the program returned %s, of type %s, which cannot be sliced" % (self, self._assay_type))
        if type(key) is int:
            n, items = self._assay_fixed()
            if items is not None and -n <= key < n and key not in self._assay_keys():
                return items[key]
        return self._assay_ask("item", "", (key,))

    def __setitem__(self, key, value):
        self._assay_ask("setitem", "", (key, value))

    def __delitem__(self, key):
        self._assay_ask("delitem", "", (key,))

    def _assay_held(self):
        """What is known of it until the test changes something."""
        return self._assay_run.fixed.setdefault((self._assay_life, self._assay_on), {})

    def _assay_fixed(self):
        """The length and the items, each None if there are none or no end of them."""
        held = self._assay_held()
        if "fixed" not in held:
            told = self._assay_ask("items")
            if type(told) is not list or len(told) != 2:
                raise CallFailed("wrong_answer", "an object of the program has no length and no items")
            n, items = told
            if n is None:
                items = None
            elif type(n) is not int or n < 0 or type(items) is list and len(items) != n or items is not None and type(items) is not list:
                raise CallFailed("wrong_answer", "an object of the program claims the length %s and has %s" % (
                    short(n), "%d items" % len(items) if type(items) is list else "others each time"))
            held["fixed"] = n, items
        return held["fixed"]

    def _assay_keys(self):
        """The integers among the items: a mapping has them as keys."""
        held = self._assay_held()
        if "keys" not in held:
            held["keys"] = {item for item in held["fixed"][1] if type(item) is int}
        return held["keys"]

    def _assay_loop(self, op):
        """A loop without a known end. All get the same items, but for those of an iterator, which go on."""
        held = self._assay_held()
        if op not in held:
            of = self._assay_ask(op)
            if of == self or not isinstance(of, Remote):
                return Iteration(of)
            held[op], = itertools.tee(each(Iteration(of)), 1)
        return copy.copy(held[op])

    def __len__(self):
        n, _ = self._assay_fixed()
        if n is None:
            raise TypeError("the program returned %s, of type %s, which has no length" % (self, self._assay_type))
        if n > _MAX_LENGTH:
            raise OverflowError("an object of the program claims the length %s" % short(n))
        return n

    def __length_hint__(self):
        return 0  # no memory is set aside on the program's word

    def __bool__(self):
        return self._assay_ask("bool") is True

    def __str__(self):
        text = self._assay_ask("str")
        return text if type(text) is str else repr(self)

    def __iter__(self):
        n, items = self._assay_fixed()
        if items is not None:
            return iter(items[:])
        if n is not None:
            raise TypeError("the program returned %s, of type %s, which cannot be looped over" % (self, self._assay_type))
        return self._assay_loop("iter")

    def __reversed__(self):
        _, items = self._assay_fixed()
        return self._assay_loop("reversed") if items is None else iter(items[::-1])

    def __next__(self):
        return self._assay_ask("next")

    def __contains__(self, value):
        # By looking, not by asking; an order that is not sent cannot be obeyed.
        items = []
        for item in self:
            if len(items) == _MAX_ITERATOR:
                raise CallFailed("output_limit", "an object of the program has more than %d items" % _MAX_ITERATOR)
            items.append(item)
        return any(value is item or value == item for item in items)


class Iteration:
    """A loop over an object of the program. It is a class of its own because
    Python asks the object that is looped over for its length."""

    def __init__(self, of):
        if not isinstance(of, Remote):
            raise TypeError("an object of the program gave no iterator")
        self._of = of

    def __iter__(self):
        return self

    def __next__(self):
        return self._of._assay_ask("next")


def each(loop):
    """The items of a loop, which has ended once and for all where it ends."""
    yield from loop


class RemoteMethod:
    """A method of an object of the program, called in one step."""

    def __init__(self, owner, name):
        self._owner, self.__name__ = owner, name

    def __call__(self, *args, **kwargs):
        return self._owner._assay_ask("method", self.__name__, args, kwargs)

    def __repr__(self):
        return "<method %s of %r>" % (self.__name__, self._owner)


class Instance(Remote):
    """An object that the checker made with the class that is the entry point."""

    __slots__ = ()

    def _assay_plays(self, name):
        return True

    def __getitem__(self, key):
        if type(key) is slice:
            key = _Slice(key)
        return self._assay_ask("item", "", (key,))

    def __contains__(self, value):
        return self._assay_ask("contains", "", (value,)) is True

    def __enter__(self):
        entered = self._assay_ask("enter")
        return self if type(entered) is Remote and entered == self else entered

    def __exit__(self, kind, e, trace):
        self._assay_ask("exit", "", (None, None, None))  # it cannot make a failed assertion pass


class Kin(Instance):
    """What an operator of instances gives: it has operators with others of its kind alone."""

    __slots__ = ()
    _assay_plays = Remote._assay_plays
    __getitem__ = Remote.__getitem__
    __contains__ = Remote.__contains__


class _Slice:
    def __init__(self, s):
        self.parts = [s.start, s.stop, s.step]


def _operators():
    def forward(name):
        def operate(self, *args):
            if type(self) is Kin and not all(type(a) in (Instance, Kin) for a in args):
                return NotImplemented
            return self._assay_run.kin(args, self._assay_ask("operator", name, args))
        return operate

    for name in ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor"):
        function = name + "_" if name in ("and", "or") else name
        setattr(Instance, "__%s__" % name, forward(function))
        setattr(Instance, "__r%s__" % name, forward("r_" + function))
    for name in ("lt", "le", "gt", "ge", "neg", "pos", "abs", "invert"):
        setattr(Instance, "__%s__" % name, forward(name))


_operators()


class Candidate(Remote):
    """The entry point, as tests hold it."""

    __slots__ = ()

    def __init__(self, run):
        Remote.__init__(self, run, 0, 0, "function", run.task["entry"])

    def __call__(self, *args, **kwargs):
        run = self._assay_run
        value = run.ask(self, "call", "", args, kwargs)
        if run.task.get("class") and type(value) is Remote:
            key = value._assay_life, value._assay_on
            value = run.instances.setdefault(key, Instance(run, value._assay_on, value._assay_life, value._assay_type, value._assay_text))
        return value

    def __instancecheck__(self, value):
        return type(value) in (Instance, Kin) or type(value) is Remote and (value._assay_life, value._assay_on) in self._assay_run.instances

    def _assay_plays(self, name):
        return bool(self._assay_run.task.get("class"))  # which may have methods of any name


_HANDLES = (Remote, Instance, Kin, Candidate)
_MADE_HERE = _HANDLES + (RemoteMethod, Iteration, SampleError)  # stand-ins for the program's classes


class ArgumentEncoder(StandardEncoder):
    """Encodes what a test passes. A handle is good in one process only, whose
    number is kept in life."""

    life = 0
    answered = False  # whether the program has returned something that tests may pass on
    special = False  # whether there was anything but plain values

    def opaque(self, value, depth=0):
        self.special = True
        if isinstance(value, Opaque):  # the test hands back what the program returned
            raise TypeError("the program returned a %s, which cannot be passed on" % value.type_name)
        if type(value) in _HANDLES:
            self.life = value._assay_life or self.life
            value._assay_run.fixed.clear()  # it may be changed, and what belongs to it
            return {"$handle": value._assay_on}
        if type(value) is Iteration:
            return self.opaque(value._of)
        if type(value) is _Slice:
            return {"$slice": [self.part(p, 1) for p in value.parts]}
        if type(value) is RemoteMethod or any(value is kind for kind in _MADE_HERE):
            raise TypeError("the program returned something with a value, %s, that cannot be passed on" % short(value))
        standard = StandardEncoder.opaque(self, value, depth)
        if standard:
            return standard
        name = name_of(value)
        if name:
            return {"$known": name}
        if hasattr(value, "__next__") and hasattr(value, "__iter__"):
            return {"$iter": self.drain(value)}
        raise Unsendable("the test passes %s, which cannot be sent to another process; "
                         "\"in_process\": true in its tests would run them in the program's own" % short(value))

    def oversized(self, text):
        """The exception for too many values. Once the program has returned something,
        they may be its doing, and it must not be able to declare the tests broken."""
        return CallFailed("output_limit", text) if self.answered else Unsendable(text)

    def drain(self, iterator):
        items = []
        for item in iterator:
            if len(items) == _MAX_ITERATOR:
                raise self.oversized("the test passes an iterator of more than %d values" % _MAX_ITERATOR)
            items.append(self.part(item, 1))
        return items

    def knot(self, value, why):
        return self.opaque(value)


def remote_decoder(run, life):
    """Reads a handle that the program sent. Nothing that the handle says has any
    effect here: it is only sent back to where it came from."""

    def read(body):
        on, kind = body["h"], str(body.get("type", ""))[:200]
        if type(on) is not int or not 0 <= on < 1 << 31:
            raise ValueError("a handle that was never given")
        if on == 0:
            return Remote(run, 0, 0, kind, str(body.get("text", ""))[:200])
        known = run.remotes.get((life, on))
        if known is None:
            same = body.get("known")
            known = run.remotes[life, on] = Remote(run, on, life, kind, str(body.get("text", ""))[:200], same and named(str(same)))
        return known

    return read
