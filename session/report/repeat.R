# Computes the numbers of this report again, from its dataset, with nothing of assay's.
#
#   Rscript repeat.R
#
# in the report's directory. It needs R 4.1 or later and the package jsonlite. It prints how many
# numbers of the page it computes, and why it does not compute the others; one that differs is an error.

# Tables have an apostrophe before text that a spreadsheet would take for a formula.
bare <- function(x) sub("^'(?=[=+@\uff1d\uff0b\uff0d\uff20-])", "", x, perl = TRUE)
report <- rapply(jsonlite::fromJSON("report.json", simplifyVector = FALSE), bare, "character", how = "replace")
page <- paste(readLines("report.html", encoding = "UTF-8", warn = FALSE), collapse = "\n")
shown <- unique(sub('(?s)".*', "", strsplit(page, '<data value="', fixed = TRUE)[[1]][-1], perl = TRUE))
shown <- shown[!startsWith(shown, "/checks/")] # what assay compared in its own checks
compared <- character()
faults <- character()

table_of <- function(name) {
  file <- sprintf("dataset/data/description-%s_data.csv", name)
  table <- read.csv(file, colClasses = "character", na.strings = character(), check.names = FALSE, encoding = "UTF-8")
  table[] <- lapply(table, bare)
  table
}

number <- function(text) suppressWarnings(as.numeric(text))

# The cell of report.json that a path leads to; NULL where it has none.
cell_at <- function(path) {
  at <- report
  for (step in strsplit(sub("^/", "", path), "/", fixed = TRUE)[[1]]) {
    if (grepl("^[0-9]+$", step)) {
      i <- as.integer(step) + 1
      if (i > length(at)) return(NULL)
      at <- at[[i]]
    } else {
      at <- at[[step]]
    }
    if (is.null(at)) return(NULL)
  }
  at
}

# Compares a number here with that of the report. NA stands for one that is not defined.
same <- function(path, here, tolerance = 1e-7) {
  there <- cell_at(path)
  compared <<- c(compared, path)
  if (is.null(there)) there <- NA
  agrees <- if (is.na(here) || is.na(there)) is.na(here) && is.na(there) else abs(there - here) <= tolerance * max(1, abs(here))
  if (!agrees) faults <<- c(faults, sprintf("%s: %s in the report, %s here", path, format(there, digits = 12), format(here, digits = 12)))
}

interval <- function(path, ends, tolerance = 1e-6) {
  if (length(ends) != 2 || anyNA(ends) || !(ends[1] < ends[2])) ends <- c(NA, NA)
  if (is.null(cell_at(path)) && anyNA(ends)) return(invisible())
  same(paste0(path, "/low"), ends[1], tolerance)
  same(paste0(path, "/high"), ends[2], tolerance)
}

# What an interval is over: the testers where there are several, else the values. Each unit has the
# mean and its part in the deviation from it, linearised as a ratio (Cochran).
units <- function(x, by, weight = rep(1, length(x))) {
  group <- if (length(unique(by)) < 2) seq_along(x) else by
  total <- tapply(weight * x, group, sum)
  size <- tapply(weight, group, sum)
  mean <- sum(total) / sum(size)
  z <- as.vector(mean + (total - mean * size) * length(size) / sum(size))
  u <- list(z = z, mean = mean, per = length(x) / length(size), n = length(z), v = if (length(z) > 1) var(z) else NA, equal = TRUE)
  q <- as.vector(size / sum(size))
  if (length(z) > 1 && length(unique(by)) > 1 && max(q) - min(q) >= 1e-9) { # cluster-robust, CR2, with Satterthwaite's degrees of freedom
    u$equal <- FALSE
    u$n <- min(length(z), 1 + max(1, 1 / (sum(q^2) + sum(q^2 / (1 - q))^2 - sum(q^4 / (1 - q)^2))))
    u$v <- u$n * sum(as.vector(total / sum(size) - mean * q)^2 / (1 - q))
  }
  u
}

# Wilson's interval near 0 and 1, modified as by Brown, Cai & DasGupta.
near_ends <- function(ends, mean, size) {
  most <- (if (size > 50) 3 else 2) + 1e-9
  if (size * mean > 0 && size * mean <= most) ends[1] <- min(ends[1], qgamma(0.05, size * mean) / size)
  if (size * (1 - mean) > 0 && size * (1 - mean) <= most) ends[2] <- max(ends[2], 1 - qgamma(0.05, size * (1 - mean)) / size)
  ends
}
# Score interval of a mean on a scale.
on_scale <- function(x, by, low, high, parts = 1, weight = rep(1, length(x))) {
  u <- units(x, by, weight)
  n <- u$n
  per <- u$per * parts
  if (n < 2) return(NULL)
  p <- min(max((u$mean - low) / (high - low), 0), 1)
  t <- qt(0.975, n - 1)
  ends <- (1 + (per - 1) * 0.1) / per
  w <- 2 * (2 * p - 1)^2
  v <- u$v / (high - low)^2
  v <- (v * (n - 1) + p * (1 - p) * ends * w) / (n - 1 + w)
  size <- if (v > 1e-12 * p * (1 - p)) n * p * (1 - p) / v else n / ends
  a <- t^2 / size
  centre <- (p + a / 2) / (1 + a)
  half <- sqrt(p * (1 - p) * a + a^2 / 4) / (1 + a)
  low + (high - low) * pmin(pmax(near_ends(c(centre - half, centre + half), p, size), 0), 1)
}

# Interval of a mean of values that are not negative: log-normal where the logarithms are not skewed,
# else by the skewness (Johnson, Hall).
skewed <- function(x, by) {
  u <- units(x, by)
  z <- u$z
  n <- u$n
  m <- mean(x)
  if (n <= 2 || length(unique(x)) == 1) return(NULL)
  t <- qt(0.975, n - 1)
  skewness <- function(x) {
    n <- length(x)
    d <- x - mean(x)
    if (sum(d^2) == 0) return(0)
    mean(d^3) / mean(d^2)^1.5 * sqrt(n * (n - 1)) / (n - 2)
  }
  positive <- min(z) > 0
  if (n < 10 && !positive && u$equal) return(NULL)
  k <- length(z)
  error <- sqrt(6 * k * (k - 1) / ((k - 2) * (k + 1) * (k + 3)))
  if (n < 10 || positive && abs(skewness(log(z))) <= qnorm(0.99) * error) {
    v <- if (u$equal) var(log(z)) else log1p(u$v / m^2)
    centre <- if (u$equal) mean(log(z)) + v / 2 else log(m)
    ends <- exp(centre + c(-1, 1) * t * sqrt(v / n + v^2 / (2 * (n - 1))))
  } else {
    g <- skewness(z) * (1 + 6 / k)
    back <- function(y) {
      if (g == 0) return(y)
      u <- 1 + g / sqrt(n) * (y - g / (6 * sqrt(n)))
      3 * sqrt(n) / g * (sign(u) * abs(u)^(1 / 3) - 1)
    }
    ends <- m - sqrt(u$v / n) * c(back(t), back(-t))
  }
  if (ends[2] <= 100 * m) c(max(ends[1], 0), ends[2]) else NULL
}

# An estimate: a mean with its interval, on a scale where low and high are given.
estimate <- function(path, x, by, low = NULL, high = NULL, parts = 1) {
  known <- !is.na(x)
  x <- x[known]
  by <- by[known]
  same(paste0(path, "/n"), length(x))
  same(paste0(path, "/value"), if (length(x) > 0) mean(x) else NA)
  ends <- NULL
  if (length(x) > 1) ends <- if (is.null(low) || low == high) skewed(x, by) else on_scale(x, by, low, high, parts)
  interval(paste0(path, "/interval"), ends)
}

# A share of TRUE: the exact interval (Clopper & Pearson) over the tasks of one tester, else over testers.
share <- function(path, x, by) {
  known <- !is.na(x)
  x <- x[known]
  by <- by[known]
  same(paste0(path, "/count"), sum(x))
  same(paste0(path, "/n"), length(x))
  same(paste0(path, "/value"), if (length(x) > 0) mean(x) else NA)
  ends <- NULL
  if (length(x) > 0) ends <- if (length(unique(by)) < 2) as.vector(binom.test(sum(x), length(x))$conf.int) else on_scale(as.numeric(x), by, 0, 1)
  interval(paste0(path, "/interval"), ends)
}

# Counts by name: a list of names and counts in the report.
counts <- function(path, values) {
  there <- cell_at(path)
  for (i in seq_along(there)) same(sprintf("%s/%d/count", path, i - 1), sum(values == there[[i]]$name))
}

sd_of <- function(x) if (length(x) > 1) sd(x) else NA

# The interval of a mean over tasks, for tasks like these: exact where all values are 0 or 1 (Clopper &
# Pearson), else Wilson's, modified near 0 and 1 (Brown, Cai & DasGupta), for the effective number.
wilson <- function(mean, size) {
  z <- qnorm(0.975)
  centre <- (mean + z^2 / 2 / size) / (1 + z^2 / size)
  half <- z / (1 + z^2 / size) * sqrt(mean * (1 - mean) / size + (z / 2 / size)^2)
  near_ends(c(max(0, centre - half), min(1, centre + half)), mean, size)
}
effective_wilson <- function(x, w = rep(1, length(x))) {
  n <- length(x)
  if (n == 0) return(NULL)
  m <- sum(w * x) / sum(w)
  size <- sum(w)^2 / sum(w^2)
  off <- min(sum(x > 0), sum(x < 1))
  if (!all(x %in% c(0, 1))) {
    if (n < 2) return(NULL)
    if (off >= 0.1 * n && (off >= 20 || off >= 0.25 * n)) {
      spread <- sum(w^2 * (x - m)^2) / sum(w^2) / (m * (1 - m)) * n * (qt(0.975, n - 1) / qnorm(0.975))^2
      size <- size / min(1, (spread + 4) / (n + 3))
    }
  }
  ends <- wilson(m, size)
  c(min(m, ends[1]), max(m, ends[2]))
}
like_these <- function(x) if (length(x) > 0 && all(x %in% c(0, 1))) as.vector(binom.test(sum(x), length(x))$conf.int) else effective_wilson(x)
over_tasks <- function(path, x) {
  there <- cell_at(path)
  same(paste0(path, "/n"), length(x))
  same(paste0(path, "/value"), if (length(x) > 0) mean(x) else NA)
  if (!is.null(there$interval)) interval(paste0(path, "/interval"), like_these(x))
}

# Six dimensions (Su et al.) of runs: the mean of a task's samples, then of the tasks. Rows are the counted samples of the
# scored tasks, by run; weight gives a run's weights by task, and of_category the tasks of a category.
six_by_run <- function(base, six, rows_of, weight, of_category) {
  for (i in seq_along(six$runs)) {
    run <- six$runs[[i]]
    path <- sprintf("%s/runs/%d", base, i - 1)
    of <- rows_of[[i]]
    by_task <- function(x, rows = of) tapply(x, factor(rows$task, levels = unique(rows$task)), mean)
    cases <- pmax(number(of$total), 1)
    same(paste0(path, "/case_pass_rate/count"), sum(number(of$passed)))
    same(paste0(path, "/case_pass_rate/n"), sum(cases))
    same(paste0(path, "/case_pass_rate/value"), sum(number(of$passed)) / sum(cases))
    over_tasks(paste0(path, "/mean_pass_rate"), as.vector(by_task(of$ratio)))
    outcome <- ifelse(of$accepted, "correct", ifelse(of$verdict == "wrong_answer", "wrong_answer", "runtime_error"))
    for (j in seq_along(run$outcomes)) {
      is <- outcome == gsub(" ", "_", run$outcomes[[j]]$name)
      at <- sprintf("%s/outcomes/%d", path, j - 1)
      same(paste0(at, "/count"), sum(is))
      over_tasks(paste0(at, "/share"), as.vector(by_task(is)))
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
    code <- number(measured$code_lines) > 0
    program <- code & (measured$parses == "1" | measured$loads == "1")
    only <- function(where, points) lapply(points, function(x) ifelse(where, x, 0))
    grade <- function(g) only(program, list(ifelse(g == "A", 10, 0), ifelse(g %in% c("A", ""), 10, 0)))
    points <- list(
      validity = only(code, rep(list(ifelse(measured$loads == "1", 15, 0)), 2)),
      correctness = only(code, rep(list(30 * measured$ratio), 2)),
      complexity = only(program, rep(list(ifelse(number(measured$cyclomatic) <= 15 & number(measured$cognitive) <= 15, 10, 0)), 2)),
      reliability = grade(measured$reliability),
      security = grade(measured$security),
      readability = only(code, list(readable(measured$explanation == "yes"), readable(measured$explanation != "no"))))
    same(paste0(path, "/tasks"), length(unique(measured$task)))
    low <- high <- 0
    for (j in seq_along(run$dimensions)) {
      d <- run$dimensions[[j]]
      x <- lapply(points[[d$name]], by_task, measured)
      low <- low + x[[1]]
      high <- high + x[[2]]
      at <- sprintf("%s/dimensions/%d", path, j - 1)
      same(paste0(at, "/of"), d$of)
      same(paste0(at, "/low"), mean(x[[1]]))
      same(paste0(at, "/high"), mean(x[[2]]))
      ends <- lapply(x, function(v) d$of * like_these(as.vector(v) / d$of))
      if (grepl("tasks like these", d$method)) interval(paste0(at, "/interval"), c(ends[[1]][1], ends[[2]][2]))
    }
    w <- weight(run$name)[names(low)]
    same(paste0(path, "/final/low"), sum(w * low) / sum(w))
    same(paste0(path, "/final/high"), sum(w * high) / sum(w))
    same(paste0(path, "/final/n"), length(low))
    interval(paste0(path, "/final/interval"), 100 * c(effective_wilson(as.vector(low) / 100, w)[1], effective_wilson(as.vector(high) / 100, w)[2]))
    wrong <- of[!of$accepted, ]
    same(paste0(path, "/code_problems"), sum(wrong$cause == "code problem"))
    same(paste0(path, "/understanding_problems"), sum(wrong$cause == "understanding problem"))
    same(paste0(path, "/without_cause"), sum(wrong$cause == ""))
    same(paste0(path, "/unmeasured"), sum(of$cyclomatic == ""))
    rate <- by_task(number(measured$comment_rate), measured)
    same(paste0(path, "/comment_rate/value"), mean(rate))
    if (grepl("tasks like these", run$comment_rate$method)) interval(paste0(path, "/comment_rate/interval"), 100 * like_these(as.vector(rate) / 100))
  }
  for (i in seq_along(six$categories)) for (j in seq_along(six$runs)) {
    path <- sprintf("%s/categories/%d/runs/%d", base, i - 1, j - 1)
    mine <- rows_of[[j]][rows_of[[j]]$task %in% of_category(six$categories[[i]]$name), ]
    same(paste0(path, "/tasks"), length(unique(mine$task)))
    over_tasks(paste0(path, "/metrics/0"), as.vector(tapply(!mine$accepted, factor(mine$task, levels = unique(mine$task)), mean)))
  }
}

# Question weights (Su et al., table 1): tasks by difficulty and the share of people who solve them.
question_weights <- function(base, weights, tasks) {
  rate <- number(tasks$human_pass_rate)
  for (i in seq_along(weights)) {
    of <- tasks$difficulty == weights[[i]]$difficulty
    path <- sprintf("%s/%d", base, i - 1)
    same(paste0(path, "/below_40"), sum(of & rate < 0.4, na.rm = TRUE))
    same(paste0(path, "/from_40_to_70"), sum(of & rate >= 0.4 & rate <= 0.7, na.rm = TRUE))
    same(paste0(path, "/above_70"), sum(of & rate > 0.7, na.rm = TRUE))
    same(paste0(path, "/unknown"), sum(of & is.na(rate)))
  }
}

# What answers took, as the sum of rows, and their cost at the prices that stand there
took <- function(path, of, rows) {
  rows <- rows[rows$answers != "", ]
  columns <- c(answers = "answers", uncounted = "answers_uncounted", input_tokens = "input_tokens", cached_tokens = "cached_tokens", output_tokens = "output_tokens", reasoning_tokens = "reasoning_tokens")
  for (name in names(columns)) same(paste0(path, "/", name), sum(number(rows[[columns[name]]]), na.rm = TRUE))
  if (is.null(of$cost)) return(invisible())
  rows <- rows[rows$input_tokens != "", ]
  read <- number(rows$input_tokens)
  cached <- number(rows$cached_tokens)
  own <- ifelse(rows$currency == "USD", number(rows$agent_cost_usd), 0)
  tokens <- ((read - cached) * number(rows$price_in) + cached * number(rows$price_cached) + number(rows$output_tokens) * number(rows$price_out)) / 1e6
  same(paste0(path, "/cost/amount"), sum(ifelse(own > 0, own, tokens)))
  for (name in c("price_in", "price_cached", "price_out")) same(paste0(path, "/cost/", name), unique(number(rows[[name]])))
}

# Ends the script: with an error where numbers differ, or where numbers of the page were not computed. What
# is not computed by intent has a reason, by a pattern of its path.
finish <- function(reasons = character()) {
  left <- setdiff(shown, compared)
  cat(sprintf("%d numbers computed; of %d on the page %d are among them\n", length(compared), length(shown), length(shown) - length(left)))
  for (pattern in names(reasons)) {
    meant <- grepl(pattern, left)
    if (any(meant)) cat(sprintf("%5d are not: %s\n", sum(meant), reasons[[pattern]]))
    left <- left[!meant]
  }
  if (length(left) > 0) {
    kinds <- table(gsub("/[0-9]+", "/*", left))
    faults <<- c(faults, sprintf("%d on the page not computed, such as %s", as.vector(kinds), names(kinds)))
  }
  if (length(faults) > 0) {
    cat(head(faults, 50), sep = "\n")
    stop(sprintf("%d faults", length(faults)), call. = FALSE)
  }
}
