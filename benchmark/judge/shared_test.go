package judge

import (
	"testing"

	"assay/benchmark"
	"assay/data/sampled"
)

const shop = `
import datetime, math
from collections import deque
from decimal import Decimal


class Shop:
    def __init__(self, stock=None):
        self.stock = stock if stock is not None else []
        self.people, self.types, self.day = {}, {}, None
    def add(self, name, kind=str):
        self.types[name] = kind
        self.people.setdefault(name, {"orders": []})
    def order(self, name, dish):
        for d in self.stock:
            if d["dish"] == dish:
                if d["count"] < 1: return False
                d["count"] -= 1
                self.people[name]["orders"].append(dish)
                return True
        raise KeyError(dish)
    def fail(self):
        self.stock.append("failed")
        raise ValueError("no")
    def kinds(self): return [int, ValueError, dict, type(None)]
    def function(self): return math.sqrt
    def today(self): return datetime.date(2024, 2, 29)
    def later(self, day): return day + datetime.timedelta(days=1)
    def price(self): return Decimal("1.50")
    def queue(self): return deque([1, 2], 5)
`

// TestStateOfObjects: what tests set on an object, and what they read from it, is the
// object's, as it is in one process; and what Python defines is the same on both sides.
func TestStateOfObjects(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, tt := range []struct{ name, body, verdict string }{
		{"a class as a value", "s.add('name')\n        s.add('age', int)\n        self.assertEqual(s.types, {'name': str, 'age': int})\n        self.assertIs(s.types['name'], str)", "accepted"},
		{"another class", "s.add('name')\n        self.assertEqual(s.types, {'name': int})", "wrong_answer"},
		{"classes of Python", "self.assertEqual(s.kinds(), [int, ValueError, dict, type(None)])", "accepted"},
		{"a function of Python", "import math\n        self.assertEqual(s.function(), math.sqrt)\n        self.assertNotEqual(s.function(), math.sin)\n        self.assertEqual(s.function()(9), 3)", "accepted"},
		{"its own class", "s.add('x', Shop)\n        self.assertEqual(s.types['x'], Shop)", "accepted"},
		{"a date", "import datetime\n        self.assertEqual(s.today(), datetime.date(2024, 2, 29))\n        self.assertEqual(s.later(datetime.date(2024, 2, 29)), datetime.date(2024, 3, 1))\n        self.assertNotEqual(s.today(), datetime.date(2024, 2, 28))", "accepted"},
		{"a decimal", "from decimal import Decimal\n        self.assertEqual(s.price(), Decimal('1.5'))\n        self.assertEqual(str(s.price()), '1.50')", "accepted"},
		{"a deque", "from collections import deque\n        self.assertEqual(s.queue(), deque([1, 2]))\n        self.assertEqual(s.queue().maxlen, 5)", "accepted"},
		{"a test adds to what it read", "s.add('a')\n        s.stock.append({'dish': 'x', 'count': 1})\n        self.assertTrue(s.order('a', 'x'))\n        self.assertFalse(s.order('a', 'x'))\n        self.assertEqual(s.stock[0]['count'], 0)", "accepted"},
		{"a test sets an item", "s.people['Alice'] = {'orders': []}\n        s.stock = [{'dish': 'x', 'count': 3}]\n        s.order('Alice', 'x')\n        self.assertEqual(s.people['Alice']['orders'], ['x'])", "accepted"},
		{"what was read follows", "people = s.people\n        s.add('a')\n        self.assertEqual(people, {'a': {'orders': []}})\n        self.assertIs(s.people, people)", "accepted"},
		{"what was set follows", "stock = []\n        s.stock = stock\n        stock.append({'dish': 'x', 'count': 1})\n        s.add('a')\n        self.assertTrue(s.order('a', 'x'))\n        self.assertEqual(stock[0]['count'], 0)", "accepted"},
		{"what was handed to the class follows", "stock = []\n        s = Shop(stock)\n        stock.append({'dish': 'x', 'count': 1})\n        s.add('a')\n        self.assertTrue(s.order('a', 'x'))", "accepted"},
		{"a change before an exception", "stock = s.stock\n        with self.assertRaises(ValueError): s.fail()\n        self.assertEqual(stock, ['failed'])", "accepted"},
		{"more than are followed", "for i in range(99): s.kinds()\n        s.stock.append(1)\n        self.assertEqual(s.stock, [1])", "accepted"},
		{"a copy does not follow", "stock = list(s.stock)\n        s.stock.append(1)\n        self.assertEqual(stock, [])", "accepted"},
		{"its own exceptions", "s.fail()", "runtime_error"},
		{"nothing is taken for right", "s.stock.append(1)\n        self.assertEqual(s.stock, [2])", "wrong_answer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := &benchmark.Task{ID: "t/1", Language: "python", EntryPoint: "Shop", Reference: shop, Tests: benchmark.Tests{Style: benchmark.Unittest,
				Unittest: "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        s = Shop()\n        " + tt.body + "\n"}}
			r := judgeCode(t, j, task, shop)
			if string(r.Verdict) != tt.verdict || r.Isolation != "isolated" {
				t.Errorf("%s %s %q %+v", r.Isolation, r.Verdict, r.Message, r.Cases)
			}
			task.Tests.InProcess = true
			if r := judgeCode(t, j, task, shop); string(r.Verdict) != tt.verdict {
				t.Errorf("in one process: %s %q", r.Verdict, r.Message)
			}
		})
	}
}

// TestInseparable: where the task's own reference is right only in one process with the
// tests, a sample that fails is judged there, and the result says so. What a sample does
// decides nothing.
func TestInseparable(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	const stack = "import copy\nclass Stack:\n    def __init__(self): self.items = []\n    def push(self, x): self.items.append(x)\n"
	for _, tt := range []struct{ name, entry, check, reference, code, want string }{
		{"functions as arguments", "f", "    assert candidate(lambda x: x + 1, 3) == 4\n", "def f(g, x): return g(x)", "def f(g, x): return g(x)", "in_process accepted"},
		{"functions as arguments, wrong", "f", "    assert candidate(lambda x: x + 1, 3) == 4\n", "def f(g, x): return g(x)", "def f(g, x): return x", "in_process wrong_answer"},
		{"functions as arguments, no reference", "f", "    assert candidate(lambda x: x + 1, 3) == 4\n", "", "def f(g, x): return g(x)", "isolated not_judged"},
		{"an object is copied", "Stack", "    import copy\n    s = candidate()\n    c = copy.copy(s)\n    c.push(1)\n    assert s.items == [1]\n", stack, stack, "in_process accepted"},
		{"a sample that wants to", "f", "    assert candidate() == 1\n", "def f(): return 1", "class A: pass\ndef f(): return A()", "isolated wrong_answer"},
		{"another that wants to", "f", "    assert candidate(candidate()) == 1\n", "def f(x=0): return 1", "def f(x=0): return f", "isolated wrong_answer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := checkTask("", tt.entry, "def check(candidate):\n"+tt.check)
			task.Reference = tt.reference
			r := judgeCode(t, j, task, tt.code)
			if got := r.Isolation + " " + string(r.Verdict); got != tt.want {
				t.Errorf("%s %q %+v, want %s", got, r.Message, r.Cases, tt.want)
			}
		})
	}
}
