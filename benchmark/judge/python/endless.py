# Finds loops that can never end. A program that has computed for a while is stopped where
# it is. If that is in loops that only compute with numbers, texts, tuples, lists and dicts,
# they are followed line by line: a loop that comes to the same place with the same values
# twice does so forever. Left out of the values are those that cannot decide anything: what
# is only added to, and numbers of which only the remainder by a constant is looked at.
# Nothing uncertain is claimed: a loop that does anything else, or has another thread, timer
# or signal handler around it runs on to its limit of processor time. A program that forges
# the claim only fails by it.
import _signal
import atexit
import marshal

_AFTER = 0.05   # seconds of processor time until the first look; each next one takes four times as long
_EVENTS = 10000  # lines that are followed at each look
_PARTS = 300    # values of a list, tuple or dict that are compared
_LARGE = 10000  # bits of a number, characters of a text
_SCALARS = (int, float, bool, str, type(None))
_FUNCTIONS = frozenset("abs all any bin bool chr dict divmod enumerate float int isinstance len list max min ord pow range reversed round sorted str sum "
                       "tuple zip".split())
_METHODS = frozenset("append bit_length clear copy count endswith extend find get index insert isalnum isalpha isdigit islower isspace isupper "
                     "is_integer items join keys lower lstrip pop remove replace reverse rfind rstrip sort split startswith strip upper values".split())
_STATEMENTS = "Assign AugAssign Delete For While If Expr Pass Break Continue Return".split()
_EXPRESSIONS = ("BinOp UnaryOp BoolOp Compare IfExp Tuple List Dict ListComp GeneratorExp comprehension Constant Subscript Slice Name Call "
                "keyword Attribute JoinedStr FormattedValue operator unaryop boolop cmpop expr_context").split()
_builtins = vars(sys.modules["builtins"])
_functions = {name: _builtins[name] for name in _FUNCTIONS}
_function = type(lambda: None)
_ADDED = {"append": list, "add": set}


class Loop:
    """A loop of the program, with the names that decide how it goes on. ValueError: it
    does more than compute."""

    def __init__(self, ast, node, frame, tree):
        self.ast, self.node, self.frame, self.tree = ast, node, frame, tree
        self.left()
        self.idle = isinstance(node.test, ast.Constant) and node.test.value and all(isinstance(n, ast.Pass) for n in node.body)
        self.read, self.set, self.assigned, self.grown, self.modulo = set(), set(), [], {}, {}
        self.globals, self.functions = set(), {}  # what functions of the program read, and those themselves
        self.called, self.own, self.loop = set(), (), self
        for part in [node.test] + node.body:
            self.look_at(part)
        first = node.body[0]
        head = getattr(first, "test", getattr(first, "iter", first))
        if head.end_lineno != first.lineno or first.lineno == node.lineno and not self.idle:
            raise ValueError  # its line may be come to in the middle
        self.start = min(start for start, line in __import__("dis").findlinestarts(frame.f_code) if line == first.lineno)
        self.leave_out()
        if (self.read | self.set | set(self.grown)) & self.called:
            raise ValueError
        self.names = sorted(self.read | self.set)

    def look_at(self, part):
        """Takes in what a part of the loop does."""
        ast, stack = self.ast, [part]
        pure = tuple(getattr(ast, name) for name in _STATEMENTS + _EXPRESSIONS)
        while stack:
            n = stack.pop()
            if not isinstance(n, pure):
                raise ValueError
            if isinstance(n, (ast.Assign, ast.AugAssign)) and self.assigns(n):
                continue
            if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call) and isinstance(n.value.func, ast.Attribute) and self.adds(n.value):
                stack += n.value.args
                continue
            if isinstance(n, ast.Call):
                if isinstance(n.func, ast.Name):
                    self.calls(n.func.id)
                    # The length of what is written out is that, whatever is in it.
                    if n.func.id == "len" and isinstance(n.args[0], (ast.List, ast.Tuple)) and all(isinstance(e, ast.Name) for e in n.args[0].elts):
                        continue
                    stack += (n.args[:1] if n.func.id == "isinstance" and self.kind(n.args[1]) else n.args) + n.keywords
                    continue
                if not isinstance(n.func, ast.Attribute):
                    raise ValueError
            elif isinstance(n, ast.Attribute) and n.attr not in _METHODS:
                raise ValueError
            elif isinstance(n, ast.Compare) and any(isinstance(op, (ast.Is, ast.IsNot)) for op in n.ops):
                if not all(isinstance(c, ast.Constant) and c.value in (None, True, False) for c in n.comparators):
                    raise ValueError
            elif isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mod) and isinstance(n.left, ast.Name) and self.residue(n):
                continue
            elif isinstance(n, ast.Name):
                if n.id in _builtins and n.id not in self.own and n.id not in self.frame.f_globals and (self.own or n.id not in self.frame.f_locals):
                    raise ValueError  # a function that another may call
                (self.read if isinstance(n.ctx, ast.Load) else self.set).add(n.id)
            stack += ast.iter_child_nodes(n)

    def kind(self, n):
        return isinstance(n, self.ast.Name) and n.id in ("int", "float", "str", "list", "dict", "tuple") and n.id not in self.frame.f_globals and n.id not in self.frame.f_locals and n.id not in self.own

    def residue(self, n):
        """Takes note of a remainder by a constant: no more of the number need be known."""
        by = n.right.value if isinstance(n.right, self.ast.Constant) else 0
        if type(by) is not int or not 0 < by < 1000:
            return False
        self.modulo[n.left.id] = self.modulo.get(n.left.id, 1) * by
        return True

    def adds(self, call):
        """Takes note of a list or set that is added to: unless it is used for something else, it decides nothing."""
        name = call.func.value
        if call.func.attr not in _ADDED or len(call.args) != 1 or call.keywords or not isinstance(name, self.ast.Name):
            return False
        self.grows(name.id, _ADDED[call.func.attr])
        return True

    def assigns(self, n):
        """Takes note of a name that is set by adding to itself, or to other such names."""
        ast = self.ast
        if isinstance(n, ast.AugAssign):
            target, value = n.target, ast.BinOp(ast.Name(getattr(n.target, "id", ""), ast.Load()), n.op, n.value)
        elif len(n.targets) == 1:
            target, value = n.targets[0], n.value
        else:
            return False
        if not isinstance(target, ast.Name):
            return False
        self.assigned.append((target.id, value))
        return True

    def grows(self, name, *kinds):
        self.grown[name] = [k for k in self.grown.get(name, kinds) if k in kinds]

    def leave_out(self):
        """Finds the assignments that decide nothing. All names in others do."""
        ast, changed = self.ast, True
        while changed:
            kept, known, before = [], self.read | self.set, (self.read | self.set, len(self.modulo))
            for name, value in self.assigned:
                if name not in known and self.harmless(name, value, known):
                    kept.append((name, value))
                else:
                    self.set.add(name)
                    self.look_at(value)
                    known = self.read | self.set
            self.assigned, changed = kept, before != (self.read | self.set, len(self.modulo))
            known = self.read | self.set
            if set(self.grown) & known:
                self.set |= set(self.grown) & known
                self.grown = {n: k for n, k in self.grown.items() if n not in known}
        for name in {name for name, _ in self.assigned} & set(self.grown):
            raise ValueError
        for name, value in self.assigned:
            only_sum = isinstance(value, ast.BinOp) and not isinstance(value.op, ast.Add)
            self.grows(name, int) if self.numbers(value) else self.grows(name, *((int, float) if only_sum else (int, float, str, list, tuple)))
        for name in set(self.modulo) - set(self.grown) - self.read - self.set:
            self.read.add(name)  # nothing changes it
        for name in set(self.modulo) & set(self.grown):
            if not all(self.numbers(value, name) for other, value in self.assigned if other == name):
                raise ValueError
            self.grown[name] = [int]

    def harmless(self, name, value, known):
        if name in self.modulo and not self.numbers(value, name):
            return False
        return self.numbers(value) and self.sums(value) or self.accumulates(name, value, known)

    def sums(self, value):
        """Whether all that is set to the names in a sum of numbers is such a sum."""
        names = {n.id for n in self.ast.walk(value) if isinstance(n, self.ast.Name)}
        return all(self.numbers(v) for name, v in self.assigned if name in names) and names <= {name for name, _ in self.assigned}

    def numbers(self, value, only=None):
        """Whether a value consists of sums and products of names and whole numbers."""
        ast = self.ast
        if isinstance(value, ast.Name):
            return only is None or value.id == only
        if isinstance(value, ast.Constant):
            return type(value.value) is int
        return (isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub, ast.Mult))
                and self.numbers(value.left, only) and self.numbers(value.right, only))

    def accumulates(self, name, value, known):
        """Whether a value is the name's own, changed by what is the same each time."""
        ast = self.ast
        if not isinstance(value, ast.BinOp):
            return False
        others = [value.right]
        if isinstance(value.op, ast.Add):
            parts, others = [value], []
            while parts:
                p = parts.pop()
                if isinstance(p, ast.BinOp) and isinstance(p.op, ast.Add):
                    parts += [p.left, p.right]
                else:
                    others.append(p)
            own = [p for p in others if isinstance(p, ast.Name) and p.id == name]
            if len(own) != 1:
                return False
            others.remove(own[0])
        elif not (isinstance(value.op, (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)) and isinstance(value.left, ast.Name) and value.left.id == name):
            return False
        if any(isinstance(n, ast.Name) and n.id == name for o in others for n in ast.walk(o)):
            return False
        for o in others:  # what is added decides whether that succeeds
            self.look_at(o)
        return name not in self.read | self.set

    def calls(self, name):
        """Takes in a function that is called: one of Python's, or of the program if it only computes."""
        frame = self.frame
        self.called.add(name)
        if name in self.own:
            raise ValueError
        if name in self.functions:
            return
        if name in _FUNCTIONS and name not in frame.f_locals and name not in frame.f_globals and _builtins.get(name) is _functions[name]:
            return
        function = frame.f_globals.get(name)
        if name in frame.f_locals and frame.f_locals is not frame.f_globals or type(function) is not _function:
            raise ValueError
        code, ast = function.__code__, self.ast
        if code.co_filename != "solution.py" or code.co_freevars or code.co_cellvars or function.__kwdefaults__ or code.co_flags & 0x2a0 or function.__globals__ is not frame.f_globals:
            raise ValueError
        for v in function.__defaults__ or ():
            plain(v, [_PARTS], False)
        found = [n for n in self.tree.body if isinstance(n, ast.FunctionDef) and n.name == name and n.lineno == code.co_firstlineno]
        if len(found) != 1 or found[0].decorator_list or name != code.co_name:
            raise ValueError
        self.functions[name] = function
        inner = Body(self.loop, set(code.co_varnames) | {""})
        for part in found[0].body:
            if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)):
                inner.look_at(part)

    def value(self, name):
        return self.frame.f_locals.get(name, self.frame.f_globals.get(name))

    def repeats(self):
        """Reports whether it was here with the same values before, as Brent finds a cycle
        of any length. ValueError: some are no plain values."""
        kinds = {name: type(self.value(name)) for name in self.grown}
        if any(kind not in self.grown[name] for name, kind in kinds.items()):
            raise ValueError
        out, seen, left = [self.frame.f_lasti, sorted((n, k.__name__) for n, k in kinds.items())], {}, [_PARTS]
        for v in [self.value(name) for name in self.names] + [self.frame.f_globals.get(name) for name in sorted(self.globals)]:
            out.append(plain(v, left, True, seen))
        for name in set(self.modulo) & set(self.grown):
            out.append(self.value(name) % self.modulo[name])
        for name, function in self.functions.items():
            if self.frame.f_globals.get(name) is not function:
                raise ValueError
        state = marshal.dumps(out, 2)
        if state == self.kept:
            return True
        self.passes += 1
        if self.passes == self.power:
            self.kept, self.power = state, 2 * self.power
        return False

    def left(self):
        self.kept, self.passes, self.power = None, 0, 1


class Body(Loop):
    """The body of a function that a loop calls: its own names do not outlive the call."""

    def __init__(self, loop, own):
        self.ast, self.tree, self.frame, self.functions, self.called = loop.ast, loop.tree, loop.frame, loop.functions, set()
        self.loop, self.own = loop, own

    def look_at(self, part):
        self.read, self.set = set(), set()
        Loop.look_at(self, part)
        self.loop.globals |= self.read - self.own

    def assigns(self, n):
        return False

    def adds(self, call):
        return False

    def residue(self, n):
        return False


def plain(v, left, lists, seen=None):
    """What stands for a value: its parts, and which lists and dicts are one. ValueError: it
    is more than plain values."""
    kind = type(v)
    left[0] -= 1
    if left[0] < 0 or kind is int and v.bit_length() > _LARGE or kind is str and len(v) > _LARGE:
        raise ValueError
    if kind in _SCALARS:
        return v
    if kind is tuple:
        return tuple([plain(part, left, lists, seen) for part in v])
    if kind is not list and kind is not dict or not lists:
        raise ValueError
    if id(v) in seen:
        return {0: seen[id(v)]}
    seen[id(v)] = len(seen)
    if kind is list:
        return [plain(part, left, lists, seen) for part in v]
    return ["dict", [(plain(k, left, lists, seen), plain(part, left, lists, seen)) for k, part in v.items()], {}]


def loops_around(frame, source):
    """The loops that only compute around the place where a frame is."""
    import ast
    found, tree = [], ast.parse(source)
    if frame.f_code.co_name in ("<lambda>", "<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"):
        return found  # the loop is around it
    for n in ast.walk(tree):
        if isinstance(n, ast.While) and max(n.lineno, frame.f_code.co_firstlineno) <= frame.f_lineno <= n.body[-1].end_lineno:
            try:
                found.append(Loop(ast, n, frame, tree))
            except (ValueError, IndexError):
                pass
    return found


class Watch:
    """Looks at the program now and then, by the processor time that it uses."""

    def __init__(self, tell):
        self.tell, self.after, self.source, self.loops = tell, _AFTER, "", {}
        _signal.signal(_signal.SIGVTALRM, self.look)
        _signal.setitimer(_signal.ITIMER_VIRTUAL, self.after)
        atexit.register(_signal.setitimer, _signal.ITIMER_VIRTUAL, 0)  # later, nobody handles its signal

    def look(self, number, frame):
        self.after *= 4
        _signal.setitimer(_signal.ITIMER_VIRTUAL, self.after)
        try:
            if not self.alone():
                return
            self.events = 0
            for _ in range(20):
                if frame is None or frame.f_code.co_filename != "solution.py":
                    break
                loops = loops_around(frame, self.source)
                for loop in loops:
                    if loop.idle:
                        self.tell(loop.node.lineno)
                if loops:
                    self.loops[frame] = loops
                    frame.f_trace = self.follow
                frame = frame.f_back
            if self.loops:
                sys.settrace(lambda *_: None)
        except Exception:
            self.stop()

    def alone(self):
        """Reports whether nothing but its own code can change how the program goes on."""
        if sys.gettrace() or sys.getprofile() or len(sys._current_frames()) > 1:
            return False
        handlers = [_signal.getsignal(n) for n in _signal.valid_signals()]
        return all(not callable(h) or h in (self.look, _signal.default_int_handler) for h in handlers)

    def follow(self, frame, event, _):
        self.events += 1
        if event == "return":
            self.loops.pop(frame, None)
        for loop in list(self.loops.get(frame, ())) if event == "line" else ():
            try:
                if not loop.node.lineno <= frame.f_lineno <= loop.node.body[-1].end_lineno:
                    loop.left()
                elif frame.f_lineno == loop.node.body[0].lineno and frame.f_lasti == loop.start and loop.repeats():
                    self.tell(loop.node.lineno)
            except Exception:
                self.loops[frame].remove(loop)
        if self.events < _EVENTS and any(self.loops.values()):
            return self.follow
        self.stop()
        return None

    def stop(self):
        sys.settrace(None)
        for frame in self.loops:
            frame.f_trace = None
        self.loops = {}
