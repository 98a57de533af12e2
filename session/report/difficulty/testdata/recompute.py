"""Works out the numbers of difficulty reports again, from the responses and parameters in
report.json, with nothing but Python's standard library and without assay's code.

    python3 recompute.py DIRECTORY/report.json

It prints how many numbers it compared, and each that differs.
"""

import json
import math
import sys

compared, differ = 0, []


def near(what, got, want, tolerance=1e-6):
    global compared
    compared += 1
    if got is None or not abs(got - want) <= tolerance * max(1, abs(want)):
        differ.append(f"{what}: the report has {got}, recomputed {want}")


def interval(what, got, want):
    if (got is None) != (want is None):
        differ.append(f"{what}: the report has the interval {got}, recomputed {want}")
    elif want is not None:
        near(what + ", low", got["low"] if "low" in got else got["Low"], want[0])
        near(what + ", high", got["high"] if "high" in got else got["High"], want[1])


def logit(p):
    return math.log(p) - math.log1p(-p)


def logistic(x):
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def mean(x):
    return sum(x) / len(x)


def sd(x):
    m = mean(x)
    return math.sqrt(sum((v - m) ** 2 for v in x) / (len(x) - 1)) if len(x) > 1 else 0.0


def quantile(x, p):  # type 7
    x, at = sorted(x), p * (len(x) - 1)
    low = math.floor(at)
    return x[low] + (at - low) * (x[min(low + 1, len(x) - 1)] - x[low])


def t_upper(t, df):
    """P(T > t) by Simpson's rule over the density, in u = t/sqrt(df + t^2)."""
    c = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)
    n, top = 600, math.atan(t / math.sqrt(df))
    f = lambda a: math.cos(a) ** (df - 1)
    h = top / n
    area = f(0) + f(top) + sum((4 if k % 2 else 2) * f(k * h) for k in range(1, n))
    return 0.5 - c * area * h / 3


def t_quantile(df, cache={}):
    if df not in cache:
        low, high = 0.0, 1000.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if t_upper(middle, df) > 0.025 else (low, middle)
        cache[df] = low
    return cache[df]


def score_interval(x):
    n, m, s = len(x), mean(x) if x else 0, sd(x)
    if n < 6 or s == 0 and 0 < m < 1:
        return None
    effective = n * m * (1 - m) / (s * s * (n - 1) / n) if s > 0 else n
    z = t_quantile(n - 1) ** 2 / effective
    half = math.sqrt(z * m * (1 - m) + z * z / 4) / (1 + z)
    return max(0, (m + z / 2) / (1 + z) - half), min(1, (m + z / 2) / (1 + z) + half)


def mean_interval(x):
    if len(x) < 6 or sd(x) == 0:
        return None
    half = t_quantile(len(x) - 1) * sd(x) / math.sqrt(len(x))
    return mean(x) - half, mean(x) + half


def welch(x, y):
    v, w = sd(x) ** 2 / len(x), sd(y) ** 2 / len(y)
    if len(x) < 6 or len(y) < 6 or v + w == 0:
        return None
    df = (v + w) ** 2 / (v * v / (len(x) - 1) + w * w / (len(y) - 1))
    half, gap = t_quantile(df) * math.sqrt(v + w), mean(y) - mean(x)
    return gap - half, gap + half


def median_interval(x):
    x, n = sorted(x), len(x)
    best = None
    for k in range(n // 2):
        if sum(math.comb(n, i) for i in range(k + 1)) / 2**n <= 0.025:
            best = x[k], x[n - 1 - k]
    return best


def tau_b(x, y):
    agree = ties_x = ties_y = pairs = 0
    for i in range(len(x)):
        for j in range(i):
            a, b = (x[i] > x[j]) - (x[i] < x[j]), (y[i] > y[j]) - (y[i] < y[j])
            agree, pairs, ties_x, ties_y = agree + a * b, pairs + 1, ties_x + (a == 0), ties_y + (b == 0)
    return agree / math.sqrt((pairs - ties_x) * (pairs - ties_y))


def anderson_darling(x, y):
    """Scholz & Stephens 1987, equation 7 (midranks), standardised by equation 4."""
    groups, both = [x, y], sorted(x + y)
    n, k, square = len(both), 2, 0.0
    for g in groups:
        inner = 0.0
        for z in sorted(set(both)):
            l, below = both.count(z), sum(v < z for v in both)
            b, m = below + l / 2, sum(v < z for v in g) + g.count(z) / 2
            inner += l / n * (n * m - b * len(g)) ** 2 / (b * (n - b) - n * l / 4)
        square += inner / len(g)
    square *= (n - 1) / n
    H, h = sum(1 / len(g) for g in groups), sum(1 / i for i in range(1, n))
    g = sum(1 / ((n - i) * j) for i in range(1, n - 1) for j in range(i + 1, n))
    a = (4 * g - 6) * (k - 1) + (10 - 6 * g) * H
    b = (2 * g - 4) * k * k + 8 * h * k + (2 * g - 14 * h - 4) * H - 8 * h + 4 * g - 6
    c = (6 * h + 2 * g - 2) * k * k + (4 * h - 4 * g + 6) * k + (2 * h - 6) * H + 4 * h
    d = (2 * h + 6) * k * k - 4 * h * k
    return (square - (k - 1)) / math.sqrt((a * n**3 + b * n * n + c * n + d) / ((n - 1) * (n - 2) * (n - 3)))


def holm(p):
    order, last, out = sorted(range(len(p)), key=lambda i: p[i]), 0.0, [0.0] * len(p)
    for place, i in enumerate(order):
        last = max(last, min(1, (len(p) - place) * p[i]))
        out[i] = last
    return out


class Analysis:
    def __init__(self, a):
        self.a, self.beta3 = a, a["model"] == "β3-IRT"
        place = logit if self.beta3 else lambda x: x
        self.t = [place(r["ability"]["value"]) for r in a["respondents"]]
        self.d = [place(t["difficulty"]["value"]) for t in a["tasks"]]
        self.s = [t["discrimination"]["value"] for t in a["tasks"]]
        self.y = [r["scores"] for r in a["respondents"]]
        self.n = [r.get("trials") or [None if s is None else 1 for s in r["scores"]] for r in a["respondents"]]
        self.binomial = "trials" in a["respondents"][0] or all(s in (None, 0, 1) for row in self.y for s in row)
        if a["fit"]["by"] == "taskeval":
            self.n, self.binomial = [[1] * len(row) for row in self.n], True

    def check(self):
        a = self.a
        observed, expected = [], []
        for i, r in enumerate(a["respondents"]):
            scores = [s for s in r["scores"] if s is not None]
            near(r["name"] + ", mean", r["mean"], mean(scores))
            interval(r["name"] + ", mean", r.get("mean_interval"), score_interval(scores))
            for j, t in enumerate(a["tasks"]):
                p = logistic(self.s[j] * (self.t[i] - self.d[j]))
                near(f"{r['name']} on {t['id']}, expected", r["expected"][j], p, 1e-9)
                if self.y[i][j] is not None:
                    observed.append(min(0.999, max(0.001, self.y[i][j])) if self.beta3 else self.y[i][j])
                    expected.append(p)
        mo, me = mean(observed), mean(expected)
        xy = sum((o - mo) * (e - me) for o, e in zip(observed, expected))
        xx, yy = sum((e - me) ** 2 for e in expected), sum((o - mo) ** 2 for o in observed)
        near("squared correlation", a["fit"]["explained"]["squared_correlation"], xy * xy / xx / yy)
        near("Efron's pseudo-R²", a["fit"]["explained"]["efron"], 1 - sum((o - e) ** 2 for o, e in zip(observed, expected)) / yy)
        if self.binomial:
            self.information()
        for t in a.get("topics") or []:
            at = [[x["id"] for x in a["tasks"]].index(i) for i in t["tasks"]]
            hard, steep = [a["tasks"][j]["difficulty"]["value"] for j in at], [self.s[j] for j in at]
            near(t["name"] + ", difficulty", t["difficulty"], mean(hard))
            interval(t["name"] + ", difficulty", t.get("difficulty_interval"), mean_interval(hard))
            interval(t["name"] + ", discrimination", t.get("discrimination_interval"), mean_interval(steep))
            for i, r in enumerate(a["respondents"]):
                scores = [self.y[i][j] for j in at if self.y[i][j] is not None]
                interval(f"{t['name']}, mean of {r['name']}", t["mean_interval"][i], score_interval(scores))
        if "joint" not in a:
            self.maximum()
        self.subset()

    def information(self):
        for k, x in enumerate(self.a["abilities"]):
            place, total = logit(x) if self.beta3 else x, 0.0
            for j, s in enumerate(self.s):
                p = logistic(s * (place - self.d[j]))
                total += mean([row[j] for row in self.n if row[j] is not None]) * s * s * p * (1 - p)
            near(f"information at {x}", self.a["information"][k], total)

    def maximum(self):
        """The items are where the posterior is highest: a Newton step leads nowhere."""
        if self.a["fit"]["by"] == "taskeval" or not self.binomial:
            return
        slopes = [math.log(s) for s in self.s] if not self.beta3 else []
        centre = sum(slopes) / 0.25 / (len(slopes) / 0.25 + 1 / 6.25) if slopes else 0
        if self.a["model"] == "1PL":
            return self.one_slope()
        for j, t in enumerate(self.a["tasks"]):
            if self.beta3:
                step = newton(lambda d, s: self.item(j, d, s), self.d[j], self.s[j])
            else:
                step = newton(lambda d, l: self.marginal(j, d, l, centre), self.d[j], slopes[j])
            near(t["id"] + ", step from its place", step, 0, 1e-3 if self.beta3 else 0.02)

    def item(self, j, d, s):
        f = -math.log(logistic(d)) - math.log(logistic(-d)) + (s - 1) ** 2 / 2
        for i, t in enumerate(self.t):
            if self.y[i][j] is not None:
                y, p = min(0.999, max(0.001, self.y[i][j])), s * (t - d)
                f -= self.n[i][j] * (y * math.log(logistic(p)) + (1 - y) * math.log(logistic(-p)))
        return f

    def marginal(self, j, d, l, centre):
        """Minus the log marginal posterior with item j elsewhere: over abilities by a grid."""
        s, f = math.exp(l), 0.0
        for i, weights in enumerate(self.others(j)):
            if self.y[i][j] is not None:
                sign = 1 if self.y[i][j] == 1 else -1
                f -= math.log(sum(w * logistic(sign * s * (t - d)) for t, w in weights))
        middle = sum(-s * d for s, d in zip(self.s, self.d)) / (len(self.d) + 1)  # of the intercepts
        return f + (s * d + middle) ** 2 / 18 + (l - centre) ** 2 / 0.5

    def others(self, j, cache={}):
        """The posterior weights of a grid of abilities without item j."""
        if (id(self), j) not in cache:
            rows = []
            for i, y in enumerate(self.y):
                weights = []
                for k in range(-60, 61):
                    t = k / 10
                    log = -t * t / 2 + sum(math.log(logistic((1 if y[m] == 1 else -1) * self.s[m] * (t - self.d[m]))) for m in range(len(self.s)) if m != j and y[m] is not None)
                    weights.append((t, log))
                most = max(w for _, w in weights)
                rows.append([(t, math.exp(w - most)) for t, w in weights if w - most > -40])
            cache[id(self), j] = rows
        return cache[id(self), j]

    def one_slope(self):
        """Of 1PL the difficulties, given the one slope: it has a prior of its own."""
        l = math.log(self.s[0])
        for j, t in enumerate(self.a["tasks"]):
            f = lambda d: self.marginal(j, d, l, l)
            h = 1e-3
            up, here, down = f(self.d[j] + h), f(self.d[j]), f(self.d[j] - h)
            near(t["id"] + ", step from its place", (up - down) * h / 2 / (up - 2 * here + down), 0, 0.02)

    def subset(self):
        x = self.a.get("subset")
        if not x or not x.get("ranking"):
            return
        at = [[t["id"] for t in self.a["tasks"]].index(i) for i in x["ids"]]
        rest = [i for i, r in enumerate(self.a["respondents"]) if r["name"] not in x["chosen_by"]]
        over = lambda i, which: round(mean([self.y[i][j] for j in which if self.y[i][j] is not None]), 12)
        some, whole = [over(i, at) for i in rest], [over(i, range(len(self.d))) for i in rest]
        near("tau-b of the subset", x["ranking"]["tau_b"], tau_b(some, whole))
        near("95th percentile of random subsets", x["ranking"]["quantile_95"], quantile(x["ranking"]["random"], 0.95))


def newton(f, x, y, h=1e-3):
    """The length of the step from (x, y) to where f is lowest, by differences."""
    here = f(x, y)
    gx, gy = (f(x + h, y) - f(x - h, y)) / 2 / h, (f(x, y + h) - f(x, y - h)) / 2 / h
    xx, yy = (f(x + h, y) - 2 * here + f(x - h, y)) / h / h, (f(x, y + h) - 2 * here + f(x, y - h)) / h / h
    xy = (f(x + h, y + h) - f(x + h, y - h) - f(x - h, y + h) + f(x - h, y - h)) / 4 / h / h
    det = xx * yy - xy * xy
    return max(abs(yy * gx - xy * gy), abs(xx * gy - xy * gx)) / det


def trials(a, respondent):
    counted = [n for n in next(r for r in a["respondents"] if r["name"] == respondent).get("trials") or [] if n is not None]
    return mean(counted) if counted else 0


def comparison(c, first, second):
    tests = []
    for row in c["rows"]:
        values = []
        for a, side in ((first, row["first"]), (second, row["second"])):
            if row["respondent"]:
                x = next(r["expected"] for r in a["respondents"] if r["name"] == row["what"])
            else:
                x = [t[row["what"]]["value"] for t in a["tasks"]]
            values.append(x)
            near(row["what"] + ", median", side["median"], quantile(x, 0.5))
            near(row["what"] + ", quartile", side["quartile_1"], quantile(x, 0.25))
            interval(row["what"] + ", median", side.get("median_interval"), median_interval(x))
        if row.get("difference") is not None:
            near(row["what"] + ", difference", row["difference"], mean(values[1]) - mean(values[0]))
            if row["respondent"]:
                want = welch(*values) if min(trials(a, row["what"]) for a in (first, second)) >= 5 else None
            else:
                drawn = first["joint"].get(row["what"] + "_difference")
                want = (drawn["low"], drawn["high"]) if drawn else None
            interval(row["what"] + ", difference", row.get("difference_interval"), want)
        if row.get("problem"):
            continue
        near(row["what"] + ", Anderson-Darling", row["ad"], anderson_darling(*values))
        tests.append(row)
    for row, p in zip(tests, holm([row["p"] for row in tests])):
        near(row["what"] + ", Holm", row["p_holm"], p)
    near("tests", c["tests"], len(tests))


report = json.load(open(sys.argv[1], encoding="utf-8"))
for a in report["analyses"]:
    Analysis(a).check()
    for table in ("by_difficulty", "by_discrimination"):
        rows = (a.get("constructs") or {}).get(table) or []
        for p, corrected in (("p", "p_holm"), ("ad_p", "ad_p_holm")):
            for row, want in zip(rows, holm([r[p] for r in rows])):
                near(f"{row['model']}, {row['construct']}, {corrected}", row[corrected], want)
if report.get("comparison"):
    comparison(report["comparison"], *report["analyses"])
print(f"{compared} numbers compared, {len(differ)} differ")
for line in differ[:40]:
    print(line)
sys.exit(bool(differ))
