# Finds loops that can never end. A program that has computed for a while is stopped where
# it is. If that is in loops that only compute with numbers, texts, tuples, lists and dicts,
# they are followed line by line: a loop that comes to the same place with the same values
# twice does so forever. Left out of the values are those that cannot decide anything: what
# is only added to, numbers of which only the remainder by a constant is looked at, counters
# that have passed all they are compared with, and what only lines read that were not come to.
# Nothing uncertain is claimed: a loop that does anything else, or has another thread, timer
# or signal handler around it runs on to its limit of processor time. A program that forges
# the claim only fails by it.
import _signal
import atexit
import marshal

_AFTER = 0.05   # seconds of processor time until the first look; each next one takes four times as long
_SOON = 0.002   # the same where another call of the program never ended
_EVENTS = 10000  # lines that are followed at each look
_PARTS = 300    # values of a list, tuple or dict that are compared
_LARGE = 10000  # bits of a number, characters of a text
_SCALARS = (int, float, bool, str, type(None))
_FUNCTIONS = frozenset("abs all any bin bool chr dict divmod enumerate float int isinstance len list max min ord pow range reversed round sorted str sum "
                       "tuple zip".split())
_METHODS = frozenset("append bit_length clear copy count endswith extend find get index insert isalnum isalpha isdigit islower isspace isupper "
                     "is_integer items join keys lower lstrip pop remove replace reverse rfind rstrip sort split startswith strip upper values".split())
_STATEMENTS = "Assign AugAssign Delete For While If Expr Pass Break Continue Return Assert Try ExceptHandler".split()
_EXPRESSIONS = ("BinOp UnaryOp BoolOp Compare IfExp Tuple List Dict ListComp GeneratorExp comprehension Constant Subscript Slice Name Call "
                "keyword Attribute JoinedStr FormattedValue operator unaryop boolop cmpop expr_context").split()
_builtins = vars(sys.modules["builtins"])
_functions = {name: _builtins[name] for name in _FUNCTIONS}
_function = type(lambda: None)
_ADDED = {"append": list, "add": set}


class Loop:
    """A loop of the program. ValueError: it cannot be followed."""

    def __init__(self, ast, node, frame, tree):
        self.ast, self.node, self.frame, self.tree = ast, node, frame, tree
        self.lines, self.names = set(), None  # the lines that were come to; the names that decide how it goes on
        self.left()
        self.idle = isinstance(node.test, ast.Constant) and node.test.value and all(isinstance(n, ast.Pass) for n in node.body)
        first = node.body[0]
        while isinstance(first, ast.Try):
            first = first.body[0]
        head = getattr(first, "test", getattr(first, "iter", first))
        if head.end_lineno != first.lineno or first.lineno == node.lineno and not self.idle:
            raise ValueError  # its line may be come to in the middle
        self.first = first.lineno
        self.start = min(start for start, line in __import__("dis").findlinestarts(frame.f_code) if line == self.first)

    def analyse(self):
        """Finds the names that decide how it goes on while no other lines are come to. ValueError: it
        does more than compute."""
        ast = self.ast
        self.read, self.set, self.assigned, self.grown, self.modulo = set(), set(), [], {}, {}
        self.globals, self.functions = set(), {}  # what functions of the program read, and those themselves
        self.called, self.own, self.loop, self.tries = set(), (), self, False
        self.stored, self.counted, self.bounds = {}, {}, {}
        parts = [self.node.test] + self.node.body
        for n in self.within(parts):
            self.counts(n)
        for part in parts:
            self.look_at(part)
        self.leave_out()
        if (self.read | self.set | set(self.grown)) & self.called or self.tries and self.grown:
            raise ValueError  # what grows may fill the memory, which a handler may wait for
        self.names = sorted(self.read | self.set)

    def come_to(self, n):
        """Whether a line of a statement or handler was come to."""
        return not isinstance(n, (self.ast.stmt, self.ast.ExceptHandler)) or self.lines is None or not self.lines.isdisjoint(range(n.lineno, n.end_lineno + 1))

    def within(self, parts):
        """The parts of a program that were come to, with all that is in them."""
        stack = list(parts)
        while stack:
            n = stack.pop()
            if self.come_to(n):
                yield n
                stack += self.ast.iter_child_nodes(n)

    def counts(self, n):
        """Takes note of a name that is set: by counting up (1) or down (-1), or in another way."""
        ast, way = self.ast, 0
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
            self.stored[n.id] = self.stored.get(n.id, 0) + 1
        if isinstance(n, ast.AugAssign):
            name, op, by = n.target, n.op, n.value
        elif isinstance(n, ast.Assign) and len(n.targets) == 1 and isinstance(n.value, ast.BinOp) and isinstance(n.value.left, ast.Name) and n.value.left.id == getattr(n.targets[0], "id", ""):
            name, op, by = n.targets[0], n.value.op, n.value.right
        else:
            return
        if isinstance(name, ast.Name) and isinstance(by, ast.Constant) and type(by.value) is int:
            if isinstance(op, ast.Add) and by.value > 0 or isinstance(op, ast.Mult) and by.value > 1:
                way = 1
            elif isinstance(op, ast.Sub) and by.value > 0:
                way = -1
            self.counted.setdefault(name.id, []).append(way)

    def counter(self, n, *ways):
        """Whether something is a name that is only counted in one of these ways."""
        ways_of = self.counted.get(n.id, ()) if isinstance(n, self.ast.Name) else ()
        return bool(ways_of) and len(ways_of) == self.stored[n.id] and ways_of[0] in ways and len(set(ways_of)) == 1

    def unchanging(self, n):
        """Whether the loop changes nothing in a value, if all names in it are of numbers and texts."""
        ast = self.ast
        if isinstance(n, ast.Call):
            return isinstance(n.func, ast.Name) and n.func.id in ("int", "abs", "len") and not n.keywords and all(self.unchanging(a) for a in n.args)
        if isinstance(n, ast.BinOp):
            return self.unchanging(n.left) and self.unchanging(n.right)
        return isinstance(n, ast.Constant) or isinstance(n, ast.Name) and n.id not in self.stored

    def passes_by(self, n):
        """Takes note of a counter that is asked for nothing but where it stands by a value that does not change, and
        returns that; of a remainder or quotient by the counter, the value is what is divided."""
        ast, counter, value, divided = self.ast, None, None, False
        if isinstance(n, ast.Compare) and len(n.ops) == 1 and isinstance(n.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)):
            counter, value = n.left, n.comparators[0]
            if not self.counter(counter, 1, -1):
                counter, value = value, counter
        elif isinstance(n, ast.BinOp) and isinstance(n.op, (ast.Mod, ast.FloorDiv)) and self.counter(n.right, 1):
            counter, value, divided = n.right, n.left, True
        elif isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "range" and len(n.args) in (2, 3) and not n.keywords and self.counter(n.args[0], 1):
            step = n.args[2:]
            if not step or isinstance(step[0], ast.Name) and step[0].id == n.args[0].id or isinstance(step[0], ast.Constant) and type(step[0].value) is int and step[0].value > 0:
                counter, value = n.args[:2]
                self.calls("range")
        if counter is None or not self.counter(counter, 1, -1) or not self.unchanging(value):
            return None
        code = compile(ast.fix_missing_locations(ast.Expression(value)), "bound", "eval")
        self.bounds.setdefault(counter.id, []).append((code, divided))
        return value

    def passed(self, name):
        """What stands for a counter: nothing of it, once it has passed all that it is asked about."""
        v, up = self.value(name), self.counted[name][0] > 0
        for code, divided in self.bounds[name]:
            if any(type(self.value(n)) not in (int, float, str, tuple) for n in code.co_names if n not in self.called):
                return v
            bound = eval(code, self.frame.f_globals, self.frame.f_locals)
            if divided and (type(bound) is not int or bound < 0) or type(bound) not in (int, float) or not (v > bound if up else v < bound):
                return v
        return None if v > 0 or not up else v

    def look_at(self, part):
        """Takes in what a part of the loop does."""
        ast, stack = self.ast, [part]
        pure = tuple(getattr(ast, name) for name in _STATEMENTS + _EXPRESSIONS)
        while stack:
            n = stack.pop()
            if not self.come_to(n):
                continue
            if not isinstance(n, pure):
                raise ValueError
            if isinstance(n, (ast.Assign, ast.AugAssign)) and self.assigns(n):
                continue
            if isinstance(n, ast.ExceptHandler):
                stack += self.handles(n)
                continue
            bound = self.passes_by(n)
            if bound is not None:
                stack.append(bound)
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

    def handles(self, n):
        """Takes in a handler of Python's own exceptions, and returns what it does."""
        ast, kinds = self.ast, n.type.elts if isinstance(n.type, self.ast.Tuple) else [n.type]
        self.loop.tries = True
        for kind in kinds if n.type else ():
            if not isinstance(kind, ast.Name) or kind.id in self.own or kind.id in self.frame.f_locals or kind.id in self.frame.f_globals:
                raise ValueError
            if not isinstance(_builtins.get(kind.id), type) or not issubclass(_builtins[kind.id], Exception):
                raise ValueError
        if n.name:
            raise ValueError
        return n.body

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

    def comes_to(self, line, at):
        """Takes note of a line that is come to, and reports whether a pass begins of which all lines are known."""
        if not self.node.lineno <= line <= self.node.body[-1].end_lineno:
            self.left()
            return False
        starts = at == self.start and line == self.first
        if line not in self.lines:
            self.lines.add(line)
            self.names = None
            self.left()
        elif starts and self.names is None:
            self.analyse()
        return starts and self.names is not None

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
        for name in set(self.bounds) & set(self.grown):
            out.append(self.passed(name))
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
        self.loop, self.own, self.lines = loop, own, None

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

    def passes_by(self, n):
        return None


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
        self.tell, self.source, self.loops = tell, "", {}
        _signal.signal(_signal.SIGVTALRM, self.look)
        self.look_after(_AFTER)
        atexit.register(_signal.setitimer, _signal.ITIMER_VIRTUAL, 0)  # later, nobody handles its signal

    def look_after(self, seconds):
        self.after = seconds
        _signal.setitimer(_signal.ITIMER_VIRTUAL, seconds)

    def look(self, number, frame):
        if frame.f_lineno is None:  # it is between two lines
            _signal.setitimer(_signal.ITIMER_VIRTUAL, 0.001)
            return
        self.look_after(4 * self.after)
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
                if loop.comes_to(frame.f_lineno, frame.f_lasti) and loop.repeats():
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
