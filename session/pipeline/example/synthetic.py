"""Write made-up answers to tasks, for a replay model: no model has written them.

    python3 synthetic.py TASKS.json ANSWERS.jsonl [--samples 5] [--prompts level-1,level-2,level-3] [--seed 1]

TASKS.json is what `assay tasks export NAME --to assay` writes. Each answer is the task's
reference solution, or one that gives up on a third of its inputs, or an empty program.
How often it is right falls with the difficulty of the task and its year, and rises with
the number in the prompt's name: so that tables have something to show.
"""

import argparse
import json
import random

SOME_CALLS = '''

def _some(whole):
    def part(*args, **kwargs):
        if len(repr((args, kwargs))) % 3 == 0:
            return None
        return whole(*args, **kwargs)
    return part

'''


def partly(task):
    """The reference solution, which gives up on some inputs."""
    entry = task["entry_point"]
    if f"class {entry}" not in task["reference"]:
        return task["reference"] + SOME_CALLS + f"{entry} = _some({entry})\n"
    return task["reference"] + SOME_CALLS + (
        f"for _name, _method in list(vars({entry}).items()):\n"
        "    if callable(_method) and not _name.startswith('_'):\n"
        f"        setattr({entry}, _name, _some(_method))\n"
    )


def share(task, prompt):
    """How often an answer is right."""
    base = {"easy": 0.8, "medium": 0.55, "hard": 0.25}.get(task.get("difficulty"), 0.5)
    year = int(task.get("published", "2024")[:4])
    level = int(prompt[-1]) if prompt[-1].isdigit() else 3
    return base - 0.15 * (year - 2024 if year < 2026 else 0) + 0.1 * (level - 3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks")
    parser.add_argument("answers")
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--prompts", default="level-1,level-2,level-3")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    with open(options.tasks) as tasks, open(options.answers, "w") as out:
        for task in json.load(tasks)["tasks"]:
            if "reference" not in task or task.get("practice"):
                continue
            for prompt in options.prompts.split(","):
                right = share(task, prompt) + draw.uniform(-0.15, 0.15)
                for sample in range(options.samples):
                    code = task["reference"]
                    if draw.random() > right:
                        code = partly(task) if task.get("entry_point") and draw.random() < 0.7 else "pass\n"
                    answer = f"Made up, by no model:\n\n```python\n{code.rstrip()}\n```\n"
                    json.dump({"task": task["id"], "prompt": prompt, "sample": sample, "answer": answer}, out)
                    out.write("\n")


main()
