
runs <- table_of("runs")
samples <- table_of("samples")
tasks <- table_of("tasks")
samples$accepted <- samples$verdict == "accepted"
samples$ratio <- number(samples$passed) / pmax(number(samples$total), 1)
names_of <- vapply(report$runs, function(r) r$name, "")
metric_names <- unlist(report$metrics)

# The variance of a mean over tasks if their samples were drawn again, with one more task of the largest
# variance; and how many draws a task has at least, and all have.
drawn_again <- function(variance, draws) list(variance = (sum(variance) + 0.25 / min(draws)) / length(variance)^2, fewest = min(draws), all = sum(draws))
on_these <- function(mean, again) wilson(mean, if (mean > 0 && mean < 1) mean * (1 - mean) / again$variance else again$all)

# The metrics of each run, task by task
counted <- samples[!samples$verdict %in% c("not_judged", "sandbox_error"), ]
failed <- samples[samples$verdict == "sandbox_error", ]
of_run <- function(rows, name, what) {
  of <- split(rows, factor(rows$task, levels = unique(rows$task)))
  k <- if (grepl("^pass[@^]", name)) as.integer(substring(name, 6)) else 1
  vapply(of, function(s) {
    n <- nrow(s)
    ratio <- if (startsWith(name, "pass-ratio")) s$ratio^2 else if (name == "average pass rate") s$ratio else if (k > 1 || name == "pass@1") s$accepted + 0 else (s$ratio == 1) + 0
    subsets <- function(c) if (startsWith(name, "pass^")) choose(c, k) / choose(n, k) else 1 - choose(n - c, k) / choose(n, k)
    if (n < k) return(NA_real_)
    switch(what,
      value = if (k > 1) subsets(sum(ratio)) else mean(ratio),
      draws = n %/% k,
      variance = if (k > 1) {
        p <- dbinom(0:n, n, (sum(ratio) + 0.5) / (n + 1))
        max(0, sum(p * subsets(0:n)^2) - sum(p * subsets(0:n))^2)
      } else sum((ratio - mean(ratio))^2) / max(n - 1, 1) / n)
  }, 0)
}
rows_of <- lapply(names_of, function(run) counted[counted$run == run & !counted$task %in% failed$task[failed$run == run], ])
by_metric <- function(what) setNames(lapply(rows_of, function(rows) setNames(lapply(metric_names, function(name) of_run(rows, name, what)), metric_names)), names_of)
values <- by_metric("value")
variances <- by_metric("variance")
draws <- by_metric("draws")
scored_n <- lapply(rows_of, function(rows) table(rows$task))
for (i in seq_along(report$runs)) {
  run <- report$runs[[i]]
  path <- sprintf("/runs/%d", i - 1)
  of <- samples[samples$run == run$name, ]
  same(paste0(path, "/samples"), nrow(of))
  same(paste0(path, "/tasks"), length(unique(of$task)))
  same(paste0(path, "/counted"), sum(counted$run == run$name & counted$task %in% names(values[[i]][[1]])))
  same(paste0(path, "/accepted"), sum(of$accepted & of$task %in% names(values[[i]][[1]])))
  per_task <- scored_n[[i]]
  same(paste0(path, "/n_fewest"), if (length(per_task) > 0) min(per_task) else 0)
  same(paste0(path, "/n_most"), if (length(per_task) > 0) max(per_task) else 0)
  same(paste0(path, "/scored"), length(values[[i]][[1]]))
  same(paste0(path, "/withheld"), length(unique(of$task[of$verdict == "sandbox_error"])))
  same(paste0(path, "/unjudged"), sum(tapply(of$verdict == "not_judged", of$task, all)))
  same(paste0(path, "/not_judged"), sum(of$verdict == "not_judged"))
  same(paste0(path, "/sandbox_errors"), sum(of$verdict == "sandbox_error"))
  same(paste0(path, "/without_code"), sum(of$extraction == "none"))
  if (!is.null(run$spent)) took(paste0(path, "/spent"), run$spent, runs[runs$run == run$name, ])
  if (!is.null(run$flags)) { # outliers are counted among what was generated; some of it has no verdict
    told <- runs[runs$run == run$name, ]
    generated <- number(told$generated)
    outliers <- strsplit(strsplit(told$outliers, "; ", fixed = TRUE)[[1]], ": ", fixed = TRUE)
    same(paste0(path, "/generated"), generated)
    same(paste0(path, "/flagged_samples"), sum(of$flagged == "1"))
    for (j in seq_along(run$flags)) {
      count <- sum(vapply(outliers, function(o) if (o[1] == run$flags[[j]]$name) number(o[2]) else 0, 0))
      same(sprintf("%s/flags/%d/count", path, j - 1), count)
      same(sprintf("%s/flags/%d/n", path, j - 1), generated)
      same(sprintf("%s/flags/%d/value", path, j - 1), count / generated)
    }
    left <- rows_of[[i]][rows_of[[i]]$flagged != "1", ]
    for (j in seq_along(metric_names)) {
      x <- of_run(left, metric_names[j], "value")
      over_tasks(sprintf("%s/metrics_without_flagged/%d", path, j - 1), if (anyNA(x)) NULL else x)
    }
  }
  for (j in seq_along(run$verdicts)) {
    at <- sprintf("%s/verdicts/%d", path, j - 1)
    count <- sum(of$verdict == run$verdicts[[j]]$name)
    same(paste0(at, "/count"), count)
    same(paste0(at, "/n"), nrow(of))
    same(paste0(at, "/value"), count / nrow(of))
    if (startsWith(run$verdicts[[j]]$method, "exact")) interval(paste0(at, "/interval"), as.vector(binom.test(count, nrow(of))$conf.int))
  }
  for (j in seq_along(metric_names)) {
    over_tasks(sprintf("%s/metrics/%d", path, j - 1), values[[i]][[j]])
    here <- run$metrics_on_these_tasks[[j]]
    at <- sprintf("%s/metrics_on_these_tasks/%d/interval", path, j - 1)
    if (startsWith(here$method, "as for tasks like these")) interval(at, like_these(values[[i]][[j]]))
    if (startsWith(here$method, "modified Wilson")) interval(at, on_these(mean(values[[i]][[j]]), drawn_again(variances[[i]][[j]], draws[[i]][[j]])))
  }
}
same("/n_fewest", min(unlist(scored_n), if (sum(lengths(scored_n)) == 0) 0))
same("/n_most", max(unlist(scored_n), 0))
about <- tasks[!duplicated(tasks$task), ]
for (i in seq_along(report$tasks)) {
  id <- report$tasks[[i]]$id
  of <- samples[samples$task == id, ]
  same(sprintf("/tasks/%d/test_cases", i - 1), max(number(of$total)))
  for (j in seq_along(names_of)) {
    if (length(report$tasks[[i]]$runs) < j) next
    path <- sprintf("/tasks/%d/runs/%d", i - 1, j - 1)
    mine <- counted[counted$task == id & counted$run == names_of[j], ]
    same(paste0(path, "/n"), nrow(mine))
    same(paste0(path, "/accepted"), sum(mine$accepted))
    for (m in seq_along(report$tasks[[i]]$runs[[j]]$metrics)) same(sprintf("%s/metrics/%d", path, m - 1), unname(values[[j]][[m]][id]))
  }
}

# Splits: by fields of the tasks, whose values a task has several of where these are topics
cell <- function(path, run, ids) {
  x <- lapply(values[[run]], function(v) v[names(v) %in% ids])
  same(paste0(path, "/tasks"), length(x[[1]]))
  for (j in seq_along(x)) if (!anyNA(x[[j]])) over_tasks(sprintf("%s/metrics/%d", path, j - 1), x[[j]])
}
values_of <- function(field) lapply(about[[field]], function(v) if (v == "") "" else if (field == "topics") strsplit(v, "; ", fixed = TRUE)[[1]] else v)
for (i in seq_along(report$slices)) {
  fields <- strsplit(report$slices[[i]]$by, ", ", fixed = TRUE)[[1]]
  if (!all(fields %in% names(about))) next # a field of the benchmark's own has no column
  of <- values_of(fields[1])
  named <- function(v) ifelse(v == "", "(none)", v)
  for (field in fields[-1]) of <- Map(function(a, b) as.vector(t(outer(named(a), named(b), paste, sep = ", "))), of, values_of(field))
  cells <- report$slices[[i]]$cells
  for (j in seq_along(cells)) {
    value <- cells[[j]]$value
    meant <- if (identical(fields, "topics") && value != "") { # a topic may have the separator in it
      grepl(paste0("; ", value, "; "), paste0("; ", about$topics, "; "), fixed = TRUE)
    } else vapply(of, function(v) value %in% v, NA)
    for (run in seq_along(names_of)) cell(sprintf("/slices/%d/cells/%d/runs/%d", i - 1, j - 1, run - 1), run, about$task[meant])
  }
}
years <- unlist(report$groups$years)
year <- about$year
for (y in years[startsWith(years, "~")]) year[year != "" & year <= sub("~", "", y, fixed = TRUE)] <- y
for (run in seq_along(names_of)) for (i in seq_along(report$groups$difficulties)) for (j in seq_along(years)) {
  path <- sprintf("/groups/runs/%d/%d/%d", run - 1, i - 1, j - 1)
  ids <- about$task[about$difficulty == report$groups$difficulties[[i]] & year == years[j]]
  cell(path, run, ids)
  mine <- rows_of[[run]][rows_of[[run]]$task %in% ids, ]
  share <- tapply(mine$accepted, mine$task, mean)
  same(paste0(path, "/solved"), sum(share > 0))
  same(paste0(path, "/expected"), sum(share))
}
for (i in seq_along(report$training_cutoffs)) {
  c <- report$training_cutoffs[[i]]
  path <- sprintf("/training_cutoffs/%d", i - 1)
  length_of <- pmin(nchar(about$published), nchar(c$date))
  published <- substring(about$published, 1, length_of)
  cutoff <- substring(c$date, 1, length_of)
  side <- ifelse(published == "", "undated", ifelse(published > cutoff, "after", ifelse(published < cutoff | length_of == nchar(c$date), "before", "unclear")))
  for (name in c("before", "after")) cell(paste0(path, "/", name), c$run, about$task[side == name])
  scored <- names(values[[c$run]][[1]])
  for (name in c("undated", "unclear")) same(paste0(path, "/", name), sum(about$task[side == name] %in% scored))
  for (j in seq_along(c$differences)) { # Newcombe's interval of the difference of two means
    x <- lapply(c("after", "before"), function(name) { v <- values[[c$run]][[j]]; unname(v[names(v) %in% about$task[side == name]]) })
    at <- sprintf("%s/differences/%d", path, j - 1)
    if (length(x[[1]]) == 0 || length(x[[2]]) == 0 || anyNA(unlist(x))) next
    d <- mean(x[[1]]) - mean(x[[2]])
    same(paste0(at, "/n"), length(unlist(x)))
    same(paste0(at, "/value"), d)
    ends <- lapply(x, effective_wilson)
    if (is.null(ends[[1]]) || is.null(ends[[2]])) next
    off <- Map(function(v, e) abs(e - mean(v)), x, ends)
    interval(paste0(at, "/interval"), pmin(pmax(d + c(-1, 1) * sqrt(c(off[[1]][1]^2 + off[[2]][2]^2, off[[1]][2]^2 + off[[2]][1]^2)), -1), 1))
  }
}

# Comparisons, task by task: p is the share of all sign patterns whose sum is as extreme (Fisher 1935), and
# the interval has the quantiles of the means of all subsets (Hartigan 1969). Both are exact over the lattice
# on which the differences lie, or on which they are rounded; where that takes too long the tails are of the
# saddlepoint approximation (Robinson 1982).
saddlepoint <- function(a) { # the probability that the sum with random signs is at least that of a
  x <- sum(a)
  if (x >= sum(abs(a)) * (1 - 1e-12)) return(2^-length(a))
  if (x <= -sum(abs(a)) * (1 - 1e-12)) return(1)
  z <- x / sqrt(sum(a^2))
  if (abs(z) < 1e-3) return(pnorm(z, lower.tail = FALSE))
  slope <- function(t) sum(a * tanh(t * a)) - abs(x)
  high <- 1 / sqrt(sum(a^2))
  while (slope(high) < 0) high <- 2 * high
  t <- uniroot(slope, c(0, high), tol = 1e-13 * high)$root
  w <- sqrt(max(0, 2 * (t * abs(x) - sum(abs(t * a) + log1p(exp(-2 * abs(t * a))) - log(2)))))
  v <- t * sqrt(sum(a^2 * (1 - tanh(t * a)^2)))
  p <- min(max(pnorm(w, lower.tail = FALSE) + dnorm(w) * (1 / v - 1 / w), 0), 0.5)
  if (x < 0) 1 - p else p
}
flip <- function(d) {
  n <- length(d)
  moving <- sum(d != 0)
  all <- sum(abs(d))
  work <- 2e7
  tail <- moving * all / 2
  joint <- moving * (moving + 1) * all
  natural <- 0
  for (q in 1:10000) {
    x <- d * q
    if (all(abs(x - round(x)) <= 1e-9 * pmax(1, abs(x)))) {
      natural <- 1 / q
      break
    }
  }
  jointly <- TRUE
  if (natural > 0 && joint / natural <= work) {
    unit <- natural
  } else if (max(abs(d)) / (joint / work) >= 128) {
    unit <- max(joint / work, max(abs(d)) / 2^20)
  } else {
    jointly <- FALSE
    unit <- if (natural > 0 && tail / natural <= work) natural else max(tail / work, max(abs(d)) / 2^20)
  }
  step <- sign(d) * floor(abs(d) / unit + 0.5)
  if (max(abs(d)) / unit >= 128 || unit == natural) {
    most <- min(sum(pmax(step, 0)), sum(pmax(-step, 0)))
    ways <- c(1, numeric(most))
    for (s in abs(step[d != 0])) {
      if (s == 0) next
      if (s <= most) ways[(s + 1):(most + 1)] <- ways[(s + 1):(most + 1)] + ways[1:(most + 1 - s)]
      ways <- ways / 2
    }
    p <- min(1, 2 * sum(ways))
  } else {
    p <- min(1, 2 * saddlepoint(d), 2 * saddlepoint(-d))
  }
  if (2^-n > 0.025) return(list(p = p, least = 2^(1 - moving)))
  cells <- NULL
  if (jointly) {
    move <- step[step != 0]
    below <- sum(pmax(-move, 0))
    ways <- matrix(0, below + sum(pmax(move, 0)) + 1, length(move) + 1) # sums by sizes of subsets
    ways[below + 1, 1] <- 1
    low <- high <- below + 1
    for (i in seq_along(move)) {
      rows <- low:high
      low <- low + min(move[i], 0)
      high <- high + max(move[i], 0)
      before <- ways[rows, 1:i, drop = FALSE] / 2
      ways[rows, 1:i] <- before
      ways[rows + move[i], 2:(i + 1)] <- ways[rows + move[i], 2:(i + 1)] + before
    }
    at <- which(ways > 1e-15, arr.ind = TRUE)
    cells <- list(sum = at[, 1] - below - 1, size = at[, 2] - 1, p = ways[at])
  }
  lowest <- function(d, sums, rejected) {
    others <- n - sum(step != 0)
    accepted <- function(delta) {
      if (is.null(cells)) return(saddlepoint(d - delta) > 0.025)
      by <- delta / unit
      sum(if (by > 0) cells$p * pbinom(pmax(0, ceiling(sums / by - cells$size - 1e-9)) - 1, others, 0.5, lower.tail = FALSE)
        else if (by < 0) cells$p * pbinom(floor(sums / by - cells$size + 1e-9), others, 0.5)
        else cells$p[sums <= 0]) > 0.025
    }
    ends <- c(min(d) - unit, mean(d) + unit)
    if (rejected) ends[1] <- 0 else ends[2] <- min(ends[2], 0)
    if (!rejected && !accepted(ends[2])) return(ends[2])
    while (ends[2] - ends[1] > 1e-9) {
      middle <- mean(ends)
      if (accepted(middle)) ends[2] <- middle else ends[1] <- middle
    }
    ends[2]
  }
  ends <- c(lowest(d, cells$sum, p <= 0.05 && sum(d) > 0), -lowest(-d, -cells$sum, p <= 0.05 && sum(d) < 0))
  list(p = p, least = 2^(1 - moving), ends = ends)
}
known_flips <- list()
flipped <- function(d) { # where all tasks differ alike, a rare one might differ the other way: its probability
  key <- paste(sort(d), collapse = " ")
  if (is.null(known_flips[[key]])) known_flips[[key]] <<- if (all(d == d[1])) {
    seldom <- 0.025^(1 / length(d))
    p <- min(1, 2 / (1 + abs(d[1]))^length(d))
    list(p = p, least = p, ends = c((1 + d[1]) * seldom - 1, 1 - (1 - d[1]) * seldom))
  } else {
    f <- flip(d)
    if (f$least > 0.05 && length(d) < 20) f$ends <- NULL
    f$ends <- if (!is.null(f$ends)) pmin(pmax(f$ends, -1), 1)
    f
  }
  known_flips[[key]]
}
family <- list()
tested <- function(path, first, second) { # equal tests count once, whichever side is named first
  both <- sort(intersect(names(first), names(second)))
  d <- round(unname(first[both] - second[both]), 12)
  f <- flipped(d)
  if (all(d == 0)) {
    for (name in c("/p", "/p_holm", "/p_bh")) same(paste0(path, name), NA)
  } else {
    same(paste0(path, "/p"), f$p, 1e-6)
    x <- round(d, 9)
    key <- paste(both, sign(x[x != 0][1]) * x + 0, collapse = " ")
    family[[key]] <<- list(p = f$p, paths = c(family[[key]]$paths, path))
  }
  list(d = d, both = both, least = f$least, ends = f$ends)
}
for (i in seq_along(report$comparisons)) {
  pair <- report$comparisons[[i]]
  for (j in seq_along(pair$measures)) {
    m <- pair$measures[[j]]
    path <- sprintf("/comparisons/%d/measures/%d", i - 1, j - 1)
    first <- values[[pair$first]][[m$name]]
    second <- values[[pair$second]][[m$name]]
    if (length(intersect(names(first), names(second))) == 0) next
    t <- tested(path, first, second)
    both <- t$both
    d <- t$d
    if (j == 1) same(sprintf("/comparisons/%d/tasks", i - 1), length(both))
    same(paste0(path, "/difference/value"), mean(d))
    same(paste0(path, "/difference/n"), length(d))
    same(paste0(path, "/first/value"), mean(first[both]))
    same(paste0(path, "/second/value"), mean(second[both]))
    same(paste0(path, "/better"), sum(d > 0))
    same(paste0(path, "/worse"), sum(d < 0))
    same(paste0(path, "/same"), sum(d == 0))
    interval(paste0(path, "/difference/interval"), t$ends)
    if (any(d != 0)) same(paste0(path, "/least_p"), t$least)
    these <- m$difference_on_these_tasks
    at <- paste0(path, "/difference_on_these_tasks/interval")
    if (startsWith(these$method, "as for tasks like these")) interval(at, t$ends)
    if (startsWith(these$method, "normal")) {
      sides <- lapply(c(pair$first, pair$second), function(run) drawn_again(variances[[run]][[m$name]][both], draws[[run]][[m$name]][both])$variance)
      interval(at, pmin(pmax(mean(d) + c(-1, 1) * qnorm(0.975) * sqrt(sides[[1]] + sides[[2]]), -1), 1))
    }
  }
}

# What more detail in the prompt changes: a task's value is the mean over the wordings of a level, then
# over models.
level_runs <- function(model, level) runs$run[runs$model == model & (runs$prompt == level | startsWith(runs$prompt, paste0(level, ".")))]
same_tasks <- function(of, metric) Reduce(intersect, lapply(of, function(run) names(values[[run]][[metric]])))
mean_over <- function(of, metric, ids) Reduce(`+`, lapply(of, function(run) values[[run]][[metric]][ids])) / length(of)
for (i in seq_along(report$prompts$effects)) {
  e <- report$prompts$effects[[i]]
  path <- sprintf("/prompts/effects/%d", i - 1)
  models <- Filter(function(m) length(level_runs(m, e$from)) > 0 && length(level_runs(m, e$to)) > 0, if (e$model == "") unique(runs$model) else e$model)
  from <- lapply(models, level_runs, e$from)
  to <- lapply(models, level_runs, e$to)
  same(paste0(path, "/models"), length(models))
  for (j in seq_along(e$measures)) {
    m <- e$measures[[j]]
    at <- sprintf("%s/measures/%d", path, j - 1)
    ids <- same_tasks(unlist(c(from, to)), m$name)
    side <- function(of) setNames(pmin(rowMeans(vapply(of, function(x) mean_over(x, m$name, ids), numeric(length(ids)))), 1), ids)
    t <- tested(at, side(to), side(from))
    same(paste0(at, "/from"), mean(side(from)))
    same(paste0(at, "/to"), mean(side(to)))
    same(paste0(at, "/difference/n"), length(ids))
    same(paste0(at, "/difference/value"), mean(t$d))
    interval(paste0(at, "/difference/interval"), t$ends)
  }
  turned <- lapply(seq_along(models), function(j) {
    ids <- same_tasks(c(from[[j]], to[[j]]), "strict accuracy")
    (mean_over(to[[j]], "strict accuracy", ids) >= 0.5 - 1e-12) - (mean_over(from[[j]], "strict accuracy", ids) >= 0.5 - 1e-12)
  })
  turned <- unlist(turned)
  same(paste0(path, "/gained"), sum(turned > 0))
  same(paste0(path, "/lost"), sum(turned < 0))
  same(paste0(path, "/flips/count"), sum(turned != 0))
  same(paste0(path, "/flips/n"), length(turned))
  same(paste0(path, "/flips/value"), mean(turned != 0))
  if (length(models) == 1) interval(paste0(path, "/flips/interval"), as.vector(binom.test(sum(turned != 0), length(turned))$conf.int))
}
# Wordings of one level: the variance between them, and within them (Searle's components of groups).
components <- function(accepted, n) {
  x <- accepted / n
  all <- sum(n)
  within <- sum(accepted * (1 - x)) / (all - length(n))
  degrees <- length(n) - 1
  c((sum(n * (x - sum(accepted) / all)^2) / degrees - within) / ((all - sum(n^2) / all) / degrees), within)
}
for (i in seq_along(report$prompts$wordings)) {
  w <- report$prompts$wordings[[i]]
  path <- sprintf("/prompts/wordings/%d", i - 1)
  of <- level_runs(w$model, w$level)
  ids <- same_tasks(of, 1)
  means <- vapply(of, function(run) mean(values[[run]][[1]][ids]), 0)
  same(paste0(path, "/wordings"), length(of))
  same(paste0(path, "/tasks"), length(ids))
  same(paste0(path, "/lowest/value"), if (length(ids) > 0) min(means) else NA)
  same(paste0(path, "/highest/value"), if (length(ids) > 0) max(means) else NA)
  if (w$problem != "") next
  parts <- vapply(ids, function(id) {
    mine <- lapply(of, function(run) counted$accepted[counted$run == run & counted$task == id])
    components(vapply(mine, sum, 0), lengths(mine))
  }, c(0, 0))
  same(paste0(path, "/between_variance/n"), length(ids))
  same(paste0(path, "/between_variance/value"), mean(parts[1, ]))
  if (length(ids) >= 20 && sd(parts[1, ]) > 0) interval(paste0(path, "/between_variance/interval"), as.vector(t.test(parts[1, ])$conf.int))
  same(paste0(path, "/sampling_variance"), mean(parts[2, ]))
  if (sum(rowMeans(parts)) > 0) same(paste0(path, "/between_share"), mean(parts[1, ]) / sum(rowMeans(parts)))
}
if (length(family) > 0) {
  p <- vapply(family, function(f) f$p, 0)
  holm <- p.adjust(p, "holm")
  screened <- p.adjust(p, "BH")
  for (i in seq_along(family)) for (path in family[[i]]$paths) {
    same(paste0(path, "/p_holm"), holm[[i]])
    same(paste0(path, "/p_bh"), screened[[i]])
  }
}

for (i in seq_along(report$families)) same(sprintf("/families/%d/tests", i - 1), length(family))

# Leaderboards show runs in the order of a metric, with their differences from above.
difference_of <- function(a, b, metric) {
  for (pair in report$comparisons) {
    if (setequal(c(pair$first, pair$second), c(a, b))) {
      m <- Filter(function(m) m$name == metric, pair$measures)[[1]]
      sign <- if (pair$first == a) 1 else -1
      ends <- if (is.null(m$difference$interval)) NULL else sort(sign * unlist(m$difference$interval))
      return(list(value = sign * m$difference$value, n = m$difference$n, ends = ends, p = m$p, holm = m$p_holm))
    }
  }
}
for (i in seq_along(report$leaderboards)) {
  board <- report$leaderboards[[i]]
  same(sprintf("/leaderboards/%d/alpha", i - 1), 0.05)
  same(sprintf("/leaderboards/%d/tests", i - 1), length(family))
  means <- vapply(board$rows, function(r) mean(values[[r$run]][[board$metric]]), 0)
  ranks <- vapply(means, function(m) 1 + sum(means > m + 1e-12, na.rm = TRUE), 0)
  for (j in seq_along(board$rows)) {
    row <- board$rows[[j]]
    path <- sprintf("/leaderboards/%d/rows/%d", i - 1, j - 1)
    apart <- vapply(board$rows, function(r) r$run == row$run || isTRUE(difference_of(row$run, r$run, board$metric)$holm <= 0.05), NA)
    ties <- list() # ranks that follow each other in the table are one range; the run itself interrupts none
    last <- -1
    for (k in seq_along(apart)) {
      n <- length(ties)
      if (is.nan(means[j]) || is.nan(means[k])) next
      if (k == j) {
        if (last == k - 1) last <- k
      } else if (!apart[k] && n > 0 && (last == k - 1 || ties[[n]][2] == ranks[k])) {
        ties[[n]][2] <- ranks[k]
        last <- k
      } else if (!apart[k]) {
        ties[[n + 1]] <- c(ranks[k], ranks[k])
        last <- k
      }
    }
    for (n in seq_along(ties)) {
      same(sprintf("%s/not_told_apart_from/%d/from", path, n - 1), ties[[n]][1])
      same(sprintf("%s/not_told_apart_from/%d/to", path, n - 1), ties[[n]][2])
    }
    same(paste0(path, "/not_told_apart_from/", length(ties), "/from"), NA)
    same(paste0(path, "/rank"), 1 + sum(means > means[j] + 1e-12))
    over_tasks(paste0(path, "/value"), values[[row$run]][[board$metric]])
    over_tasks(paste0(path, "/pass_ratio"), values[[row$run]][[grep("^pass-ratio", metric_names)[1]]])
    same(paste0(path, "/accepted"), report$runs[[match(row$run, names_of)]]$accepted)
    same(paste0(path, "/counted"), report$runs[[match(row$run, names_of)]]$counted)
    for (to in c("to_the_one_above", "to_the_best")) {
      other <- row[[to]]$run
      d <- if (other == "") list(value = NA, n = 0) else difference_of(row$run, other, board$metric)
      if (is.null(d)) next
      same(sprintf("%s/%s/difference/value", path, to), d$value)
      same(sprintf("%s/%s/difference/n", path, to), d$n)
      interval(sprintf("%s/%s/difference/interval", path, to), d$ends)
      same(sprintf("%s/%s/p_holm", path, to), if (is.null(d$holm)) NA else d$holm)
    }
  }
}

# Run time and memory: medians over tasks, of the medians of each task's accepted samples
median_of <- function(path, x) {
  same(paste0(path, "/n"), length(x))
  same(paste0(path, "/value"), median(x))
  out <- qbinom(0.025, length(x), 0.5)
  if (out > 0) interval(paste0(path, "/interval"), c(sort(x)[out], sort(x)[length(x) + 1 - out]))
}
for (i in seq_along(report$usage)) {
  u <- report$usage[[i]]
  path <- sprintf("/usage/%d", i - 1)
  of <- samples[samples$run == u$run & samples$accepted & number(samples$memory_kb) > 0 & !(u$without_outliers & samples$flagged == "1"), ]
  same(paste0(path, "/samples"), nrow(of))
  median_of(paste0(path, "/cpu_ms"), as.vector(tapply(number(of$cpu_ms), of$task, median)))
  median_of(paste0(path, "/memory_mb"), as.vector(tapply(number(of$memory_kb) / 1024, of$task, median)))
}

# Six dimensions (Su et al.)
six_by_run("/six", report$six, rows_of, function(run) {
  of <- tasks[tasks$run == run, ]
  setNames(number(of$weight), of$task)
}, function(category) about$task[about$category == category])

# Examples, and the tasks
for (i in seq_along(report$examples)) {
  e <- report$examples[[i]]
  path <- sprintf("/examples/%d", i - 1)
  of <- samples[samples$run == e$run & samples$task == e$task, ]
  for (j in seq_along(e$solutions)) {
    same(sprintf("%s/solutions/%d/passed", path, j - 1), number(of$passed[j]))
    same(sprintf("%s/solutions/%d/total", path, j - 1), number(of$total[j]))
  }
  for (j in seq_along(e$pass_at)) same(sprintf("%s/pass_at/%d", path, j - 1), 1 - choose(sum(!of$accepted), j) / choose(nrow(of), j))
  same(paste0(path, "/pass_ratio"), values[[e$run]][[grep("^pass-ratio", metric_names)[1]]][[e$task]])
}
if (!is.null(report$benchmark)) {
  told <- table_of("benchmark")
  same("/benchmark/tasks", nrow(told))
  for (i in seq_along(names_of)) same(sprintf("/runs/%d/tasks_without_samples", i - 1), sum(!told$task %in% samples$task[samples$run == names_of[i]]))
  for (i in seq_along(report$benchmark$items)) {
    item <- report$benchmark$items[[i]]
    has <- told[[gsub(" ", "_", item$name)]] == "1"
    path <- sprintf("/benchmark/items/%d", i - 1)
    same(paste0(path, "/count"), sum(has))
    same(paste0(path, "/n"), length(has))
    same(paste0(path, "/value"), mean(has))
    if (!is.null(item$interval)) interval(paste0(path, "/interval"), as.vector(binom.test(sum(has), length(has))$conf.int))
  }
  question_weights("/benchmark/weights", report$benchmark$weights, about)
}
same("/confidence", 0.95)
same("/few", 5)

finish(c("/(by_analyser|agreement)/" = "the ratings of each analyser, which the table of samples has as JSON", "^/slices/" = "a split by a field that the table of tasks does not have"))
