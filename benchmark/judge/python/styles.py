# The styles of tests that are neither data nor one function: lists of asserts,
# and classes of unittest.


def loaded(task, run):
    """The names that tests see: the prompt's, and the entry point."""
    namespace = {"__name__": "tests", "__builtins__": builtins}
    try:
        exec(compile(task["prompt"], "prompt", "exec", dont_inherit=True), namespace)
    except Exception:
        pass  # a prompt that does not stand alone offers no helpers
    namespace[task["entry"]] = namespace["candidate"] = run.candidate
    return namespace


class AssertsStyle:
    def __init__(self, task):
        self.task = task
        self.setup = compile(task["setup"], "check", "exec", dont_inherit=True)
        transform, self.codes = Transform(), []
        for i, text in enumerate(task["asserts"]):
            tree = transform.visit(ast.parse(text, "check"))
            if len(transform.found) != i + 1:
                raise ValueError("number %d of the asserts is not one assert statement: %s" % (i + 1, clip(text)))
            self.codes.append(compile(tree, "check", "exec", dont_inherit=True))
        self.found = transform.found

    def cases(self, run):
        return [Case(run, i + 1, call, expected) for i, (call, expected, _) in enumerate(self.found)]

    def execute(self, run, cases):
        namespace = loaded(self.task, run)
        namespace["__assay_cases__"] = cases
        random.seed(20240229)
        try:
            exec(self.setup, namespace)
        except (CallFailed, Exception) as e:
            run.aborted = fault(e)
            for case in cases:
                case.fail(*run.aborted)
            return
        for case, code in zip(cases, self.codes):
            with case:
                exec(code, namespace)


class UnittestStyle:
    def __init__(self, task):
        self.task = task
        self.code = compile(task["unittest"], "check", "exec", dont_inherit=True)
        self.names = [test.id() for test in self.tests(Unready(task))]
        if not self.names:
            raise ValueError("the tests define no test method in a class of unittest.TestCase")

    def tests(self, run):
        import types
        import unittest
        namespace = loaded(self.task, run)
        # Tests may import the code by the name that programs have here.
        module = sys.modules["solution"] = types.ModuleType("solution")
        setattr(module, self.task["entry"], run.candidate)
        exec(self.code, namespace)
        loader, found = unittest.TestLoader(), []
        for value in list(namespace.values()):
            if isinstance(value, type) and issubclass(value, unittest.TestCase) and value.__module__ == "tests":
                if not getattr(value, "__unittest_skip__", False):
                    found += [t for t in loader.loadTestsFromTestCase(value)
                              if not getattr(getattr(t, t._testMethodName), "__unittest_skip__", False)]
        return found

    def cases(self, run):
        return [Case(run, i + 1, name.partition(".")[2], "", False, name.rpartition(".")[2])
                for i, name in enumerate(self.names)]

    def execute(self, run, cases):
        import unittest
        random.seed(20240229)
        try:
            tests = self.tests(run)
        except (CallFailed, Exception) as e:
            run.aborted = fault(e)
            for case in cases:
                case.fail(*run.aborted)
            return
        result = unittest_result(run, dict(zip(self.names, cases)))
        unittest.TestSuite(tests).run(result)
        if result.broken is not None:
            raise result.broken
        for case in cases:
            if case.report["status"] == "":
                case.fail(*(result.outside or ("not_run", "")))


class Unready:
    """Stands for a run while tests are read: nothing can be called yet."""

    def __init__(self, task):
        self.task, self.remotes, self.case = task, {}, None
        self.candidate = Candidate(self)

    def ask(self, *what):
        raise ValueError("the tests call the entry point outside a test method")


def unittest_result(run, cases):
    import unittest

    class Result(unittest.TestResult):
        broken = outside = None

        def startTest(self, test):
            run.last, run.case = _NOTHING, cases.get(test.id())

        def stopTest(self, test):
            if run.case is not None and run.case.report["status"] == "":
                run.case.report["status"] = "passed"
                run.case.show()
            run.case = None

        def failed(self, test, error):
            e = error[1]
            if isinstance(e, Unsendable):
                self.broken = e
            case = cases.get(test.id())
            if case is None:  # a fixture of the class
                self.outside = fault(e)
            elif isinstance(e, AssertionError) and not from_sample(e):
                case.fail("wrong_answer", str(e))  # unittest words it itself
            else:
                case.fail(*fault(e))

        addError = addFailure = failed

        def addSubTest(self, test, subtest, error):
            if error is not None:
                self.failed(test, error)

        def addSkip(self, test, reason):
            if test.id() in cases:
                cases[test.id()].fail("not_run", "skipped: %s" % reason)

        def addExpectedFailure(self, test, error):
            if isinstance(error[1], (CallFailed, Unsendable)):
                self.failed(test, error)

        def addUnexpectedSuccess(self, test):
            cases[test.id()].fail("wrong_answer", "the test was expected to fail")

    return Result()


class StdinStyle:
    """Whole programs run elsewhere; here is only the task's own checker."""

    def __init__(self, task):
        self.checker = Checker(task["checker"])

    def cases(self, run):
        return []


_STYLES = {"check": CheckStyle, "calls": CallsStyle, "asserts": AssertsStyle, "unittest": UnittestStyle, "stdin": StdinStyle}


# Python runs a text where tests say so. One that the program returned would be run here, where it could be equal to
# anything.
_RUN_A_TEXT = {"": {"eval", "exec", "__import__"}, "builtins": {"eval", "exec", "__import__"}, "os": {"system", "popen"},
               "importlib": {"import_module"}, "runpy": {"run_path", "run_module"}, "subprocess": {"run", "call", "Popen", "check_call", "check_output", "getoutput"},
               "pickle": {"loads", "load"}, "marshal": {"loads", "load"}, "dill": {"loads", "load"}, "cloudpickle": {"loads", "load"}}


def names_in(task):
    """The names that the tests use. It raises Unsendable for tests that run a text other than one of their own."""
    names, constant = set(), set()
    texts = [task[name] for name in ("check", "setup", "unittest", "checker") if task[name]]
    for text in texts + list(task["asserts"] or ()) + [task["prompt"]]:
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            continue  # a prompt
        tree.body = [n for n in tree.body if getattr(n, "name", None) != task["entry"]]
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                constant.add(node.func)
            name = None
            if isinstance(node, ast.Name):
                names.add(node.id)
                name = node.id in _RUN_A_TEXT[""] and node.id
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                name = node.attr in _RUN_A_TEXT.get(node.value.id, ()) and "%s.%s" % (node.value.id, node.attr)
            elif isinstance(node, ast.ImportFrom):
                name = next((a.name for a in node.names if a.name in _RUN_A_TEXT.get(node.module, ())), None)
            if name and node not in constant:
                raise Unsendable("the tests use %s, which could run a text of the program's among the tests; ast.literal_eval reads values, and "
                                 "\"in_process\": true in the tests would run them in the program's own process" % name)
    return names
