# What Python itself defines and both sides know: its classes and functions, which are sent
# by their names, and values of its data types, which are sent in parts.
import builtins

_OF_PYTHON = getattr(sys, "stdlib_module_names", ("builtins", "math", "operator"))
_NAMED = (type, types.FunctionType, types.BuiltinFunctionType)


def named(name):
    """What has the name, in a module that is loaded already, or None."""
    module, _, path = name.partition(":")
    if module.partition(".")[0] not in _OF_PYTHON:
        return None
    found = sys.modules.get(module)
    for part in path.split("."):
        found = getattr(found, part, None)
    return found if isinstance(found, _NAMED) else None


def name_of(value):
    """The name of a class or function of Python, or None."""
    if not isinstance(value, _NAMED):
        return None
    name = "%s:%s" % (getattr(value, "__module__", None), getattr(value, "__qualname__", None))
    return name if named(name) is value else None


# Data types whose values are equal where these parts are, with the types of the parts.
_IN_PARTS = {
    "datetime:date": ((int, int, int), lambda v: (v.year, v.month, v.day)),
    "datetime:time": ((int,) * 4, lambda v: None if v.tzinfo else (v.hour, v.minute, v.second, v.microsecond)),
    "datetime:datetime": ((int,) * 7, lambda v: None if v.tzinfo else
                          (v.year, v.month, v.day, v.hour, v.minute, v.second, v.microsecond)),
    "datetime:timedelta": ((int, int, int), lambda v: (v.days, v.seconds, v.microseconds)),
    "decimal:Decimal": ((str,), lambda v: (str(v),)),
    "fractions:Fraction": ((int, int), lambda v: (v.numerator, v.denominator)),
    "collections:deque": ((list, (int, type(None))), lambda v: (list(v), v.maxlen)),
    "uuid:UUID": ((str,), lambda v: (str(v),)),
}


def apart(value):
    """The name of a value's type and its parts, or None."""
    name = name_of(type(value))
    parts = name in _IN_PARTS and _IN_PARTS[name][1](value)
    return (name, parts) if parts else None


def together(body):
    name, parts = body
    kinds = _IN_PARTS[name][0]
    parts = decode(parts)
    if len(parts) != len(kinds) or not all(map(isinstance, parts, kinds)):
        raise ValueError("a value with other parts than its type has")
    module, _, kind = name.partition(":")
    return getattr(__import__(module), kind)(*parts)


# Classes of plain values are the same on both sides. Of all else that has a name the
# checker learns only which it is: what a test calls is called in the program's process.
_PLAIN_CLASSES = {kind.__name__: kind for kind in _PLAIN + (object, type(None))}
_PLAIN_CLASSES.update((n, k) for n, k in vars(builtins).items() if isinstance(k, type) and issubclass(k, Exception))


class StandardEncoder(Encoder):
    def standard(self, value, depth):
        """What stands for a value that Python defines, or None."""
        if isinstance(value, type) and _PLAIN_CLASSES.get(value.__name__) is value:
            return {"$class": value.__name__}
        known = apart(value)
        if known is None or depth > _MAX_DEPTH:
            return known and self.knot(value, "is nested too deeply")
        parts = self.once(value, self.parts, list(known[1]), depth)
        return {"$standard": [known[0], parts]} if type(parts) is list else parts

    def opaque(self, value, depth):
        if type(value) is range:
            return {"$rangeobject": [self.part(n, 1) for n in (value.start, value.stop, value.step)]}
        return self.standard(value, depth)


decoders.update({"$class": _PLAIN_CLASSES.__getitem__, "$standard": together, "$rangeobject": lambda r: range(*map(decode, r))})
