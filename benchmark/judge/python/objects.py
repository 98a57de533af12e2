# The sample's side of values that cannot be sent: they are kept here, and the
# checker is given their numbers. What it then asks of them is in perform.
import operator

_MAX_KEPT = 100000  # objects of one process; what comes after them is opaque


class Objects:
    """The objects that the checker holds handles of. A handle is an index;
    0 is the entry point."""

    def __init__(self, namespace):
        self.namespace, self.entry = namespace, ""
        self.kept, self.handles = [None], {}
        self.shared = {}  # handles of what tests have a copy of, and how it was last told

    def target(self, handle):
        # Looked up at each call: the program may rebind its own function.
        return self.kept[handle] if handle else self.namespace[self.entry]

    def keep(self, value):
        """The handle of value, or 0 when there are too many. A kept object
        stays alive, so that its id stays its own."""
        handle = self.handles.get(id(value))
        if handle is None and len(self.kept) < _MAX_KEPT:
            handle = self.handles[id(value)] = len(self.kept)
            self.kept.append(value)
        return handle or 0

    def follow(self, order):
        """Does what the tests did to their copies since, see python/shared.py."""
        for handle, now in order["assign"]:
            restore(self.kept[handle], decode(now))
            self.shared[handle] = now
        for handle in order["drop"]:
            del self.shared[handle]
            self.handles.pop(id(self.kept[handle]), None)
            self.kept[handle] = None

    def changes(self, encoder):
        told = []
        for handle, before in self.shared.items():
            now = encoder.encode(self.kept[handle])
            if now != before:
                self.shared[handle] = now
                told.append([handle, now])
        return told

    def share(self, encoder, value):
        """The handle under which value is shared from now on, or 0."""
        handle = self.keep(value) if type(value) in MUTABLE else 0
        if handle and handle not in self.shared:
            self.shared[handle] = encoder.encode(value)
        return handle


class ResultEncoder(StandardEncoder):
    def __init__(self, objects):
        Encoder.__init__(self)
        self.objects, self.asked = objects, None

    def opaque(self, value, depth):
        standard = StandardEncoder.opaque(self, value, depth)
        if standard:
            return standard
        if type(value) is types.MethodType and self.asked is not None and value.__self__ is self.asked:
            return {"$method": None}  # a method of the object it was read from
        said = Encoder.opaque(self, value, depth)
        entry = value is self.objects.namespace.get(self.objects.entry)
        handle = 0 if entry or _base_of(value) else self.objects.keep(value)
        if handle or entry:
            return {"$remote": dict(said["$opaque"], h=handle, known=name_of(value))}
        return said


def imported(name):
    __import__(name.partition(":")[0])
    return named(name)


_SENT_BY_NAME = {"$known": imported, "$iter": lambda items: iter(decode(items)), "$slice": lambda parts: slice(*decode(parts))}


def perform(objects, order):
    """Does what the checker asks and returns the value, the arguments that the
    program changed (as pairs of position or name, and encoded value), and the
    encoder."""
    decoders.update(_SENT_BY_NAME, **{"$handle": objects.target})
    limit = digits(0)
    if order.get("share"):
        objects.follow(order["share"])
    args = decode(order["args"])
    kwargs = {k: decode(v) for k, v in order["kwargs"].items()}
    digits(limit)
    op, target = order.get("op") or "call", objects.target(order.get("on") or 0)
    value = _OPERATIONS[op](target, order.get("name") or "", args, kwargs)
    encoder = ResultEncoder(objects)
    if op == "get":
        encoder.asked = target
    answer = {"k": "value", "v": encoder.encode(value)}
    if order.get("watch"):
        tell_changes(answer, encoder, args, kwargs, order["args"], order["kwargs"])
    if order.get("share"):
        answer["shared"] = {"now": objects.changes(encoder), "value": objects.share(encoder, value),
                            "args": [[k, objects.share(encoder, v)] for k, v in (*enumerate(args), *kwargs.items())]}
    return answer


def tell_changes(answer, encoder, args, kwargs, *before):
    """Puts into the answer which arguments the program changed; before are both
    kinds as they were, encoded."""
    changed = [[i, now] for i, now in _changes(encoder, enumerate(args), before[0])]
    changed += [[k, now] for k, now in _changes(encoder, kwargs.items(), before[1])]
    if changed:
        answer["changed"] = changed


def _changes(encoder, values, before):
    for key, value in values:
        if type(value) in MUTABLE or type(value) is tuple:
            now = encoder.encode(value)
            if now != before[key]:
                yield key, now


def _special(name):
    return lambda target, _, args, kwargs: getattr(type(target), name)(target, *args, **kwargs)


_MOST_ITEMS = 1 << 20


def _items(target, *_):
    """The length of an object, None if it has none, and its items; no items but a text where
    each loop goes on from the one before."""
    import itertools
    try:
        n = len(target)
    except TypeError:
        return [None, None]
    try:
        iterator = iter(target)
    except TypeError:
        return [n, None]
    return [n, "others" if iterator is target else list(itertools.islice(iterator, min(n, _MOST_ITEMS) + 1))]


def _operate(target, name, args, kwargs):
    if name[:2] == "r_":  # the object stands on the right
        return getattr(operator, name[2:])(args[0], target)
    return getattr(operator, name)(target, *args)


_OPERATIONS = {
    "call": lambda target, name, args, kwargs: target(*args, **kwargs),
    "get": lambda target, name, args, kwargs: getattr(target, name),
    "method": lambda target, name, args, kwargs: getattr(target, name)(*args, **kwargs),
    "set": lambda target, name, args, kwargs: setattr(target, name, args[0]),
    "unset": lambda target, name, args, kwargs: delattr(target, name),
    "item": lambda target, name, args, kwargs: target[args[0]],
    "setitem": lambda target, name, args, kwargs: operator.setitem(target, args[0], args[1]),
    "delitem": lambda target, name, args, kwargs: operator.delitem(target, args[0]),
    "items": _items,
    "iter": lambda target, name, args, kwargs: iter(target),
    "reversed": lambda target, name, args, kwargs: reversed(target),
    "next": lambda target, name, args, kwargs: next(target),
    "str": lambda target, name, args, kwargs: str(target),
    "bool": lambda target, name, args, kwargs: bool(target),
    "contains": lambda target, name, args, kwargs: args[0] in target,
    "enter": _special("__enter__"),
    "exit": _special("__exit__"),
    "operator": _operate,
}
