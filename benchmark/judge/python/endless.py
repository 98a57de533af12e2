# Finds loops that can never end. A program that has computed for a while is stopped where
# it is. If that is in a loop that only computes with numbers, texts and tuples, it is
# followed line by line: a loop that comes to the same place with the same values twice
# does so forever. Nothing uncertain is claimed: a loop that calls functions of the
# program, changes lists, or has another thread, timer or signal handler around it runs
# on to its limit of processor time. A program that forges the claim only fails by it.
import _signal
import atexit
import marshal

_AFTER = 0.05   # seconds of processor time until the first look; each next one takes four times as long
_EVENTS = 10000  # lines that are followed at each look
_PARTS = 300    # values of a list or tuple that are compared
_LARGE = 10000  # bits of a number, characters of a text
_SCALARS = (int, float, bool, str, type(None))
_FUNCTIONS = frozenset("abs all any bin bool chr divmod float int len max min ord pow range round sorted str sum".split())
_METHODS = frozenset("bit_length count endswith find index isalnum isalpha isdigit islower isspace isupper is_integer join lower "
                     "lstrip replace rfind rstrip split startswith strip upper".split())
_STATEMENTS = "Assign AugAssign For While If Expr Pass Break Continue Return".split()
_EXPRESSIONS = ("BinOp UnaryOp BoolOp Compare IfExp Tuple List Constant Subscript Slice Name Call Attribute "
                "operator unaryop boolop cmpop expr_context").split()
_builtins = vars(sys.modules["builtins"])
_functions = {name: _builtins[name] for name in _FUNCTIONS}


class Loop:
    """A loop of the program, with the names that decide how it goes on. ValueError: it
    does more than compute."""

    def __init__(self, ast, node, frame):
        self.node, self.frame = node, frame
        self.left()
        self.idle = isinstance(node.test, ast.Constant) and node.test.value and all(isinstance(n, ast.Pass) for n in node.body)
        self.read, self.set, self.called, self.grown = set(), set(), set(), {}
        pure = tuple(getattr(ast, name) for name in _STATEMENTS + _EXPRESSIONS)
        seen = set()  # names that were dealt with, as nodes
        for part in [node.test] + node.body:
            for n in ast.walk(part):
                if not isinstance(n, pure):
                    raise ValueError
                if n not in seen:
                    self.look_at(ast, n, seen)
        first = node.body[0]
        head = getattr(first, "test", first)
        if isinstance(first, ast.For) or head.end_lineno != first.lineno:
            raise ValueError  # its line may be come to in the middle
        for name in self.called:
            if name in frame.f_locals or name in frame.f_globals or _builtins.get(name) is not _functions[name]:
                raise ValueError
        for name in set(self.grown) & (self.read | self.set):
            self.set.add(name)
            del self.grown[name]
        self.names = sorted(self.read | self.set)

    def look_at(self, ast, n, seen):
        if isinstance(n, ast.Call):
            if n.keywords or not isinstance(n.func, (ast.Name, ast.Attribute)):
                raise ValueError
            if isinstance(n.func, ast.Name):
                if n.func.id not in _FUNCTIONS:
                    raise ValueError
                self.called.add(n.func.id)
                seen.add(n.func)
        elif isinstance(n, ast.Attribute) and n.attr not in _METHODS:
            raise ValueError
        elif isinstance(n, ast.Subscript) and not isinstance(n.ctx, ast.Load):
            raise ValueError
        elif isinstance(n, ast.AugAssign):
            if not isinstance(n.target, ast.Name):
                raise ValueError
            seen.add(n.target)
            if isinstance(n.op, (ast.Add, ast.Sub, ast.Mult)):
                self.grows(n.target.id, int)
            else:
                self.read.add(n.target.id)
                self.set.add(n.target.id)
        elif isinstance(n, ast.Expr) and isinstance(n.value, ast.Call) and getattr(n.value.func, "attr", "") == "append":
            if not isinstance(n.value.func.value, ast.Name) or n.value.keywords:
                raise ValueError
            seen.update((n.value, n.value.func, n.value.func.value))
            self.grows(n.value.func.value.id, list)
        elif isinstance(n, ast.Name):
            (self.read if isinstance(n.ctx, ast.Load) else self.set).add(n.id)

    def grows(self, name, kind):
        """Takes note of a name that is added to: unless it is used for something else, it
        does not decide how the loop goes on, while it is of that kind."""
        if self.grown.setdefault(name, kind) is not kind:
            raise ValueError

    def value(self, name):
        return self.frame.f_locals.get(name, self.frame.f_globals.get(name))

    def repeats(self):
        """Reports whether it was here with the same values before, as Brent finds a cycle
        of any length. ValueError: some are no plain values."""
        values = [self.value(name) for name in self.names]
        if any(type(self.value(name)) is not kind for name, kind in self.grown.items()):
            raise ValueError
        for name, v in zip(self.names, values):
            plain(v, [_PARTS], name not in self.set)  # what is set may be a list that others see
        state = marshal.dumps((self.frame.f_lasti, values), 2)
        if state == self.kept:
            return True
        self.passes += 1
        if self.passes == self.power:
            self.kept, self.power = state, 2 * self.power
        return False

    def left(self):
        self.kept, self.passes, self.power = None, 0, 1


def plain(v, left, lists):
    kind = type(v)
    left[0] -= 1
    if left[0] < 0 or kind is int and v.bit_length() > _LARGE or kind is str and len(v) > _LARGE:
        raise ValueError
    if kind is tuple or kind is list and lists:
        for part in v:
            plain(part, left, lists)
    elif kind not in _SCALARS:
        raise ValueError


def loops_around(frame, source):
    """The loops that only compute around the place where a frame is."""
    import ast
    found = []
    for n in ast.walk(ast.parse(source)):
        if isinstance(n, ast.While) and max(n.lineno, frame.f_code.co_firstlineno) <= frame.f_lineno <= n.body[-1].end_lineno:
            try:
                found.append(Loop(ast, n, frame))
            except ValueError:
                pass
    return found


class Watch:
    """Looks at the program now and then, by the processor time that it uses."""

    def __init__(self, tell):
        self.tell, self.after, self.source, self.loops = tell, _AFTER, "", []
        _signal.signal(_signal.SIGVTALRM, self.look)
        _signal.setitimer(_signal.ITIMER_VIRTUAL, self.after)
        atexit.register(_signal.setitimer, _signal.ITIMER_VIRTUAL, 0)  # later, nobody handles its signal

    def look(self, number, frame):
        self.after *= 4
        _signal.setitimer(_signal.ITIMER_VIRTUAL, self.after)
        try:
            if not self.alone():
                return
            while frame is not None and frame.f_code.co_filename == "solution.py" and not self.loops:
                self.loops = loops_around(frame, self.source)
                for loop in self.loops:
                    if loop.idle:
                        self.tell(loop.node.lineno)
                if self.loops:
                    self.events = 0
                    sys.settrace(lambda *_: None)
                    frame.f_trace = self.follow
                frame = frame.f_back
        except Exception:
            pass

    def alone(self):
        """Reports whether nothing but its own code can change how the program goes on."""
        if sys.gettrace() or sys.getprofile() or len(sys._current_frames()) > 1:
            return False
        handlers = [_signal.getsignal(n) for n in _signal.valid_signals()]
        return all(not callable(h) or h in (self.look, _signal.default_int_handler) for h in handlers)

    def follow(self, frame, event, _):
        self.events += 1
        try:
            for loop in self.loops if event == "line" else ():
                if not loop.node.lineno <= frame.f_lineno <= loop.node.body[-1].end_lineno:
                    loop.left()
                elif frame.f_lineno == loop.node.body[0].lineno and loop.repeats():
                    self.tell(loop.node.lineno)
            if event == "line" and self.events < _EVENTS:
                return self.follow
        except Exception:
            pass
        sys.settrace(None)
        frame.f_trace, self.loops = None, []
        return None
