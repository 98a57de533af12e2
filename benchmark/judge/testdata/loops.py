# Holds what python/endless.py claims against what happens: programs with loops at random
# are run, each in a process of its own that looks for loops without end within 40 lines. One
# that is claimed must not end in many times as many steps. Prints the numbers of programs
# that ended, that were claimed, and that did neither. With "ending" every loop counts its
# passes and breaks off, so that none may be claimed; nothing has to be run twice then.
#
#   loops.py ENDLESS SEED PROGRAMS [ending]
import ast
import dis
import os
import random
import signal
import sys

with open(sys.argv[1]) as f:
    exec(f.read())
random.seed(int(sys.argv[2]))
NAMES = "abcd"
ENDING = sys.argv[4:] == ["ending"]


def expression(depth=0):
    kind = random.randrange(12 if depth < 2 else 2)
    if kind == 0:
        return random.choice(NAMES)
    if kind == 1:
        return str(random.randrange(-2, 12))
    if kind == 2:
        return "len(%s)" % random.choice(("s", "t"))
    if kind == 3:
        return "abs(%s)" % expression(depth + 1)
    if kind == 4:
        return "%s %% %d" % (random.choice(NAMES), random.randrange(1, 7))
    if kind == 5:
        return "%s[%s %% 2]" % (random.choice("stu"), expression(depth + 1))
    if kind == 6:
        return random.choice(("g(%s)", "h(%s)", "sum([x for x in (%s, 2) if x > a])", "m.get(%s, 3)")) % expression(depth + 1)
    if kind == 7:
        return random.choice(("len([a, b])", "sum(s)", "max(u)", "0.5", "int(a / 3)", "(s is t)", "len(m)"))
    return "(%s %s %s)" % (expression(depth + 1), random.choice("+ - * // %".split()), expression(depth + 1))


def condition():
    return "%s %s %s" % (expression(), random.choice("< > == != <= >=".split()), expression())


# How loops count their passes in z and break off.
ENDINGS = ("z += 1\nif z > {0}:\n    break", "z = z + 3\nif {0} % z == {0}:\n    break", "z -= 2\nif z < -{0}:\n    break", "z += 1\nif z // {0}:\n    break",
           "z += 2\nif {0} // z == 0:\n    break", "z *= 2\nif not z <= {0}:\n    break", "z += 1\ntry:\n    u[z // {0}]\nexcept IndexError:\n    break",
           "z += 1\ny = 1\nfor e in range(z, {0}):\n    y = 0\nif y:\n    break", "y.append(0)\nif len(y) > {0}:\n    break", "z += 1\nif z >= len(q) + {0}:\n    break")


def loop_head(indent, test):
    """The head of a loop, and the lines that end it."""
    return [indent + "while %s:" % test] + [indent + "    " + line for line in (ending.split("\n") if ENDING else ())]


def statements(depth, indent, loop):
    lines = []
    for _ in range(random.randrange(1, 4)):
        kind = random.randrange(16)
        if kind < 3:
            lines.append(indent + "%s = %s" % (random.choice(NAMES), expression()))
        elif kind < 6:
            lines.append(indent + "%s %s= %s" % (random.choice(NAMES), random.choice("+ - * // %".split()), expression()))
        elif kind == 11:
            lines.append(indent + random.choice(("s[a % 2] = {}", "t[0] = {}", "m[a % 3] = {}", "s[b % 2] += {}", "s = t + [{}]", "t = [{}] + t", "s.insert(0, {})",
                                                 "t.extend([{}])", "r += {}", "r = r + {}", "r = {} - r", "q = str({}) + q", "w.append({})", "w.add({})")).format(expression()))
        elif kind == 12:
            lines.append(indent + random.choice(("s.pop()", "t.pop(0)", "s.reverse()", "t.sort()", "s = t", "t = s[:]", "s, t = t, s", "del s[0]", "m.clear()", "u = tuple(s)", "a, b = b, a", "r = a", "w = s")))
        elif kind == 13:
            lines.append(indent + "%s %s= %d" % (random.choice(NAMES), random.choice("+-"), random.randrange(1, 5)))
        elif kind == 14:
            form = random.choice(("c += 2", "c -= 3", "c *= 2", "c = c + 1", "d = {1} % c", "d = {1} // c", "if c {0} {1}:\n    b = a", "if d {0} {1}:\n    log(d)", "if c {0} len(q):\n    break",
                                  "for e in range(c, {1}):\n    d = e", "while c < {1}:\n    c += 1"))
            lines += [indent + line for line in form.format(random.choice("< > == != <= >=".split()), random.randrange(60)).split("\n")]
        elif kind == 15 and depth < 3:
            lines.append(indent + "try:")
            lines += statements(depth + 1, indent + "    ", loop)
            lines.append(indent + random.choice(("except ValueError:", "except (ZeroDivisionError, IndexError):", "except:", "except KeyError:")))
            lines += statements(depth + 1, indent + "    ", loop)
        elif kind == 6:
            lines.append(indent + "%s.append(%s)" % (random.choice("st"), expression()))
        elif kind == 7 and depth < 3:
            lines.append(indent + "if %s:" % condition())
            lines += statements(depth + 1, indent + "    ", loop)
        elif kind == 8 and depth < 3:
            lines += loop_head(indent, random.choice((condition(), "True", random.choice(NAMES))))
            lines += statements(depth + 1, indent + "    ", True)
        elif kind == 9 and depth < 3:
            lines.append(indent + "for %s in %s:" % (random.choice(NAMES), random.choice(("range(%s)" % expression(), "u", "list(u)"))))
            lines += statements(depth + 1, indent + "    ", True)
        elif loop:
            lines.append(indent + random.choice(("break", "continue")))
        else:
            lines.append(indent + "%s = %s" % (random.choice(NAMES), expression()))
    return lines


def program():
    global ending
    ending = random.choice(ENDINGS).format(random.choice((2, 20, 60)))
    lines = ["G = 3", "def g(x):", "    while x > G:", "        x -= 3", "    return x", "def h(x):", "    if x < 2 or x > 9:", "        return 1", "    return h(x - 1) + g(x)",
             "def f():", "    a, b, c, d = %s" % ", ".join(str(random.randrange(-3, 9)) for _ in NAMES),
             "    r, q, m, z, y = 0, '', {1: 2}, 1, []", "    w = %s" % random.choice(("[]", "set()", "{1: 1}")), "    s = [1, 2]", "    t = %s" % random.choice(("s", "[3]")), "    u = (1, 2, 5)"]
    lines += ["    for e in range(%d):" % random.choice((1, 3, 9 if ENDING else 100000))]
    lines += loop_head("        ", random.choice((condition(), "a < 40", "len(s) < 30", "s", "b > -50")))
    step = random.choice(("a += 1", "s.append(a)", "s.pop()", "b -= 2", "a = a + g(2)"))
    return "\n".join(lines + statements(1, " " * 12, True) + [" " * 12 + step, "f()", ""])


def look_at_line(watch, left):
    """Has the program looked at when it has run so many lines, as a timer would."""
    def trace(frame, event, _):
        nonlocal left
        left -= frame.f_code.co_filename == "solution.py" and event == "line"
        if left > 0:
            return trace
        sys.settrace(None)
        around = frame
        while around is not None:
            around.f_trace, around = None, around.f_back
        watch.look(0, frame)
        return frame.f_trace
    sys.settrace(trace)


def end_of(sources, claim, seconds):
    """What becomes of programs, one after the other: 0: all ended, 3: one was claimed to be endless, 4: neither."""
    child = os.fork()
    if child == 0:
        _signal.setitimer(_signal.ITIMER_PROF, seconds)
        _signal.signal(_signal.SIGPROF, _signal.SIG_DFL)
        for source in sources:
            code = compile(source, "solution.py", "exec")
            if claim:
                watch = Watch(lambda line: os._exit(3))
                watch.source = source
                look_at_line(watch, random.randrange(8, 40))
            try:
                exec(code, {})
            except Exception:
                pass
            sys.settrace(None)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 4


counts = {0: 0, 3: 0, 4: 0}
for _ in range(0, int(sys.argv[3]), 40):
    sources = [program() for _ in range(40)]
    if ENDING and end_of(sources, True, 1) == 0:
        counts[0] += 40
        continue
    for source in sources:
        end = end_of([source], True, 0.1)
        counts[end] += 1
        if end == 3 and (ENDING or end_of([source], False, 0.5) == 0):
            print("it is claimed to be endless, and ends:\n" + source)
            sys.exit(1)
print(counts[0], counts[3], counts[4])
