"""Computes the numbers of a report of sessions again, from its dataset.

    python3 recompute.py DIRECTORY

DIRECTORY is what `assay report SESSION … --out DIRECTORY` wrote. Nothing but Python's
standard library is used, and nothing of assay's. Prints how many numbers agree; a number
that does not is an error.
"""

import collections
import csv
import json
import math
import pathlib
import statistics
import sys

compared = 0
faults = []


def same(what, got, want, tolerance=1e-7):
    global compared
    compared += 1
    if got is None or want is None:
        if got is not want:
            faults.append(f"{what}: {got} in the report, {want} here")
    elif abs(got - want) > tolerance * max(1, abs(want)):
        faults.append(f"{what}: {got} in the report, {want} here")


def student(df, known={}):
    """The 0.975 quantile of Student's distribution, by Simpson's rule on its density."""
    if df in known:
        return known[df]
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)

    def area(t, steps=4000):
        density = [scale * (1 + (t * i / steps) ** 2 / df) ** (-(df + 1) / 2) for i in range(steps + 1)]
        return t / steps / 3 * (density[0] + density[-1] + 4 * sum(density[1:-1:2]) + 2 * sum(density[2:-1:2]))

    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if area(middle) < 0.475 else (low, middle)
    known[df] = low
    return low


def units(values, testers):
    """The values of the units that are drawn, how many values each stands for, one more than the degrees of
    freedom, the variance of a unit, and whether all are of one size; else the error is CR2's, with
    Satterthwaite's degrees of freedom."""
    groups = collections.defaultdict(list)
    for v, t in zip(values, testers):
        groups[t].append(v)
    if len(groups) < 2:
        return list(values), 1, len(values), statistics.variance(values) if len(values) > 1 else None, True
    mean, n, total = statistics.fmean(values), len(groups), len(values)
    z = [mean + sum(v - mean for v in g) * n / total for g in groups.values()]
    q = [len(g) / total for g in groups.values()]
    if max(q) == min(q):
        return z, total / n, n, statistics.variance(z), True
    square = sum((sum(v - mean for v in g) / total) ** 2 / (1 - len(g) / total) for g in groups.values())
    freedom = 1 / (sum(x * x for x in q) + sum((q[g] * q[h]) ** 2 / ((1 - q[g]) * (1 - q[h])) for g in range(n) for h in range(n) if g != h))
    return z, total / n, 1 + freedom, square * (1 + freedom), False


def gamma(shape, probability):
    """A quantile of the gamma distribution, by the series of its distribution function."""

    def below(x):
        if x == 0:
            return 0.0
        term = total = 1 / shape
        for n in range(1, 1000):
            term *= x / (shape + n)
            total += term
        return total * math.exp(-x + shape * math.log(x) - math.lgamma(shape))

    low, high = 0.0, 50.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < probability else (low, middle)
    return low


def on_scale(values, testers, low, high, parts=1):
    z, per, n, v, _ = units(values, testers)
    per *= parts
    if len(z) < 2:
        return None
    p, t = (statistics.fmean(values) - low) / (high - low), student(n - 1)
    p = min(max(p, 0), 1)
    ends, weight = (1 + (per - 1) * 0.1) / per, 2 * (2 * p - 1) ** 2
    v /= (high - low) ** 2
    v = (v * (n - 1) + p * (1 - p) * ends * weight) / (n - 1 + weight)
    size = n * p * (1 - p) / v if v > 0 else n / ends
    a = t * t / size
    centre, half = (p + a / 2) / (1 + a), math.sqrt(p * (1 - p) * a + a * a / 4) / (1 + a)
    lower, upper, most = centre - half, centre + half, (3 if size > 50 else 2) + 1e-9
    if 0 < size * p <= most:  # Brown, Cai & DasGupta 2001, section 4.1.1
        lower = min(lower, gamma(size * p, 0.05) / size)
    if 0 < size * (1 - p) <= most:
        upper = max(upper, 1 - gamma(size * (1 - p), 0.05) / size)
    return tuple(low + (high - low) * min(max(x, 0), 1) for x in (lower, upper))


def skewed(values, testers):
    z, _, n, variance, equal = units(values, testers)
    count, m = len(z), statistics.fmean(values)
    if count < 3 or len(set(values)) == 1:
        return None
    t = student(n - 1)

    def skewness(x):
        n = len(x)
        centre = statistics.fmean(x)
        second, third = (sum((v - centre) ** k for v in x) / n for k in (2, 3))
        return third / second**1.5 * math.sqrt(n * (n - 1)) / (n - 2) if second > 0 else 0.0

    logs = [math.log(v) for v in z] if min(z) > 0 else None
    if n < 10 and not logs and equal:
        return None
    error = math.sqrt(6 * count * (count - 1) / ((count - 2) * (count + 1) * (count + 3)))
    if n < 10 or logs and abs(skewness(logs)) <= statistics.NormalDist().inv_cdf(0.99) * error:
        v = statistics.variance(logs) if equal else math.log1p(variance / m**2)
        half = t * math.sqrt(v / n + v * v / (2 * (n - 1)))
        centre = statistics.fmean(logs) + v / 2 if equal else math.log(m)
        low, high = (math.exp(centre + s * half) for s in (-1, 1))
    else:
        g = skewness(z) * (1 + 6 / count)
        root = math.sqrt(n)

        def back(y):
            u = 1 + g / root * (y - g / (6 * root))
            return 3 * root / g * (math.copysign(abs(u) ** (1 / 3), u) - 1)

        se = math.sqrt(variance) / root
        low, high = m - se * back(t), m - se * back(-t)
    return (max(low, 0), high) if high <= 100 * m else None


def exact(count, n):
    """Clopper & Pearson 1934: the shares at which a tail of the binomial has 2.5 %."""

    def from_on(k, p):  # the probability of k or more of n
        return math.fsum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))

    def where(tail):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if tail(middle) < 0 else (low, middle)
        return low

    return (where(lambda p: from_on(count, p) - 0.025) if count else 0.0, where(lambda p: from_on(count + 1, p) - 0.975) if count < n else 1.0)


def interval(what, got, want):
    if want is not None and not want[0] < want[1]:
        want = None
    for end, i in (("low", 0), ("high", 1)):
        same(f"{what}, {end}", got[end] if got else None, want[i] if want else None, 1e-6)


def mean(what, got, rows, value, low=None, high=None, parts=1):
    rows = [r for r in rows if value(r) is not None]
    values, testers = [value(r) for r in rows], [r["by"] for r in rows]
    same(f"{what}, n", got["n"], len(values))
    if not values:
        return
    same(what, got["value"], statistics.fmean(values))
    if len(values) < 2:
        want = None
    elif low is None:
        want = skewed(values, testers)
    else:
        want = on_scale(values, testers, low, high, parts)
    interval(what, got.get("interval"), want)


def share(what, got, rows, is_so):
    rows = [r for r in rows if is_so(r) is not None]
    same(f"{what}, n", got["n"], len(rows))
    if not rows:
        return
    count = sum(is_so(r) for r in rows)
    same(f"{what}, count", got["count"], count)
    same(what, got["value"], count / len(rows))
    testers = [r["by"] for r in rows]
    one = len(set(testers)) < 2
    interval(what, got.get("interval"), exact(count, len(rows)) if one else on_scale([float(is_so(r)) for r in rows], testers, 0, 1))


def quantile(x, p, kind):
    x, n = sorted(x), len(x)
    if kind == 1:
        return x[max(math.ceil(n * p - 1e-9), 1) - 1]
    at = (n + 1) * p if kind == 6 else 1 + (n - 1) * p
    at = min(max(at, 1), n)
    below = math.floor(at)
    return x[below - 1] + (at - below) * (x[min(below, n - 1)] - x[below - 1])


def durations(what, d, rows, value):
    mean(f"{what}, mean", d["mean"], rows, value)
    x = sorted(value(r) for r in rows)
    if len(x) < 2:
        return
    same(f"{what}, SD", d["sd"], statistics.stdev(x))
    same(f"{what}, median", d["median"], statistics.median(x))
    same(f"{what}, least", d["min"], x[0])
    same(f"{what}, most", d["max"], x[-1])
    if x[0] > 0:
        same(f"{what}, geometric mean", d["geometric_mean"], statistics.geometric_mean(x))
    out = -1
    while (out + 1) * 2 < len(x) - 1 and 2 * sum(math.comb(len(x), i) for i in range(out + 2)) / 2 ** len(x) <= 0.05:
        out += 1
    alone = len({r["by"] for r in rows}) == 1
    interval(f"{what}, median", d.get("median_interval"), (x[out], x[-1 - out]) if alone and out >= 0 else None)
    for q in d["quantiles"]:
        same(f"{what}, quantile {q['p']} {q['name']}", q["value"], quantile(x, q["p"], q["type"]))
    for point in d["ecdf"]:
        share(f"{what}, within {point['seconds']}", point["within"], rows, lambda r: value(r) <= point["seconds"])


def alpha(rows):
    k = len(rows[0])
    parts = sum(statistics.variance(column) for column in zip(*rows))
    whole = statistics.variance([sum(r) for r in rows])
    return k / (k - 1) * (1 - parts / whole)


def cell(what, c, rows, k, attributes):
    same(f"{what}, results", c["n"], len(rows))
    same(f"{what}, tasks", c["tasks"], len({r["of"] for r in rows}))
    same(f"{what}, testers", c["testers"], len({r["by"] for r in rows}))
    mean(f"{what}, attempts", c["attempt_k_mean"], rows, lambda r: r["counted"], 1, k)
    share(f"{what}, satisfied", c["satisfied"], rows, lambda r: r["happy"])
    mean(f"{what}, time", c["completion_mean"], rows, lambda r: r["seconds"])
    if attributes:
        mean(f"{what}, total", c["total_mean"], rows, lambda r: r["total"], len(attributes), sum(a["max"] for a in attributes), len(attributes))
    for a, got in zip(attributes, c["attribute_means"]):
        mean(f"{what}, {a['id']}", got, rows, lambda r: r["scores"].get(a["id"]), 1, a["max"])


def ratios(report, rows):
    """The ratio of times of two models with which the same testers worked: Student's t of their mean logarithms."""
    for pair in (report["arms"] or {"pairs": []})["pairs"]:
        first, second = ([r for r in rows if r["model"] == pair[arm]] for arm in ("first", "second"))
        both = {r["of"] for r in first} & {r["of"] for r in second}
        for m in pair["measures"]:
            if not m.get("ratio", {}).get("method", "").startswith("paired t over") or "testers" not in m["ratio"]["method"] or pair["crossed"]:
                continue
            horizon = report["arms"]["horizon"]
            time = {"work": lambda r: r["seconds"], "time": lambda r: min(r["seconds"], horizon) if r["happy"] else horizon}[m["id"]]
            logs = [collections.defaultdict(list), collections.defaultdict(list)]
            for of, arm in zip(logs, (first, second)):
                for r in arm:
                    if r["of"] in both:
                        of[r["by"]].append(math.log(time(r)))
            d = [statistics.fmean(logs[0][t]) - statistics.fmean(logs[1][t]) for t in logs[0]]
            mean, half = statistics.fmean(d), student(len(d) - 1) * statistics.stdev(d) / math.sqrt(len(d))
            same(f"ratio of {m['id']}", m["ratio"]["value"], math.exp(mean))
            same(f"ratio of {m['id']}, low", m["ratio"]["interval"]["low"], math.exp(mean - half))
            same(f"ratio of {m['id']}, high", m["ratio"]["interval"]["high"], math.exp(mean + half))


def main(directory):
    report = json.loads((directory / "report.json").read_text())

    def table(name):
        with next((directory / "dataset").rglob(f"*-{name}_data.csv")).open(newline="") as f:
            return list(csv.DictReader(f))

    sessions = {s["session"]: s for s in table("sessions")}
    scores = collections.defaultdict(dict)
    for r in table("ratings"):
        scores[r["session"], r["task"]][r["attribute"]] = int(r["score"])
    attributes = report["ratings"]["attributes"]
    rows = []
    for t in table("tasks"):
        if t["analysed"] != "1":
            continue
        s = sessions[t["session"]]
        r = dict(t, by=s["tester"], model=s["model"], of=(s["benchmark"], t["task"], t["content"]))
        r["counted"], r["happy"], r["made"] = float(t["attempt_k"]), t["satisfied"] == "1", int(t["attempts"])
        r["seconds"] = int(t["completion_ms"]) / 1000
        r["scores"] = scores[t["session"], t["task"]]
        r["total"] = float(sum(r["scores"].values())) if attributes and len(r["scores"]) == len(attributes) else None
        rows.append(r)
    k = report["attempts"]["k"]
    a = report["attempts"]
    mean("attempts", a["attempt_k_mean"], rows, lambda r: r["counted"], 1, k)
    mean("attempts of the satisfied", a["mean_of_satisfied"], [r for r in rows if r["happy"]], lambda r: float(r["made"]), 1, k)
    same("attempts made", a["made"], sum(r["made"] for r in rows))
    share("satisfied", a["satisfied"], rows, lambda r: r["happy"])
    at_risk = len(rows)
    for step in a["steps"]:
        n = step["attempt"]
        share(f"within {n}", step["within"], rows, lambda r: r["happy"] and r["made"] <= n)
        same(f"satisfied at {n}", step["satisfied"], sum(r["happy"] and r["made"] == n for r in rows))
        same(f"gave up at {n}", step["gave_up"], sum(not r["happy"] and r["made"] == n for r in rows))
        same(f"at risk at {n}", step["at_risk"], at_risk)
        at_risk -= step["satisfied"]
        same(f"survival at {n}", step["survival"], 1 - sum(r["happy"] and r["made"] <= n for r in rows) / len(rows))
    durations("completion", report["times"]["completion"], rows, lambda r: r["seconds"])
    for x in attributes:
        have = [r for r in rows if x["id"] in r["scores"]]
        mean(x["id"], x["mean"], have, lambda r: r["scores"][x["id"]], 1, x["max"])
        same(f"{x['id']}, SD", x["sd"], statistics.stdev([r["scores"][x["id"]] for r in have]))
        for score, count in enumerate(x["counts"], 1):
            same(f"{x['id']} of {score}", count, sum(r["scores"][x["id"]] == score for r in have))
    whole = [r for r in rows if r["total"] is not None]
    if len(whole) > 1:
        mean("total", report["ratings"]["total"]["mean"], whole, lambda r: r["total"], len(attributes), sum(x["max"] for x in attributes), len(attributes))
        same("alpha", report["ratings"]["cronbach_alpha"]["value"], alpha([[r["scores"][x["id"]] for x in attributes] for r in whole]))
    for s in report["slices"]:
        if s["by"] in ("difficulty", "type", "set", "tester", "session"):
            for c in s["cells"]:
                of = "by" if s["by"] == "tester" else s["by"]
                cell(f"{s['by']} {c['value']}", c, [r for r in rows if r[of] == c["value"]], k, attributes)
    ratios(report, rows)
    if faults:
        sys.exit("\n".join(faults[:50]))
    print(f"{compared} numbers agree")


main(pathlib.Path(sys.argv[1]))
