# The checkers of predictions: what a call returns, as an answer states it, or the call.
# No part of an answer is run here: its syntax tree is evaluated, as far as it has
# literals, operators, and the calls without which some values cannot be written.

import ast
import operator

_MOST = 1_000_000  # characters, elements or bits of a value that an operator makes
_UNARY = {ast.UAdd: operator.pos, ast.USub: operator.neg, ast.Invert: operator.invert}
_BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
           ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.BitAnd: operator.and_,
           ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift}
_NAMES = {"inf": float("inf")}  # LiveCodeBench imports it
_CALLS = {"set": set, "frozenset": frozenset, "float": float}


class NoLiteral(Exception):
    pass


def _size(value):
    return value.bit_length() if isinstance(value, int) else len(value) if hasattr(value, "__len__") else 64


def _binary(op, left, right):
    """Applies an operator unless its result could be large."""
    both, counts = _size(left) + _size(right), [v for v in (left, right) if isinstance(v, int)]
    if isinstance(op, ast.Mult) and len(counts) == 1 and both > 64:
        both = max(_size(left), _size(right)) * max(counts[0], 0) if _size(counts[0]) < 64 else _MOST + 1
    elif isinstance(op, (ast.Pow, ast.LShift)):
        both = _size(left) * abs(right) if isinstance(right, int) and _size(right) < 64 else both
    if both > _MOST or isinstance(op, ast.Mod) and isinstance(left, (str, bytes)):
        raise NoLiteral("an operator with a large result")
    return _BINARY[type(op)](left, right)


def _value(node, names):
    """The value of a syntax tree."""
    def of(n):
        return _value(n, names)

    kind = type(node)
    if kind is ast.Constant:
        return node.value
    if kind in (ast.List, ast.Tuple, ast.Set):
        return {ast.List: list, ast.Tuple: tuple, ast.Set: set}[kind]([of(n) for n in node.elts])
    if kind is ast.Dict and None not in node.keys:
        return {of(k): of(v) for k, v in zip(node.keys, node.values)}
    if kind is ast.UnaryOp:
        return _UNARY[type(node.op)](of(node.operand))
    if kind is ast.BinOp and type(node.op) in _BINARY:
        return _binary(node.op, of(node.left), of(node.right))
    if kind is ast.Subscript:
        return of(node.value)[of(node.slice)]
    if kind is ast.Slice:
        return slice(*(n and of(n) for n in (node.lower, node.upper, node.step)))
    if kind is ast.Name and node.id in names:
        return names[node.id]
    if kind is ast.Call and isinstance(node.func, ast.Name) and node.func.id in _CALLS and not node.keywords and len(node.args) < 2:
        return _CALLS[node.func.id](*map(of, node.args))
    raise NoLiteral({ast.Call: "a call", ast.Name: "a name"}.get(kind, "more than operators"))


def _literal(text):
    return _value(ast.parse(text, mode="eval").body, _NAMES)


def _refusal(error):
    if isinstance(error, NoLiteral):
        return "the answer is no literal: it has %s" % error
    if isinstance(error, SyntaxError):
        return "the answer is no expression: %s" % error.msg
    return "the answer has no value: %s" % type(error).__name__


def _stated(answer):
    """The value that an answer states as the right side of "assert RESULT == ANSWER",
    so that a message or a comment may follow it. It is parsed in that place, never
    compared there: "0 or 1" would make any such assertion true."""
    first, *others = ast.parse("assert _ == %s" % answer).body
    test = first.test
    if not isinstance(test, ast.Compare) or len(test.ops) > 1:
        raise NoLiteral("more than a value")
    for statement in others:
        if isinstance(statement, ast.Expr):
            _value(statement.value, {})
        elif not isinstance(statement, ast.Pass):
            raise NoLiteral("statements")
    return _value(test.comparators[0], _NAMES)


def accept_execution(answer, expected, call):
    """Like LiveCodeBench and CRUXEval, takes the answer as what completes an assertion."""
    wanted = _literal(expected)
    try:
        return bool(wanted == _stated(answer))
    except (Exception, MemoryError) as e:
        return _refusal(e)


def _right_side(assertion):
    """The source text at the right of == in an assertion."""
    body = ast.parse(assertion).body
    if not body or not isinstance(body[0], ast.Assert):
        raise SyntaxError("there is no assertion")
    test = body[0].test
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Eq):
        raise SyntaxError("the assertion has no ==")
    return ast.get_source_segment(assertion, test.comparators[0])


def accept_output(answer, expected, call):
    """Like LiveCodeBench, takes the first line with an assertion from several, and
    what is right of ==; an answer without assertion is the value itself."""
    wanted = _literal(expected)
    try:
        lines = answer.splitlines()
        if len(lines) > 1:
            answer = next((line for line in lines if "assert" in line and not line.startswith("#")), answer)
        answer = answer.strip()
        right = _right_side(answer) if "assert" in answer else answer
        got = _value(ast.parse(right, mode="eval").body, {})
        return bool(got == wanted)
    except (Exception, MemoryError) as e:
        return _refusal(e)


_BUILTINS = frozenset("abs all any bool bytes chr dict divmod enumerate filter float frozenset int len list map max min ord "
                      "range repr reversed round set slice sorted str sum tuple zip".split())
_METHODS = frozenset(name for kind in (str, bytes, list, tuple, dict, set, frozenset, int, float) for name in dir(kind) if name[0] != "_")
_ARGUMENTS = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp,
              ast.Subscript, ast.Slice, ast.Starred, ast.keyword, ast.Call, ast.Attribute, ast.Name, ast.Lambda, ast.arguments, ast.arg,
              ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension,
              ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)


def accept_input(answer, expected, call):
    """Whether the answer is a call of the same function, as in CRUXEval, whose
    arguments are values and functions of one expression: no names of the program, no
    classes, no attributes but methods of values (those of a generator reach the
    program's globals). The judge then makes the call in the sample's box, in such brackets."""
    entry = ast.parse(call, mode="eval").body.func.id
    try:
        tree = ast.parse("(\n%s\n)" % answer, mode="eval").body
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.func.id != entry:
            return "the answer is no call of %s" % entry
        nodes = list(ast.walk(tree))
        names = _BUILTINS.union([entry], [n.arg for n in nodes if isinstance(n, ast.arg)],
                                [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)])
        for n in nodes:
            if not isinstance(n, _ARGUMENTS):
                return "the answer's arguments are no values: they have %s" % type(n).__name__
            if isinstance(n, ast.Name) and n.id not in names or isinstance(n, ast.Attribute) and n.attr not in _METHODS:
                return "the answer's arguments are no values: they have the name %s" % getattr(n, "id", getattr(n, "attr", ""))
    except (Exception, MemoryError) as e:
        return _refusal(e)
    return True
