# The rules by which a returned value is compared with the expected one. Only the
# checker has them. Integers are compared exactly, of any size; a tolerance applies
# only where one side is a floating-point or complex number.


def agrees(rule, got, expected, tolerance):
    if rule == "exact":
        return same(got, expected)
    if rule == "close":
        return close(got, expected, tolerance or 1e-6)
    if rule == "any_of":
        return any(same(got, e) for e in expected)
    if rule == "unordered":
        return unordered(got, expected)
    raise ValueError("unknown comparison " + rule)


def same(a, b):
    """Equality as Python has it, but True is not 1, and nan is nan."""
    if isinstance(a, Opaque) or isinstance(b, Opaque):
        return False
    if (type(a) is bool) != (type(b) is bool):
        return False
    if type(a) in (list, tuple) and type(a) is type(b):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if type(a) is dict and type(b) is dict:
        return len(a) == len(b) and all(k in b and same(v, b[k]) for k, v in a.items())
    if type(a) is float and type(b) is float and a != a and b != b:
        return True
    return a == b


_EXACT = 1 << 53  # up to here every integer is a double


def near(a, b, tolerance):
    """math.isclose, which makes doubles of integers, for integers of any size."""
    if all(type(v) is float or -_EXACT <= v <= _EXACT for v in (a, b)):
        return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
    if not (type(a) is int or math.isfinite(a)) or not (type(b) is int or math.isfinite(b)):
        return False
    from fractions import Fraction
    a, b = Fraction(a), Fraction(b)
    return abs(a - b) <= Fraction(tolerance) * max(1, abs(a), abs(b))


def close(a, b, tolerance):
    numbers = (int, float)
    if type(a) is int and type(b) is int:
        return a == b
    if type(a) in numbers and type(b) in numbers:
        return same(a, b) or near(a, b, tolerance)
    if type(a) is complex or type(b) is complex:
        try:
            return abs(complex(a) - complex(b)) <= tolerance * max(1.0, abs(complex(b)))
        except (TypeError, ValueError, OverflowError):
            return False
    if type(a) in (list, tuple) and type(a) is type(b):
        return len(a) == len(b) and all(close(x, y, tolerance) for x, y in zip(a, b))
    if type(a) is dict and type(b) is dict:
        return len(a) == len(b) and all(k in b and close(v, b[k], tolerance) for k, v in a.items())
    return same(a, b)


def unordered(got, expected):
    kinds = (list, tuple, set, frozenset)
    if type(got) not in kinds or type(expected) not in kinds or len(got) != len(expected):
        return False
    try:  # the quick way, for elements that can be counted
        count = {}
        for e in expected:
            count[type(e) is bool, e] = count.get((type(e) is bool, e), 0) + 1
        for g in got:
            count[type(g) is bool, g] = count.get((type(g) is bool, g), 0) - 1
        if not any(count.values()):
            return all(type(e) in (bool, int, float, str) for e in expected) or _matched(got, expected)
    except TypeError:
        pass
    return _matched(got, expected)


def _matched(got, expected):
    left = list(expected)
    for g in got:
        for i, e in enumerate(left):
            if same(g, e):
                del left[i]
                break
        else:
            return False
    return not left


def as_r(value):
    """A value as R sees it: what has one element is that element, what has none has no
    names, and a number is a double."""
    if type(value) is int and not -_EXACT <= value <= _EXACT:
        try:
            return int(float(value))
        except OverflowError:
            return value
    if type(value) in (list, tuple):
        parts = [as_r(v) for v in value]
        return parts[0] if len(parts) == 1 else parts
    if type(value) is dict:
        return {k: as_r(v) for k, v in value.items()} or []
    return value


def whole(value):
    """A value from R with integers for the numbers without a fraction: how R writes a
    number says nothing of its kind, 1e+18 as little as 100."""
    if type(value) is float and value.is_integer():
        return int(value)
    if type(value) in (list, tuple):
        return [whole(v) for v in value]
    if type(value) is dict:
        return {k: whole(v) for k, v in value.items()}
    return value


def agrees_in(language, rule, got, expected, tolerance):
    """agrees, as users of the language compare: R's all.equal has a tolerance."""
    if language != "r":
        return agrees(rule, got, expected, tolerance)
    if rule == "any_of":
        return any(close(as_r(whole(got)), as_r(e), 1.5e-8) for e in expected)
    got, expected = as_r(whole(got)), as_r(expected)
    if rule == "unordered":
        return unordered(got if type(got) is list else [got], expected if type(expected) is list else [expected])
    return close(got, expected, tolerance if rule == "close" else 1.5e-8)
