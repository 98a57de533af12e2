#!/usr/bin/env python3
"""Makes answers to LiveCodeBench's scenarios "code execution" and "test output prediction", and
grades them with LiveCodeBench's own functions:

    python3 make.py CHECKOUT

CHECKOUT is a checkout of the repository LiveCodeBench/LiveCodeBench (read at 28fef95e). The answers are
written to execution.jsonl and output.jsonl beside this script. numpy, pandas and tqdm are replaced by
empty modules where they are missing: the functions import them, and no answer here uses them.
"""

import ast
import contextlib
import importlib.util
import io
import itertools
import json
import pathlib
import random
import sys
import types

HERE = pathlib.Path(__file__).parent
for name in ("numpy", "pandas", "tqdm"):
    if importlib.util.find_spec(name) is None:
        sys.modules[name] = types.ModuleType(name)


def load(checkout, name):
    """A module of the checkout, without its package, which imports clients of models."""
    spec = importlib.util.spec_from_file_location(name.replace("/", "."), checkout / "lcb_runner" / (name + ".py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def package(checkout):
    """The few modules that the metrics need, under the names that they are imported by."""
    for name in ("lcb_runner", "lcb_runner.evaluation", "lcb_runner.utils"):
        sys.modules[name] = types.ModuleType(name)
    styles = sys.modules["lcb_runner.lm_styles"] = types.ModuleType("lcb_runner.lm_styles")
    styles.LMStyle = types.SimpleNamespace(CodeLLaMaInstruct="CodeLLaMaInstruct", GenericBase="GenericBase", OpenAIChat="OpenAIChat")
    for name in ("utils_execute", "pass_k_utils"):
        sys.modules["lcb_runner.evaluation." + name] = load(checkout, "evaluation/" + name)
    return (load(checkout, "utils/extraction_utils"), load(checkout, "evaluation/compute_code_execution_metrics"),
            load(checkout, "evaluation/compute_test_output_prediction_metrics"))


# Values with the same value otherwise written, and with other values that are nearly the same.
VALUES = [
    ("5", ["5", "5.0", "+5", "0x5", "2 + 3", "(5)", "5 if True else 6", "10 // 2", "not_a_name or 5", "5 or not_a_name"],
     ["6", "-5", "'5'", "[5]", "5,", "{5}", "05", "5.", "5e", "5j"]),
    ("-12", ["-12", "- 12", "-0xC", "-12.0", "~11", "-(12)"], ["12", "–12", "-12.5", "'-12'", "- -12"]),
    ("True", ["True", "1", "1.0", "not False", "1 == 1", "True and True", "2 > 1"], ["False", "true", "'True'", "0", "None", "TRUE", "Yes"]),
    ("False", ["False", "0", "not True", "0.0", "1 > 2"], ["True", "false", "''", "None", "[]", "FALSE"]),
    ("None", ["None", "(None)"], ["null", "'None'", "False", "0", "[]", "NONE", "nil"]),
    ("3.5", ["3.5", "3.50", "35e-1", "7 / 2", "0.35e1"], ["3", "4", "'3.5'", "3,5", "3.5000001", "7 // 2"]),
    ("'bhihia'", ["'bhihia'", '"bhihia"', "'bhi' 'hia'", "'bhi' + 'hia'", "'''bhihia'''", r"'\x62hihia'", "r'bhihia'", "u'bhihia'"],
     ["bhihia", "'bhihia", "'bhiha'", "b'bhihia'", "`bhihia`", "['bhihia']", "'Bhihia'", "“bhihia”"]),
    ("''", ["''", '""', "'' * 3", "''''''"], ["' '", "None", "[]", "'", "\"\"\""]),
    (r"'a\nb'", [r"'a\nb'", r'"a\nb"', "'a' '\\n' 'b'"], [r"'a\\nb'", r"r'a\nb'", "'a b'"]),
    ("[1, 2, 3]", ["[1, 2, 3]", "[1,2,3]", "[1, 2, 3,]", "[1] + [2, 3]", "[1, 2.0, 3]", "[True, 2, 3]", "[ 1, 2, 3 ]", "[1, 2, 3, 4][:3]", "[3, 2, 1][::-1]"],
     ["(1, 2, 3)", "1, 2, 3", "{1, 2, 3}", "[1, 2]", "[3, 2, 1]", "[1, 2, 3", "[1 2 3]", "'[1, 2, 3]'", "[[1, 2, 3]]"]),
    ("[]", ["[]", "[ ]", "[] * 4", "[1][1:]"], ["()", "None", "[[]]", "{}", "[", "''"]),
    ("[['a', 'b'], ['c']]", ["[['a', 'b'], ['c']]", '[["a","b"],["c"]]', "[['a', 'b']] + [['c']]"], ["[('a', 'b'), ('c',)]", "[['a'], ['b'], ['c']]", "[[a, b], [c]]", "[['c'], ['a', 'b']]"]),
    ("{'x': 1, 'y': [2]}", ["{'x': 1, 'y': [2]}", "{'y': [2], 'x': 1}", '{"x": 1, "y": [2]}', "{'x': 0, 'x': 1, 'y': [2]}"],
     ["{'x': 1}", "{'x': 1, 'y': (2,)}", "{x: 1, y: [2]}", "[('x', 1), ('y', [2])]", "{'x': '1', 'y': [2]}", "{[1]: 2}"]),
    ("[1.5, -2, 0]", ["[1.5, -2, 0]", "[1.50, -2.0, -0]", "[3 / 2, -2, 0]"], ["[1.5, 2, 0]", "(1.5, -2, 0)", "[1.5 -2 0]", "[1/0, -2, 0]"]),
    ("123456789012345678901234567890", ["123456789012345678901234567890", "123_456_789_012_345_678_901_234_567_890", "12345678901234567890 * 10**10 + 1234567890"],
     ["123456789012345678901234567891", "1.2345678901234568e+29", "1e30"]),
]
ONLY_PYTHON = [  # no JSON has these
    ("(1, 'a')", ["(1, 'a')", "1, 'a'", "(1, 'a',)", "(1,) + ('a',)"], ["[1, 'a']", "(1, a)", "1", "('a', 1)"]),
    ("{1, 2}", ["{1, 2}", "{2, 1, 1}", "{1, 2, 3} - {3}", "{1} | {2}"], ["[1, 2]", "{1: 2}", "{1}", "frozenset([1])"]),
    ("set()", ["set()", "{1} - {1}"], ["{}", "[]", "None"]),
    ("(3,)", ["(3,)", "3,", "(3.0,)"], ["(3)", "[3]", "3"]),
    ("b'ab'", ["b'ab'", "b'a' b'b'"], ["'ab'", "bytearray"]),
    ("inf", ["inf", "float('inf')", "1e999"], ["Infinity", "'inf'", "nan"]),
]

EXECUTION = [
    "[ANSWER]\nassert {call} == {v}\n[/ANSWER]",
    "Let's trace the code.\n\n1. First step.\n2. Second step.\n[/THOUGHT]\n[ANSWER]\nassert {call} == {v}\n[/ANSWER]",
    "assert {call} == {v}\n[/ANSWER]",
    "assert {call} == {v}",
    "{v}",
    "{v}\n[/ANSWER]",
    "[ANSWER]{v}[/ANSWER]",
    "[ANSWER]\n{v}\n[/ANSWER]\nThat is what it returns.",
    "  {v}  ",
    "The check i == 3 holds.\n[ANSWER]\nassert {call} == {v}\n[/ANSWER]",
    "The check i == 3 holds, so the result is\n{v}",
    "[ANSWER]\nassert {call} == {v}  # as computed\n[/ANSWER]",
    "[ANSWER]\nassert {call} == {v}, 'wrong'\n[/ANSWER]",
    "[ANSWER] assert {call} == {v} [/ANSWER] and [ANSWER] 0 [/ANSWER]",
    "[ANSWER]\nassert {call}=={v}\n[/ANSWER]",
    "```python\nassert {call} == {v}\n```",
    "The result is {v}.",
    "{v}  # {call}",
    "{call} returns {v}",
    "assert {call}",
    "[ANSWER]\nassert {call} == {v} == {v}\n[/ANSWER]",
    "[ANSWER]\nassert ({call}) == ({v})\n[/ANSWER]",
    "[ANSWER]\nassert {call} == ??\n[/ANSWER]",
    "[ANSWER]\n\n[/ANSWER]",
    "[ANSWER]\nassert {call} == {v};\n[/ANSWER]",
    "[ANSWER]\nassert {call} == {v}\npass\n[/ANSWER]",
    "[ANSWER]\nassert {call} == {v} or True\n[/ANSWER]",
    "[ANSWER]\nassert {call} == {v} and False\n[/ANSWER]",
    "[ANSWER]\nassert {call} == {v} is not 7\n[/ANSWER]",
]

OUTPUT = [
    "```python\nassert {call} == {v}\n```",
    "assert {call} == {v}",
    "The function adds them.\n\n```python\nassert {call} == {v}\n```\nSo it is.",
    "```\nassert {call} == {v} # TODO\n```",
    "assert {call} == 0\nNo, wait.\nassert {call} == {v}",
    "```python\n{v}\n```",
    "```\n{v}\n```",
    "{v}",
    "```python\n# the test case\n    assert {call} == {v}\n```",
    "  assert {call} == {v}",
    "assert {call} == {v}, 'wrong'",
    "assert({call} == {v})",
    "assert {call} == ({v})",
    "assert {v} == {call}",
    "assert {call}",
    "assert {call} != {v}",
    "assert {call} is {v}",
    "assert {call} == {v} == 3",
    "assertion: {call} == {v}",
    "assert {call} == {v};",
    "assert {call} == [ANSWER]{v}[/ANSWER]",
    "```python\ndef f(x):\n    return x\n```\n```python\nassert {call} == {v}\n```",
    "```text\nsome text\n```\n```python\n{v}\n```",
    "```python\nx = {v}\n\tassert {call} == {v}\n```",
    "```python\n# assert {call} == {v}\n{v}\n```",
    "assert {call} == {v} # so the == is at the left",
    "I cannot say.",
    "```python\nassert {call} == {v}",
    "assert {call} ==",
]


def answers(templates, values, count, chance):
    """So many answers: each form of each value in some template."""
    forms = [(right, form) for right, same, other in values for form in same + other]
    pairs = list(itertools.product(forms, templates))
    chance.shuffle(pairs)
    plain = [p for p in pairs if p[1] in templates[:9]]
    seen = set()
    for (right, form), template in itertools.chain.from_iterable(zip(plain, pairs)):
        row = (right, template.replace("{v}", form))
        if row not in seen:
            seen.add(row)
            yield row
        if len(seen) == count:
            return


def chooses(row):
    """Whether a passed answer is no value but a choice or a comparison, such as 0 or 1: LiveCodeBench runs it."""
    try:
        nodes = list(ast.walk(ast.parse("assert _ == " + row["extracted"].split("==")[-1].strip()).body[0]))
    except SyntaxError:
        return False
    compared = [len(n.ops) for n in nodes if isinstance(n, ast.Compare)]
    return row["passed"] and (sum(compared) > 1 or any(isinstance(n, (ast.BoolOp, ast.IfExp)) for n in nodes))


# What an answer makes Python compute, and assay does not: LiveCodeBench runs it.
RUN = [("3", "len([1, 2, 3])"), ("[1, 2, 3]", "sorted([3, 1, 2])"), ("[0, 1, 2]", "[x for x in range(3)]"), ("'AB'", "'ab'.upper()"),
       ("6", "sum([1, 2, 3])"), ("'3'", "str(3)"), ("[1, 2]", "list((1, 2))"), ("5", "max(5, 4)")]


def main(checkout):
    extraction, execution, output = package(checkout)
    chance = random.Random(28)
    rows = {"execution": [], "output": []}
    call = "f(items = [3, 1], name = 'k')"
    code = "def f(items, name):\n    return {}\n"

    def executed(value, answer):
        found = extraction.extract_execution_code(answer, "OpenAIChat", cot=True)
        passed = execution.evaluate_score(([found], (code.format(value), call, value)))[0]
        return {"answer": answer, "call": call, "expected": value, "extracted": found, "passed": passed, "skipped": call in found}

    def predicted(value, answer):
        found = extraction.extract_test_output_code(answer, "OpenAIChat")
        with contextlib.redirect_stdout(io.StringIO()):
            passed = output.check_testcase_output(found, json.dumps(eval(value)))
        return {"answer": answer, "call": call, "expected": value, "extracted": found, "passed": bool(passed)}

    for value, answer in answers(EXECUTION, VALUES + ONLY_PYTHON, 500, chance):
        rows["execution"].append(executed(value, answer.replace("{call}", call)))
    for value, answer in answers(OUTPUT, VALUES, 500, chance):
        rows["output"].append(predicted(value, answer.replace("{call}", call)))
    for row in rows["execution"] + rows["output"]:
        if chooses(row):
            row["runs"] = True
    for value, form in RUN:
        rows["execution"].append(executed(value, "[ANSWER]\nassert %s == %s\n[/ANSWER]" % (call, form)) | {"runs": True})
        rows["output"].append(predicted(value, "assert %s == %s" % (call, form)) | {"runs": True})
    for name, all_rows in rows.items():
        (HERE / (name + ".jsonl")).write_text("".join(json.dumps(row) + "\n" for row in all_rows))
        print(name, len(all_rows), "answers,", sum(row["passed"] for row in all_rows), "passed")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
