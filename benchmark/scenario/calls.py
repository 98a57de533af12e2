# Calls a reference solution as its tests do, and writes each call with what it returned,
# as far as both are literals. Input and output are JSON.

import ast
import json
import sys


class Bare(ast.NodeTransformer):
    """Removes docstrings, which may give results away."""

    def visit(self, node):
        self.generic_visit(node)
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(getattr(body[0].value, "value", None), str):
            node.body = body[1:] or ([] if isinstance(node, ast.Module) else [ast.Pass()])
        return node


def needed(source, entry):
    """The program without docstrings, and without statements that the entry point does
    not need. An import of all names may define any of them."""
    tree = Bare().visit(ast.parse(source))
    kept, names = set(), {entry}
    for _ in tree.body:
        for i, node in enumerate(tree.body):
            defines = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                defines = {(a.asname or a.name).split(".")[0] for a in node.names}
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                defines = {node.name}
            if i not in kept and (defines & names or "*" in defines):
                kept.add(i)
                names |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    tree.body = [node for i, node in enumerate(tree.body) if i in kept]
    return ast.unparse(tree)


def written(args, kwargs):
    return ", ".join([repr(a) for a in args] + ["%s = %r" % item for item in kwargs.items()])


def recorded(name, function, calls):
    def record(*args, **kwargs):
        call = "%s(%s)" % (name, written(args, kwargs))
        made = function(*args, **kwargs)
        if not isinstance(function, type):
            calls.append(call)
            return made
        return Methods(call, made, calls)

    return record


class Methods:
    """Records the calls of an object's methods, if it is made anew for each call."""

    def __init__(self, name, made, calls):
        self._name, self._made, self._calls = name, made, calls

    def __getattr__(self, name):
        return recorded("%s.%s" % (self._name, name), getattr(self._made, name), self._calls)


def loaded(source):
    namespace = {"__name__": "program"}
    exec(compile(source, "program", "exec"), namespace)
    return namespace


def literal(call):
    """Whether all arguments are literals."""
    node = ast.parse(call, mode="eval").body
    while isinstance(node, (ast.Call, ast.Attribute)):
        if isinstance(node, ast.Call):
            for argument in node.args + [k.value for k in node.keywords]:
                ast.literal_eval(argument)
            node = node.func
        else:
            node = node.value
    return isinstance(node, ast.Name)


def returned(source, call):
    """The literal that a call returns, or None if there is none, or not the same each time."""
    texts = []
    for _ in range(2):
        value = eval(call, loaded(source))
        texts.append(repr(value))
    same = ast.literal_eval(texts[0])
    return texts[0] if texts[0] == texts[1] and type(same) is type(value) and same == value else None


def main():
    given = json.load(sys.stdin)
    source, entry, calls = given["program"], given["entry"], given["calls"]
    problem = ""
    try:
        namespace = loaded(source)
        if given["tests"]:
            record = recorded(entry, namespace[entry], calls)
            tests = dict(namespace) | {entry: record, "candidate": record}
            exec(compile(given["tests"], "tests", "exec"), tests)
            if given["check"]:
                tests["check"](record)
    except Exception as e:  # what was called before counts
        problem = "%s: %s" % (type(e).__name__, e)
    found = []
    for call in dict.fromkeys(calls):
        if len(found) == given["enough"]:
            break
        try:
            output = returned(source, call) if len(call) <= given["longest"] and literal(call) else None
        except Exception:
            continue
        if output is not None and len(output) <= given["longest"]:
            found.append({"call": call, "output": output})
    result = json.dumps({"code": needed(source, entry), "calls": found, "problem": problem})
    with open("calls.json", "w") as file:
        file.write(result)


main()
