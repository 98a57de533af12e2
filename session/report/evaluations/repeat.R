
samples <- table_of("samples")
tasks <- table_of("tasks")
samples$accepted <- samples$verdict == "accepted"
samples$ratio <- number(samples$passed) / pmax(number(samples$total), 1)
names_of <- vapply(report$runs, function(r) r$name, "")
metric_names <- unlist(report$metrics)

# The interval of a mean over tasks, for tasks like these: exact where all values are 0 or 1 (Clopper &
# Pearson), else Wilson's, modified near 0 and 1 (Brown, Cai & DasGupta), for the effective number.
wilson <- function(mean, size) {
  z <- qnorm(0.975)
  centre <- (mean + z^2 / 2 / size) / (1 + z^2 / size)
  half <- z / (1 + z^2 / size) * sqrt(mean * (1 - mean) / size + (z / 2 / size)^2)
  ends <- c(max(0, centre - half), min(1, centre + half))
  near <- if (size > 50) 3 else 2
  if (size * mean > 0 && size * mean <= near + 1e-9) ends[1] <- min(ends[1], qgamma(0.05, size * mean) / size)
  if (size * (1 - mean) > 0 && size * (1 - mean) <= near + 1e-9) ends[2] <- max(ends[2], 1 - qgamma(0.05, size * (1 - mean)) / size)
  ends
}
like_these <- function(x) {
  n <- length(x)
  if (n == 0) return(NULL)
  if (all(x %in% c(0, 1))) return(as.vector(binom.test(sum(x), n)$conf.int))
  off <- min(sum(x > 0), sum(x < 1))
  if (off < 0.1 * n || off < 20 && off < 0.25 * n) return(wilson(mean(x), n))
  m <- mean(x)
  spread <- mean((x - m)^2) / (m * (1 - m)) * n * (qt(0.975, n - 1) / qnorm(0.975))^2
  wilson(m, n / min(1, (spread + 4) / (n + 3)))
}
over_tasks <- function(path, x) {
  there <- cell_at(path)
  same(paste0(path, "/n"), length(x))
  same(paste0(path, "/value"), if (length(x) > 0) mean(x) else NA)
  if (grepl("tasks like these|at least 95 %$", there$method)) interval(paste0(path, "/interval"), like_these(x))
}

# The metrics of each run, task by task
counted <- samples[!samples$verdict %in% c("not_judged", "sandbox_error"), ]
failed <- samples[samples$verdict == "sandbox_error", ]
values <- lapply(names_of, function(run) {
  of <- counted[counted$run == run & !counted$task %in% failed$task[failed$run == run], ]
  of <- split(of, factor(of$task, levels = unique(of$task)))
  one <- function(name) vapply(of, function(s) {
    n <- nrow(s)
    if (startsWith(name, "pass@")) {
      k <- as.integer(sub("pass@", "", name, fixed = TRUE))
      return(if (n >= k) 1 - choose(n - sum(s$accepted), k) / choose(n, k) else NA_real_)
    }
    if (startsWith(name, "pass-ratio")) return(mean(s$ratio^2))
    if (name == "average pass rate") mean(s$ratio) else mean(s$ratio == 1)
  }, 0)
  setNames(lapply(metric_names, one), metric_names)
})
names(values) <- names_of
for (i in seq_along(report$runs)) {
  run <- report$runs[[i]]
  path <- sprintf("/runs/%d", i - 1)
  of <- samples[samples$run == run$name, ]
  same(paste0(path, "/samples"), nrow(of))
  same(paste0(path, "/tasks"), length(unique(of$task)))
  same(paste0(path, "/counted"), sum(counted$run == run$name & counted$task %in% names(values[[i]][[1]])))
  same(paste0(path, "/accepted"), sum(of$accepted & of$task %in% names(values[[i]][[1]])))
  per_task <- table(of$task)
  same(paste0(path, "/n_fewest"), min(per_task))
  same(paste0(path, "/n_most"), max(per_task))
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
    if (startsWith(here$method, "as for tasks like these")) interval(sprintf("%s/metrics_on_these_tasks/%d/interval", path, j - 1), like_these(values[[i]][[j]]))
  }
}
for (i in seq_along(report$tasks)) {
  id <- report$tasks[[i]]$id
  of <- samples[samples$task == id, ]
  same(sprintf("/tasks/%d/test_cases", i - 1), max(number(of$total)))
  for (j in seq_along(names_of)) for (m in seq_along(metric_names)) {
    if (length(report$tasks[[i]]$runs) < j || length(report$tasks[[i]]$runs[[j]]$metrics) < m) next
    same(sprintf("/tasks/%d/runs/%d/metrics/%d", i - 1, j - 1, m - 1), unname(values[[j]][[m]][id]))
  }
}
for (i in seq_along(report$groups$runs)) {
  for (j in seq_along(report$groups$runs[[i]]$metrics)) if (length(report$groups$difficulties) == 1) over_tasks(sprintf("/groups/runs/%d/metrics/%d", i - 1, j - 1), values[[i]][[j]])
}

# Comparisons, task by task. Where all differences are -1, 0 or 1 the test of flipped signs is the sign
# test, and the interval has the quantiles of the means of all subsets.
subsets <- function(d) {
  n <- table(factor(d, levels = c(-1, 0, 1)))
  ways <- expand.grid(low = 0:n[1], none = 0:n[2], high = 0:n[3])
  ways <- ways[rowSums(ways) > 0, ]
  p <- exp(lchoose(n[1], ways$low) + lchoose(n[2], ways$none) + lchoose(n[3], ways$high) - length(d) * log(2))
  means <- (ways$high - ways$low) / rowSums(ways)
  end <- function(order) means[order][which(cumsum(p[order]) + 2^-length(d) > 1 / 40)[1]]
  c(end(order(means)), end(order(-means)))
}
family <- list()
for (i in seq_along(report$comparisons)) {
  pair <- report$comparisons[[i]]
  for (j in seq_along(pair$measures)) {
    m <- pair$measures[[j]]
    path <- sprintf("/comparisons/%d/measures/%d", i - 1, j - 1)
    first <- values[[pair$first]][[m$name]]
    second <- values[[pair$second]][[m$name]]
    both <- intersect(names(first), names(second))
    d <- round(first[both] - second[both], 12)
    if (j == 1) same(sprintf("/comparisons/%d/tasks", i - 1), length(both))
    same(paste0(path, "/difference/value"), mean(d))
    same(paste0(path, "/difference/n"), length(d))
    same(paste0(path, "/first/value"), mean(first[both]))
    same(paste0(path, "/second/value"), mean(second[both]))
    same(paste0(path, "/better"), sum(d > 0))
    same(paste0(path, "/worse"), sum(d < 0))
    same(paste0(path, "/same"), sum(d == 0))
    if (all(d %in% -1:1) && any(d != 0) && identical(m$test, "sign-flip, exact")) {
      same(paste0(path, "/p"), min(1, 2 * pbinom(min(sum(d > 0), sum(d < 0)), sum(d != 0), 0.5)))
      if (!is.null(m$difference$interval)) interval(paste0(path, "/difference/interval"), subsets(d))
      if (startsWith(m$difference_on_these_tasks$method, "as for tasks like these")) interval(paste0(path, "/difference_on_these_tasks/interval"), subsets(d))
    }
    if (!is.null(m$p)) { # equal tests count once, whichever run is named first
      sign <- if (any(d != 0)) sign(d[d != 0][1]) else 1
      key <- paste(sign * d[order(both)], collapse = " ")
      family[[key]] <- list(p = m$p, paths = c(family[[key]]$paths, path))
    }
  }
}
if (length(family) > 0) {
  p <- vapply(family, function(f) f$p, 0)
  holm <- p.adjust(p, "holm")
  screened <- p.adjust(p, "BH")
  for (i in seq_along(report$families)) if (report$families[[i]]$name == "differences between runs") same(sprintf("/families/%d/tests", i - 1), length(family))
  for (i in seq_along(family)) for (path in family[[i]]$paths) {
    same(paste0(path, "/p_holm"), holm[[i]])
    same(paste0(path, "/p_bh"), screened[[i]])
  }
}

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
  for (j in seq_along(board$rows)) {
    row <- board$rows[[j]]
    path <- sprintf("/leaderboards/%d/rows/%d", i - 1, j - 1)
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

# Six dimensions (Su et al.): the mean of a task's samples, then of the tasks
weights <- number(tasks$weight)
for (i in seq_along(report$six$runs)) {
  run <- report$six$runs[[i]]
  path <- sprintf("/six/runs/%d", i - 1)
  of <- counted[counted$run == run$name & counted$task %in% names(values[[run$name]][[1]]), ]
  cases <- pmax(number(of$total), 1)
  same(paste0(path, "/case_pass_rate/count"), sum(number(of$passed)))
  same(paste0(path, "/case_pass_rate/n"), sum(cases))
  same(paste0(path, "/case_pass_rate/value"), sum(number(of$passed)) / sum(cases))
  over_tasks(paste0(path, "/mean_pass_rate"), values[[run$name]][["average pass rate"]])
  outcome <- ifelse(of$accepted, "correct", ifelse(of$verdict == "wrong_answer", "wrong_answer", "runtime_error"))
  for (j in seq_along(run$outcomes)) {
    is <- outcome == gsub(" ", "_", run$outcomes[[j]]$name)
    at <- sprintf("%s/outcomes/%d", path, j - 1)
    same(paste0(at, "/count"), sum(is))
    over_tasks(paste0(at, "/share"), as.vector(tapply(is, factor(of$task, levels = unique(of$task)), mean)))
  }
  measured <- of[of$cyclomatic != "", ]
  same(paste0(path, "/measured"), nrow(measured))
  same(paste0(path, "/cyclomatic"), sum(number(measured$cyclomatic)))
  same(paste0(path, "/cognitive"), sum(number(measured$cognitive)))
  counts(paste0(path, "/reliability"), measured$reliability)
  counts(paste0(path, "/security"), measured$security)
  same(paste0(path, "/unlabelled_explanations"), sum(measured$explanation == ""))
  same(paste0(path, "/inaccurate_explanations"), sum(measured$explanation == "no"))
  commented <- number(measured$comment_rate) >= 10
  readable <- function(label) ifelse(commented & label, 25, ifelse(commented | label, 10, 0))
  grade <- function(g) list(ifelse(g == "A", 10, 0), ifelse(g %in% c("A", ""), 10, 0))
  points <- list(
    validity = rep(list(ifelse(measured$loads == "1", 15, 0)), 2),
    correctness = rep(list(30 * measured$ratio), 2),
    complexity = rep(list(ifelse(number(measured$cyclomatic) <= 15 & number(measured$cognitive) <= 15, 10, 0)), 2),
    reliability = grade(measured$reliability),
    security = grade(measured$security),
    readability = list(readable(measured$explanation == "yes"), readable(measured$explanation != "no")))
  by_task <- function(x) tapply(x, factor(measured$task, levels = unique(measured$task)), mean)
  same(paste0(path, "/tasks"), length(unique(measured$task)))
  low <- high <- 0
  for (j in seq_along(run$dimensions)) {
    d <- run$dimensions[[j]]
    x <- lapply(points[[d$name]], by_task)
    low <- low + x[[1]]
    high <- high + x[[2]]
    at <- sprintf("%s/dimensions/%d", path, j - 1)
    same(paste0(at, "/of"), d$of)
    same(paste0(at, "/low"), mean(x[[1]]))
    same(paste0(at, "/high"), mean(x[[2]]))
    ends <- lapply(x, function(v) d$of * like_these(as.vector(v) / d$of))
    if (grepl("tasks like these", d$method)) interval(paste0(at, "/interval"), c(ends[[1]][1], ends[[2]][2]))
  }
  w <- weights[match(paste(run$name, names(low)), paste(tasks$run, tasks$task))]
  same(paste0(path, "/final/low"), sum(w * low) / sum(w))
  same(paste0(path, "/final/high"), sum(w * high) / sum(w))
  same(paste0(path, "/final/n"), length(low))
  if (length(unique(w)) == 1 && grepl("tasks like these", run$final$method)) interval(paste0(path, "/final/interval"), 100 * c(like_these(as.vector(low) / 100)[1], like_these(as.vector(high) / 100)[2]))
  rate <- by_task(number(measured$comment_rate))
  same(paste0(path, "/comment_rate/value"), mean(rate))
  if (grepl("tasks like these", run$comment_rate$method)) interval(paste0(path, "/comment_rate/interval"), 100 * like_these(as.vector(rate) / 100))
}

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
  listed <- tasks[!duplicated(tasks$task), ]
  same("/benchmark/tasks", nrow(listed))
  rate <- number(listed$human_pass_rate)
  for (i in seq_along(report$benchmark$weights)) {
    of <- listed$difficulty == report$benchmark$weights[[i]]$difficulty
    path <- sprintf("/benchmark/weights/%d", i - 1)
    same(paste0(path, "/below_40"), sum(of & rate < 0.4, na.rm = TRUE))
    same(paste0(path, "/from_40_to_70"), sum(of & rate >= 0.4 & rate <= 0.7, na.rm = TRUE))
    same(paste0(path, "/above_70"), sum(of & rate > 0.7, na.rm = TRUE))
    same(paste0(path, "/unknown"), sum(of & is.na(rate)))
  }
}
same("/confidence", 0.95)
same("/few", 5)

finish()
