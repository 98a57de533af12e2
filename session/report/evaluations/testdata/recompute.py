"""Computes the numbers of a batch report again, from its table of samples.

    python3 recompute.py DIRECTORY

DIRECTORY is what `assay report RESULTS … --out DIRECTORY` wrote. Nothing but Python's
standard library is used, and nothing of assay's: pass@k by counting subsets, p-values by
the distribution of flipped signs in whole numbers, intervals by the means of all subsets,
quantiles by halving. Prints how many numbers agree; a number that does not is an error.
"""

import collections
import csv
import fractions
import json
import math
import pathlib
import statistics
import sys

Z = statistics.NormalDist().inv_cdf(0.975)
compared = 0
faults = []


def same(what, got, want, tolerance=1e-9):
    global compared
    compared += 1
    if got is None or want is None:
        if got is not want:
            faults.append(f"{what}: {got} in the report, {want} here")
    elif abs(got - want) > tolerance:
        faults.append(f"{what}: {got} in the report, {want} here")


def halving(rises, low, high):
    """The place where a rising function passes 0."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) < 0 else (low, middle)
    return (low + high) / 2


def student(df):
    """The 0.975 quantile of Student's distribution, by Simpson's rule on its density."""
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)

    def area(t, steps=2000):
        density = [scale * (1 + (t * i / steps) ** 2 / df) ** (-(df + 1) / 2) for i in range(steps + 1)]
        return t / steps / 3 * (density[0] + density[-1] + 4 * sum(density[1:-1:2]) + 2 * sum(density[2:-1:2]))

    return halving(lambda t: area(t) - 0.475, 0, 100)


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

    return halving(lambda x: below(x) - probability, 0, 50)


def wilson(mean, size):
    """Modified near 0 and 1: Brown, Cai & DasGupta 2001, section 4.1.1."""
    centre = (mean + Z * Z / 2 / size) / (1 + Z * Z / size)
    half = Z / (1 + Z * Z / size) * math.sqrt(mean * (1 - mean) / size + (Z / 2 / size) ** 2)
    low, high = max(0, centre - half), min(1, centre + half)
    most = 3 if size > 50 else 2
    if 0 < size * mean <= most + 1e-9:
        low = min(low, gamma(size * mean, 0.05) / size)
    if 0 < size * (1 - mean) <= most + 1e-9:
        high = max(high, 1 - gamma(size * (1 - mean), 0.05) / size)
    return low, high


def exact(count, n):
    """Clopper & Pearson 1934: the shares at which a tail of the binomial has 2.5 %."""

    def from_on(k, p):  # the probability of k or more of n
        return math.fsum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(int(k), n + 1))

    low = halving(lambda p: from_on(count, p) - 0.025, 0, 1) if count else 0
    return low, halving(lambda p: from_on(count + 1, p) - 0.975, 0, 1) if count < n else 1


def like_these(values):
    """The interval of a mean over tasks, for tasks like these."""
    n, mean = len(values), math.fsum(values) / len(values)
    if all(v in (0, 1) for v in values):
        return exact(sum(values), n)
    off = min(sum(v > 0 for v in values), sum(v < 1 for v in values))
    if off < 0.1 * n or off < 20 and off < 0.25 * n:
        return wilson(mean, n)
    spread = statistics.pvariance(values) / (mean * (1 - mean)) * n * (student(n - 1) / Z) ** 2
    return wilson(mean, n / min(1, (spread + 4) / (n + 3)))


def pass_at(n, c, k):
    """The share of subsets of k samples in which one passes."""
    return 1 - fractions.Fraction(math.comb(n - c, k), math.comb(n, k))


def pass_all(n, c, k):
    """The share of subsets of k samples in which all pass."""
    return fractions.Fraction(math.comb(c, k), math.comb(n, k))


def sign_flip(differences):
    """The two-sided p, and the interval: quantiles of the means of all subsets."""
    unit = math.lcm(*[d.denominator for d in differences])
    steps = [int(d * unit) for d in differences]
    sums, subsets = collections.Counter({0: 1}), collections.Counter({(0, 0): 1})
    for step in steps:
        flipped, more = collections.Counter(), collections.Counter(subsets)
        for total, ways in sums.items():
            flipped[total + step] += ways
            flipped[total - step] += ways
        for (size, total), ways in subsets.items():
            more[size + 1, total + step] += ways
        sums, subsets = flipped, more
    everything = 2 ** len(steps)
    observed = abs(sum(steps))
    p = fractions.Fraction(sum(w for total, w in sums.items() if abs(total) >= observed), everything)
    means = sorted((fractions.Fraction(total, size * unit), ways) for (size, total), ways in subsets.items() if size)

    def end(ordered):
        below = fractions.Fraction(1, everything)  # the empty subset
        for mean, ways in ordered:
            below += fractions.Fraction(ways, everything)
            if below > fractions.Fraction(1, 40):
                return float(mean)

    return float(p), max(-1, end(means)), min(1, end(reversed(means)))


def holm(family):
    order, adjusted, last = sorted(family, key=family.get), {}, 0
    for i, key in enumerate(order):
        last = adjusted[key] = max(last, min(1, (len(order) - i) * family[key]))
    return adjusted


def benjamini_hochberg(family):
    order, adjusted, last = sorted(family, key=family.get), {}, 1
    for i, key in reversed(list(enumerate(order))):
        last = adjusted[key] = min(last, len(order) / (i + 1) * family[key])
    return adjusted


def main(directory):
    report = json.loads((directory / "report.json").read_text())
    with open(next(directory.glob("dataset/data/*samples_data.csv")), newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    samples = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in rows:
        if row["verdict"] in ("sandbox_error", "not_judged"):
            sys.exit("this script knows only samples that have a verdict")
        samples[row["run"]][row["task"]].append((row["verdict"] == "accepted", int(row["passed"]), max(1, int(row["total"]))))
    values = {}  # of each run and metric, by task
    for run in report["runs"]:
        for metric, name in enumerate(report["metrics"]):
            of = {}
            for task, all_samples in samples[run["name"]].items():
                n, c = len(all_samples), sum(accepted for accepted, _, _ in all_samples)
                ratios = [fractions.Fraction(passed, total) for _, passed, total in all_samples]
                if name.startswith("pass@"):
                    of[task] = pass_at(n, c, int(name[5:]))
                elif name.startswith("pass^"):
                    of[task] = pass_all(n, c, int(name[5:]))
                elif name.startswith("pass-ratio"):
                    of[task] = sum(r * r for r in ratios) / n
                elif name == "average pass rate":
                    of[task] = sum(ratios) / n
                else:
                    of[task] = fractions.Fraction(sum(r == 1 for r in ratios), n)
            values[run["name"], metric] = of
            got, exact = run["metrics"][metric], [of[t] for t in sorted(of)]
            same(f"{run['name']}: {name}", got["value"], float(sum(exact) / len(exact)))
            same(f"{run['name']}: tasks of {name}", got["n"], len(exact))
            low, high = like_these([float(v) for v in exact])
            same(f"{run['name']}: {name}, low", got["interval"]["low"], low, 1e-7)
            same(f"{run['name']}: {name}, high", got["interval"]["high"], high, 1e-7)
    family, shown = {}, []
    for pair in report["comparisons"]:
        for metric, got in enumerate(pair["measures"]):
            first, second = values[pair["first"], metric], values[pair["second"], metric]
            differences = [first[t] - second[t] for t in sorted(first) if t in second]
            what = f"{pair['first']} against {pair['second']}: {got['name']}"
            same(what, got["difference"]["value"], float(sum(differences) / len(differences)))
            same(f"{what}, better", got["better"], sum(d > 0 for d in differences))
            if not any(differences) or len(set(differences)) == 1:
                continue
            sign = next(1 if d > 0 else -1 for d in differences if d)
            key = tuple(sign * d for d in differences)
            p, low, high = sign_flip(differences)
            family[key] = p
            shown.append((what, key, got))
            same(f"{what}, p", got["p"], p)
            if len(differences) < 20 and sum(d != 0 for d in differences) < 6:
                low = high = None  # withheld: too few differ
            interval = got["difference"].get("interval") or {"low": None, "high": None}
            same(f"{what}, low", interval["low"], low)
            same(f"{what}, high", interval["high"], high)
    same("tests of the family", report["families"][0]["tests"], len(family))
    corrected, screened = holm(family), benjamini_hochberg(family)
    for what, key, got in shown:
        same(f"{what}, Holm", got["p_holm"], corrected[key])
        same(f"{what}, Benjamini-Hochberg", got["p_bh"], screened[key])
    for fault in faults:
        print(fault)
    print(f"{compared - len(faults)} of {compared} numbers agree")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
