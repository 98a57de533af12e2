# Frames and values, for both sides of the judge. Values travel as JSON in which
# an object with one key that starts with "$" stands for what JSON lacks (see
# benchmark.Case). Nothing else is ever decoded: no pickles, no classes.
import gc
import json
import math
import os
import sys
import types

_MAX_DEPTH = 150      # of nested containers; deeper values are opaque
_MAX_NODES = 2000000  # values in one message, each counted as often as it stands there
_SAFE_INT = 1 << 63   # larger integers travel in hexadecimal, which has no digit limit


class TooLarge(Exception):
    """A value has too many parts to be sent."""


class Opaque:
    """A value that only exists on the other side. It equals nothing."""

    def __init__(self, type_name, text):
        self.type_name, self.text = type_name, text

    def __repr__(self):
        return self.text or "<%s>" % self.type_name

    def __eq__(self, other):
        return False

    def __ne__(self, other):
        return True

    __hash__ = None


def _base_of(value):
    """The plain type to send value as, or None if it is no plain value.

    A subclass counts as its base only while it compares as its base does: one
    that defines its own equality could claim to equal anything."""
    kind = type(value)
    if kind in _PLAIN:
        return kind
    collections = sys.modules.get("collections")
    for base in _PLAIN:
        if issubclass(kind, base):
            allowed = [base]
            if collections is not None:  # they compare differently, but honestly
                allowed += [collections.OrderedDict, collections.Counter]
            for honest in allowed:
                if all(getattr(kind, n) is getattr(honest, n, None) for n in ("__eq__", "__ne__", "__hash__")):
                    return base
            return None
    return None


_PLAIN = (bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset)
_SAME = frozenset((type(None), bool, str))  # types whose values are sent unchanged
_AS_JSON = _SAME | {int, float}            # types whose values may be


def _as_they_are(values):
    """Reports whether all values of a list are sent unchanged."""
    kinds = set(map(type, values))
    if kinds == {int}:
        return -_SAFE_INT < min(values) and max(values) < _SAFE_INT
    if kinds == {float}:
        return all(map(math.isfinite, values))
    return kinds <= _SAME


class Encoder:
    def __init__(self, max_nodes=_MAX_NODES):
        self.left = max_nodes
        self.known = {}      # by identity: containers, what they are sent as, and how many values that has
        self.shared = False  # something was known

    def encode(self, value):
        """What a value is sent as. One that is too large only because it has a part many
        times is opaque: it can equal nothing that could be sent."""
        left, self.known, self.shared = self.left, {}, False
        try:
            return self.part(value, 0)
        except TooLarge:
            if not self.shared:
                raise
            self.left = left - 1
            return self.knot(value, "has one part many times")

    def part(self, value, depth):
        self.left -= 1
        if self.left < 0:
            raise TooLarge()
        if value is None or value is True or value is False:
            return value
        base = _base_of(value)
        if base is None:
            return self.opaque(value, depth)
        if depth > _MAX_DEPTH:
            return self.knot(value, "is nested too deeply")
        if base is str:
            return str.__str__(value) if type(value) is str else str.__getitem__(value, slice(None))
        if base is int:
            number = int.__index__(value)
            return number if -_SAFE_INT < number < _SAFE_INT else {"$int": hex(number)}
        if base is float:
            number = float.__float__(value)
            return number if math.isfinite(number) else {"$float": float.__repr__(number)}
        if base is complex:
            return {"$complex": [self.part(complex.__complex__(value).real, depth), self.part(complex.__complex__(value).imag, depth)]}
        if base is bytes or base is bytearray:
            import base64
            return {"$bytes": base64.b64encode(bytes(value)).decode("ascii")}
        if base is list or base is tuple:
            values = list(base.__iter__(value))
            sent = self.once(value, self.parts, values, depth) if depth else self.parts(values, depth)
            return sent if base is list else {"$tuple": sent}
        if base is dict:
            return self.once(value, self.mapping, value, depth)
        return {"$set" if base is set else "$frozenset": self.once(value, self.parts, list(base.__iter__(value)), depth)}

    def once(self, value, encode, parts, depth):
        """Encodes a container, unless that was done. One that contains itself is opaque there."""
        if id(value) in self.known:
            self.shared = True
            _, sent, size = self.known[id(value)]
            self.left -= size
            if self.left < 0:
                raise TooLarge()
            return self.knot(value, "contains itself") if sent is None else sent
        left = self.left
        self.known[id(value)] = value, None, 0
        sent = encode(parts, depth)
        self.known[id(value)] = value, sent, left - self.left
        return sent

    def parts(self, values, depth):
        if depth == _MAX_DEPTH or not _as_they_are(values):
            return [self.part(v, depth + 1) for v in values]
        self.left -= len(values)
        if self.left < 0:
            raise TooLarge()
        return values

    def mapping(self, value, depth):
        pairs = [(k, dict.__getitem__(value, k)) for k in dict.__iter__(value)]
        if all(type(k) is str for k, _ in pairs) and not (len(pairs) == 1 and pairs[0][0][:1] == "$"):
            return {k: self.part(v, depth + 1) for k, v in pairs}
        return {"$dict": [[self.part(k, depth + 1), self.part(v, depth + 1)] for k, v in pairs]}

    def opaque(self, value, depth):
        try:
            text = text_of(value)[:200]
        except Exception as e:
            text = "<%s whose repr fails: %s>" % (type(value).__name__, type(e).__name__)
        return {"$opaque": {"type": type(value).__name__, "text": text}}

    def knot(self, value, why):
        """What stands for a container that is no tree: to write it out could take for ever."""
        name = type(value).__name__
        return {"$opaque": {"type": name, "text": "<%s that %s>" % (name, why)}}


_SHOWN = 100000  # parts of a value that is turned into text
_CLOSED = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.CodeType, types.FrameType, types.TracebackType)


def text_of(value, make=repr):
    """What make says of a value. One that contains itself, or some part very often, could
    take for ever to be written out: of that it is only the type."""
    known = {}

    def size(v, depth):
        kind = type(v)
        if issubclass(kind, _CLOSED) or kind.__repr__ is object.__repr__ and kind.__str__ is object.__str__:
            return 1
        found = known.get(id(v))
        if found is None:
            known[id(v)] = found = _SHOWN + 1  # within itself
            if depth < _MAX_DEPTH and len(known) <= _SHOWN:
                found, parts = 1, gc.get_referents(v)
                for part in parts:
                    if found <= _SHOWN:
                        found += size(part, depth + 1)
                kept.append(parts)
                known[id(v)] = found
        return found

    kept = []  # so that no other object gets the place of one that is known
    return make(value) if size(value, 0) <= _SHOWN else "<%s>" % type(value).__name__


def extent(value, known):
    """How many values are written where each is written as often as it stands there;
    known has what was counted already, by identity."""
    kind = type(value)
    if kind is dict:
        value = [*value, *value.values()]
    elif kind is not list and kind is not tuple and kind is not set and kind is not frozenset:
        return 1
    if _AS_JSON.issuperset(map(type, value)):
        return 1 + len(value)
    found = known.get(id(value))
    if found is None:
        known[id(value)] = math.inf  # within itself
        found = known[id(value)] = 1 + sum([extent(v, known) for v in value])
    return found


def decode(value, authored=False):
    """Rebuilds a value. Only in a task's own text (authored) may a short form
    stand for a long value; a program could fill the other side's memory."""
    kind = type(value)
    if kind is list:
        return value[:] if _AS_JSON.issuperset(map(type, value)) else [decode(v, authored) for v in value]
    if kind is not dict:
        return value
    if len(value) == 1:
        (tag, body), = value.items()
        if tag[:1] == "$":
            return _decode_tagged(tag, body, authored)
    return {k: decode(v, authored) for k, v in value.items()}


def _decode_tagged(tag, body, authored):
    if tag == "$tuple":
        return tuple(decode(v, authored) for v in body)
    if tag == "$set":
        return set(decode(v, authored) for v in body)
    if tag == "$frozenset":
        return frozenset(decode(v, authored) for v in body)
    if tag == "$dict":
        return {decode(k, authored): decode(v, authored) for k, v in body}
    if tag == "$bytes":
        import base64
        return base64.b64decode(body)
    if tag == "$float":
        return float(body)
    if tag == "$int":
        return int(body, 16) if "x" in body else int(body)
    if tag == "$complex":
        return complex(float(decode(body[0])), float(decode(body[1])))
    if tag == "$repeat" and authored:
        return decode(body[0], authored) * int(body[1])
    if tag == "$range" and authored:
        return list(range(*body))
    if tag == "$opaque":
        return Opaque(str(body.get("type", "")), str(body.get("text", "")))
    if decoders.get(tag) and not authored:
        return decoders[tag](body)
    raise ValueError("a value has the unknown tag " + tag)


# What each side reads besides: handles of objects that stay with the program.
decoders = {}

MUTABLE = (list, dict, set, bytearray)


def restore(old, new):
    """Makes old equal to new, in place, and returns it, or new where that cannot be."""
    kind = type(old)
    if kind is not type(new):
        return new
    if kind is list:
        old[:] = [restore(a, b) for a, b in zip(old, new)] + new[len(old):]
    elif kind is tuple and len(old) == len(new):
        parts = [restore(a, b) for a, b in zip(old, new)]
        return old if all(a is b for a, b in zip(old, parts)) else new
    elif kind is dict:
        parts = {k: restore(old[k], v) if k in old else v for k, v in new.items()}
        old.clear()
        old.update(parts)
    elif kind is set:
        old.clear()
        old.update(new)
    elif kind is bytearray:
        old[:] = new
    elif kind in _PLAIN and old == new:
        return old
    else:
        return new
    return old


_read, _write = os.read, os.write
_MOST = 1 << 20  # bytes to be read at once


def _exactly(n):
    data = _read(3, n if n < _MOST else _MOST)
    if len(data) == n:
        return data
    parts = []
    while data:
        parts.append(data)
        n -= len(data)
        if n == 0:
            return b"".join(parts)
        data = _read(3, min(n, _MOST))
    raise EOFError()


def _encoder():
    """What json.dumps makes for each call, made once: a message is encoded the same
    way, and less memory is touched by it. Messages are trees, so that nothing has to be
    looked at twice."""
    make = json.encoder.c_make_encoder
    if make is None:
        return lambda message, depth: [json.dumps(message)]
    return make(None, json.JSONEncoder().default, json.encoder.encode_basestring_ascii, None, ": ", ", ", False, False, True)


_encode = _encoder()


class Channel:
    """Frames on descriptors 3 and 4: four bytes of length, then JSON."""

    def take(self):
        size = _exactly(4)
        return _exactly(size[0] << 24 | size[1] << 16 | size[2] << 8 | size[3])

    def receive(self):
        return json.loads(self.take())

    def framed(self, message):
        # Escaping everything beyond ASCII keeps lone surrogates intact.
        text = "".join(_encode(message, 0)).encode("ascii")
        return len(text).to_bytes(4, "big") + text

    def send(self, message):
        data = self.framed(message)
        sent = _write(4, data)
        while sent < len(data):
            sent += _write(4, data[sent:])


def digits(limit):
    """Sets the limit on converting long integers to and from decimal text (0:
    none) and returns the old one."""
    old = getattr(sys, "get_int_max_str_digits", lambda: 0)()
    getattr(sys, "set_int_max_str_digits", lambda n: None)(limit)
    return old
