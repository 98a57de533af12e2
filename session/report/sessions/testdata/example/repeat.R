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

sessions <- table_of("sessions")
tasks <- table_of("tasks")
attempts <- table_of("attempts")
ratings <- table_of("ratings")
labels <- table_of("labels")

# A tester is a place of a study with a pseudonym, or a pseudonym; a program is one.
sessions$by <- ifelse(sessions$tester_kind == "automatic", "automatic",
  ifelse(sessions$study == "", sessions$tester, paste(sessions$study_tester, sessions$study, sessions$study_hash, sessions$tester)))
of_session <- match(tasks$session, sessions$session)
tasks$by <- sessions$by[of_session]
tasks$same <- paste(sessions$benchmark[of_session], tasks$task, tasks$content, sep = "\r")
key <- function(table) paste(table$session, table$task, sep = "\r")

# The results that the numbers are of, with what is computed from them. Nothing is pooled where people
# and programs worked: then only arms are.
attributes <- report$ratings$attributes
ids <- vapply(attributes, function(a) a$id, "")
most <- vapply(attributes, function(a) as.numeric(a$max), 0)
use <- function(rows) {
  results <<- tasks[rows, ]
  at <- match(results$session, sessions$session)
  results$tester <<- sessions$tester[at]
  results$arm <<- sessions$arm[at]
  results$happy <<- results$satisfied == "1"
  results$made <<- number(results$attempts)
  results$counted <<- number(results$attempt_k)
  results$seconds <<- number(results$completion_ms) / 1000
  scores <<- matrix(NA_real_, nrow(results), length(ids))
  for (j in seq_along(ids)) {
    of <- ratings[ratings$attribute == ids[j], ]
    scores[, j] <<- number(of$score[match(key(results), key(of))])
  }
  results$sum <<- if (length(ids) > 0) rowSums(scores) else rep(NA_real_, nrow(results))
  judged <<- !results$verdict %in% c("", "not_judged", "sandbox_error")
  passed <<- number(results$tests_passed)
  cases <<- number(results$tests_total)
  results$rate <<- ifelse(judged, ifelse(cases > 0, passed / cases, 0), NA)
  results$good <<- ifelse(judged, results$verdict == "accepted", NA)
  who <<- results$by
}
use(tasks$analysed == "1" & isTRUE(report$pooled))
k <- report$attempts$k

# Krippendorff's alpha of units, given how often each has each value. Weights say how often each unit
# counts, a row for each resample.
unit_counts <- function(units) {
  values <- sort(unique(unlist(units)))
  list(values = values, counts = t(vapply(units, function(x) tabulate(match(x, values), length(values)), numeric(length(values)))))
}
krippendorff <- function(u, level, weights = matrix(1, 1, nrow(u$counts))) {
  v <- length(u$values)
  counts <- matrix(u$counts, ncol = v) # of one value, too
  together <- matrix(vapply(seq_len(v), function(c) counts[, c] * counts / (rowSums(counts) - 1), counts), ncol = v * v)
  pairs <- weights %*% together
  totals <- weights %*% counts
  vapply(seq_len(nrow(weights)), function(i) {
    n <- totals[i, ]
    if (sum(n > 0) < 2) return(NA_real_)
    place <- if (level == "ordinal") cumsum(n) - n / 2 else u$values
    distance <- outer(place, place, "-")^2
    1 - sum(pairs[i, ] * distance) / sum(n) / (sum(outer(n, n) * distance) / (sum(n) * (sum(n) - 1)))
  }, 0)
}

# Counts
same("/session_count", nrow(sessions))
same("/distinct_tasks", length(unique(tasks$same[tasks$analysed == "1"])))
for (name in c("planned", "satisfied", "gave_up", "exhausted", "skipped", "unfinished", "not_opened", "practice", "withdrawn", "analysed")) {
  same(paste0("/tasks/", name), sum(number(sessions[[paste0("tasks_", name)]])))
}
for (i in seq_along(report$sessions)) {
  row <- sessions[sessions$session == report$sessions[[i]]$id, ]
  path <- sprintf("/sessions/%d", i - 1)
  for (name in c("events", "k", "level", "seed")) same(paste0(path, "/", name), number(row[[name]]))
  same(paste0(path, "/tasks_other"), sum(number(unlist(row[c("tasks_unfinished", "tasks_not_opened", "tasks_practice", "tasks_withdrawn")]))))
  for (name in c("planned", "analysed", "satisfied", "skipped")) same(paste0(path, "/tasks/", name), number(row[[paste0("tasks_", name)]]))
}
# People: whose data were all withdrawn has no row among them.
people <- table_of("participants")
answers <- function(i) people[[grep("^survey_", names(people))[i]]]
stayed <- unique(sessions$participant[sessions$status != "withdrawn" & sessions$participant != ""])
same("/participants/began", length(unique(sessions$participant[sessions$participant != ""])))
same("/participants/withdrew", length(setdiff(sessions$participant[sessions$participant != ""], stayed)))
status_of <- function(person) {
  of <- sessions$status[sessions$participant == person$participant]
  if (person$consent == "not given") "not consented" else if ("abandoned" %in% of) "abandoned" else if ("open" %in% of) "open" else "finished"
}
status <- vapply(seq_len(nrow(people)), function(i) status_of(people[i, ]), "")
same("/participants/left", sum(status == "abandoned"))
same("/participants/working", sum(status == "open"))
same("/participants/finished", sum(status == "finished"))
same("/participants/asked_to_consent", sum(people$consent != ""))
same("/participants/consented", sum(people$consent == "given"))
same("/participants/analysed", length(unique(sessions$participant[sessions$participant != "" & number(sessions$tasks_analysed) > 0])))
if (length(unique(people$study)) == 1) for (i in seq_along(report$survey)) { # all were asked the same
  path <- sprintf("/survey/%d", i - 1)
  answer <- answers(i)
  same(paste0(path, "/people"), nrow(people))
  same(paste0(path, "/answered"), sum(answer != ""))
  same(paste0(path, "/unanswered"), sum(answer == ""))
  same(paste0(path, "/answered_share"), mean(answer != ""))
  same(paste0(path, "/unanswered_share"), mean(answer == ""))
  choices <- report$survey[[i]]$choices
  for (j in seq_along(choices)) {
    same(sprintf("%s/choices/%d/count", path, j - 1), sum(answer == choices[[j]]$name))
    same(sprintf("%s/choices/%d/share", path, j - 1), mean(answer == choices[[j]]$name))
  }
}

same("/log/reflections", sum(number(sessions$reflections)))
if (!any(sessions$status == "withdrawn")) { # whose answers are in no table
  same("/log/truncated_answers", sum(attempts$finish_reason %in% c("length", "content_filter", "refusal", "repetition", "limit")))
  if (!is.null(report$log$cut_prompts)) same("/log/cut_prompts", sum(attempts[["prompt_cut"]] == "1"))
}

# Attempts
estimate("/attempts/attempt_k_mean", results$counted, who, 1, k)
estimate("/attempts/mean_of_satisfied", results$made[results$happy], who[results$happy], 1, k)
same("/attempts/attempt_k_sd", sd_of(results$counted))
same("/attempts/made", sum(results$made))
same("/attempts/satisfied_per_attempt", sum(results$happy) / sum(results$made))
share("/attempts/satisfied", results$happy, who)
within <- function(n) results$happy & results$made <= n
half <- which(vapply(seq_len(k), function(n) 2 * sum(within(n)) >= nrow(results), NA))
same("/attempts/median_attempt", if (length(half) > 0 && nrow(results) > 0) half[1] else NA)
for (i in seq_along(report$attempts$steps)) {
  path <- sprintf("/attempts/steps/%d", i - 1)
  same(paste0(path, "/attempt"), i)
  same(paste0(path, "/satisfied"), sum(results$happy & results$made == i))
  same(paste0(path, "/gave_up"), sum(!results$happy & results$made == i))
  same(paste0(path, "/at_risk"), sum(!within(i - 1)))
  same(paste0(path, "/survival"), if (nrow(results) > 0) 1 - mean(within(i)) else 1)
  share(paste0(path, "/within"), within(i), who)
  if (length(unique(who)) == 1) { # Greenwood, and its interval of log(-log S)
    events <- intersect(seq_len(i), results$made[results$happy])
    greenwood <- sum(vapply(events, function(j) {
      at_risk <- sum(!within(j - 1))
      d <- sum(within(j)) - sum(within(j - 1))
      d / (at_risk * (at_risk - d))
    }, 0))
    survival <- 1 - mean(within(i))
    between <- survival > 0 && survival < 1
    same(paste0(path, "/se"), if (between) survival * sqrt(greenwood) else NA)
    interval(paste0(path, "/log_log"), if (between) survival^exp(c(1, -1) * qnorm(0.975) * sqrt(greenwood) / -log(survival)))
  }
}
# The area under Kaplan & Meier's curve up to k, where a task given up is censored then; its interval is
# over the jackknife's pseudo-values.
restricted <- function(of) {
  survival <- cumprod(c(1, vapply(seq_len(k - 1), function(n) {
    at_risk <- sum(results$made[of] >= n)
    if (at_risk > 0) 1 - sum(results$made[of] == n & results$happy[of]) / at_risk else 1
  }, 0)))
  sum(survival[seq_len(k)])
}
n <- nrow(results)
area <- restricted(seq_len(n))
same("/attempts/censored_mean/value", if (n > 0) area else NA)
same("/attempts/censored_mean/n", n)
if (n > 1 && k > 1) {
  pseudo <- vapply(seq_len(n), function(i) n * area - (n - 1) * restricted(-i), 0)
  interval("/attempts/censored_mean/interval", on_scale(pseudo, who, 1, k))
}

# Times
durations <- function(path, x) {
  estimate(paste0(path, "/mean"), x, who)
  same(paste0(path, "/sd"), sd_of(x))
  same(paste0(path, "/median"), median(x))
  same(paste0(path, "/min"), min(x))
  same(paste0(path, "/max"), max(x))
  there <- cell_at(path)
  out <- qbinom(0.025, length(x), 0.5) # of the sorted values, so many are outside on either side
  if (!is.null(there$median_interval)) {
    same(paste0(path, "/median_interval/low"), sort(x)[out])
    same(paste0(path, "/median_interval/high"), sort(x)[length(x) + 1 - out])
  }
  for (i in seq_along(there$quantiles)) {
    q <- there$quantiles[[i]]
    same(sprintf("%s/quantiles/%d/value", path, i - 1), unname(quantile(x, q$p, type = q$type)))
  }
  for (i in seq_along(there$ecdf)) {
    at <- sprintf("%s/ecdf/%d", path, i - 1)
    same(paste0(at, "/seconds"), there$ecdf[[i]]$seconds)
    share(paste0(at, "/within"), x <= there$ecdf[[i]]$seconds, who)
  }
}
if (n > 0) {
  durations("/times/completion", results$seconds)
  same("/times/rank_correlation_with_attempts", if (n > 1) suppressWarnings(cor(results$counted, results$seconds, method = "spearman")) else NA)
  if (!is.null(report$times$without_wait_model)) {
    durations("/times/without_wait_model", number(results$without_model_ms) / 1000)
    durations("/times/rating", number(results$rate_ms) / 1000)
  }
}
if (!is.null(report$times$rank_correlation_with_attempts_p)) {
  rho <- cor(results$counted, results$seconds, method = "spearman")
  same("/times/rank_correlation_with_attempts_p", 2 * pt(-abs(rho) * sqrt((n - 2) / (1 - rho^2)), n - 2))
}
for (i in seq_along(report$times$phases)) {
  spent <- number(results[[paste0(report$times$phases[[i]]$phase, "_ms")]]) / 1000
  same(sprintf("/times/phases/%d/seconds", i - 1), sum(spent))
  estimate(sprintf("/times/phases/%d/mean", i - 1), spent, who)
}
for (name in c("paused", "unobserved", "blurred", "idle")) same(paste0("/times/", name), sum(number(results[[paste0(name, "_ms")]]), na.rm = TRUE) / 1000)

# Ratings
rated <- function(path, x, low, high, parts = 1) {
  estimate(paste0(path, "/mean"), x, who, low, high, parts)
  x <- x[!is.na(x)]
  same(paste0(path, "/sd"), sd_of(x))
  same(paste0(path, "/share_of_max"), if (length(x) > 0) mean(x) / high else NA)
}
for (j in seq_along(ids)) {
  path <- sprintf("/ratings/attributes/%d", j - 1)
  rated(path, scores[, j], 1, most[j])
  for (score in seq_len(most[j])) same(sprintf("%s/counts/%d", path, score - 1), sum(scores[, j] == score, na.rm = TRUE))
}
if (length(ids) > 0) {
  rated("/ratings/total", results$sum, length(ids), sum(most), length(ids))
  same("/ratings/total/max", sum(most))
  whole <- scores[!is.na(results$sum), , drop = FALSE]
  same("/ratings/cronbach_alpha/n", nrow(whole))
  alpha_of <- function(x) ncol(x) / (ncol(x) - 1) * (1 - sum(apply(x, 2, sd_of)^2) / sd_of(rowSums(x))^2)
  alpha <- alpha_of(whole)
  same("/ratings/cronbach_alpha/value", if (is.finite(alpha)) alpha else NA)
  if (!is.null(report$ratings$cronbach_alpha$interval)) { # the jackknife of log(1 - alpha), over testers or tasks
    unit <- who[!is.na(results$sum)]
    if (length(unique(unit)) < 2) unit <- seq_len(nrow(whole))
    parts <- unique(unit)
    pseudo <- vapply(parts, function(p) length(parts) * log(1 - alpha) - (length(parts) - 1) * log(1 - alpha_of(whole[unit != p, , drop = FALSE])), 0)
    half_width <- qt(0.975, length(parts) - 1) * sd(pseudo) / sqrt(length(parts))
    interval("/ratings/cronbach_alpha/interval", 1 - (1 - alpha) * exp(c(1, -1) * half_width))
  }
}
if (!is.null(report$attention_checks)) {
  of <- tasks[tasks$analysed == "1" & tasks$attention_chosen != "", ]
  share("/attention_checks", of$attention_chosen == of$attention_expected, of$by)
}
for (i in seq_along(report$ratings$labels)) {
  l <- report$ratings$labels[[i]]
  of <- labels[labels$label == l$label & labels$analysed == "1", ]
  share(sprintf("/ratings/labels/%d/share", i - 1), of$value == l$value, who[match(key(of), key(results))])
}

# Tests of the answers
attempts <- attempts[attempts$analysed == "1" & key(attempts) %in% key(results), ]
attempts$number <- number(attempts$attempt)
attempts$by <- who[match(key(attempts), key(results))]
first <- attempts[attempts$number == 1 & !attempts$verdict %in% c("", "not_judged", "sandbox_error"), ]
last <- attempts[attempts$decision != "", ]
last <- last[order(last$number, decreasing = TRUE), ]
last <- last[match(key(results), key(last)), ]
estimate("/tests/mean_pass_rate", results$rate, who, 0, 1)
estimate("/tests/pass_ratio", results$rate^2, who, 0, 1)
share("/tests/accepted", results$good, who)
share("/tests/first_accepted", first$verdict == "accepted", first$by)
share("/tests/judged_unseen", ifelse(last$verdict_seen == "", NA, last$verdict_seen == "0"), who)
share("/tests/failed_of_satisfied", ifelse(results$happy, !results$good, NA), who)
same("/tests/not_judged", sum(!judged))
same("/tests/satisfied_accepted", sum(results$happy & results$good, na.rm = TRUE))
same("/tests/satisfied_failed", sum(results$happy & !results$good, na.rm = TRUE))
same("/tests/not_satisfied_accepted", sum(!results$happy & results$good, na.rm = TRUE))
same("/tests/not_satisfied_failed", sum(!results$happy & !results$good, na.rm = TRUE))
counts("/tests/verdicts", results$verdict)
counts("/tests/verdicts_of_all_attempts", attempts$verdict)

# Whether answers to repository tasks would be merged, and what was edited in them by hand
if (!is.null(report$merge)) {
  asked <- results$merge != ""
  for (part in c("accepted", "failed")) {
    of <- asked & judged & (results$verdict == "accepted") == (part == "accepted")
    for (answer in c("yes", "with_changes", "no")) same(sprintf("/merge/%s/%s", part, answer), sum(of & results$merge == answer))
  }
  same("/merge/answered", sum(asked))
  same("/merge/not_judged", sum(asked & !judged))
  share("/merge/not_mergeable_of_accepted", ifelse(asked & judged & results$good, results$merge == "no", NA), who)
  share("/merge/not_as_it_is_of_accepted", ifelse(asked & judged & results$good, results$merge != "yes", NA), who)
  share("/merge/mergeable_of_failed", ifelse(asked & judged & !results$good, results$merge != "no", NA), who)
  given <- sort(table(unlist(strsplit(results$merge_reasons[asked], " "))))
  same("/merge/reasons_in_the_own_words_of", sum(asked & results$merge_words != ""))
  listed <- vapply(report$merge$reasons, function(x) as.numeric(x$count), 0) # under words that no table has
  for (i in seq_along(listed)) same(sprintf("/merge/reasons/%d/count", i - 1), if (setequal(sort(listed), as.numeric(given))) listed[i] else NA)
}
if (!is.null(report$mended_by_hand)) {
  edited <- results$mended_ms != ""
  same("/mended_by_hand/answers", sum(edited))
  estimate("/mended_by_hand/lines", ifelse(edited, number(results$mended_added) + number(results$mended_deleted), NA), who)
  estimate("/mended_by_hand/seconds", ifelse(edited, number(results$mended_ms) / 1000, NA), who)
  both <- edited & judged & !results$mended_verdict %in% c("", "not_judged", "sandbox_error")
  same("/mended_by_hand/judged", sum(both))
  same("/mended_by_hand/accepted_before", sum(both & results$verdict == "accepted"))
  same("/mended_by_hand/accepted_after", sum(both & results$mended_verdict == "accepted"))
}

# Answers that several testers got and rated: Krippendorff's alpha for ordinal data, a tester's later rating
same_answer <- ifelse(is.na(last$answer) | last$answer == "", NA, paste(results$same, last$answer, sep = "\r"))
latest <- !is.na(same_answer) & !duplicated(paste(same_answer, who), fromLast = TRUE)
for (i in seq_along(report$agreement)) {
  path <- sprintf("/agreement/%d", i - 1)
  j <- match(report$agreement[[i]]$attribute, vapply(attributes, function(a) a$name, ""))
  of <- latest & !is.na(scores[, j])
  several <- Filter(function(x) length(x) > 1, split(scores[of, j], same_answer[of]))
  same(paste0(path, "/answers"), length(several))
  same(paste0(path, "/ratings"), sum(lengths(several)))
  same(paste0(path, "/krippendorff_alpha"), krippendorff(unit_counts(several), "ordinal")[1])
}

# Code of the final answers
measured <- !is.na(last$parses) & last$parses != ""
parses <- ifelse(measured, last$parses == "1", NA)
share("/code/parses", parses, who)
same("/code/measured", sum(measured))
columns <- c("cyclomatic complexity" = "cyclomatic", "cognitive complexity" = "cognitive", "code lines" = "code_lines", "comment rate" = "comment_rate", "findings" = "findings")
for (i in seq_along(report$code$measures)) {
  path <- sprintf("/code/measures/%d", i - 1)
  x <- ifelse(parses %in% TRUE, number(last[[columns[[report$code$measures[[i]]$name]]]]), NA)
  estimate(paste0(path, "/mean"), x, who)
  same(paste0(path, "/sd"), sd_of(x[!is.na(x)]))
  same(paste0(path, "/median"), median(x, na.rm = TRUE))
  same(paste0(path, "/max"), max(x, na.rm = TRUE))
}
counts("/code/reliability", last$reliability[measured])
counts("/code/security", last$security[measured])
if ("unrated" %in% names(last) && any(nzchar(last[["unrated"]][measured]))) same("/code/unrated", sum(nzchar(last[["unrated"]][measured])))
counts("/code/error_causes", labels$value[labels$label == "error_cause" & labels$analysed == "1"])

# Prompts
for (i in seq_along(report$prompts$steps)) {
  path <- sprintf("/prompts/steps/%d", i - 1)
  of <- attempts[attempts$number == i & attempts$prompt_bytes != "", ]
  bytes <- number(of$prompt_bytes)
  same(paste0(path, "/attempt"), i)
  same(paste0(path, "/n"), nrow(of))
  estimate(paste0(path, "/bytes"), bytes, of$by)
  estimate(paste0(path, "/inserted_share"), ifelse(bytes > 0, number(of$inserted_bytes) / bytes, NA), of$by)
  words <- number(of$prompt_words)
  edits <- number(of$word_edits)
  before <- attempts[attempts$number == i - 1, ]
  longer <- pmax(words, number(before$prompt_words)[match(key(of), key(before))])
  estimate(paste0(path, "/words"), words, of$by)
  estimate(paste0(path, "/word_edits"), edits, of$by)
  estimate(paste0(path, "/changed_share"), ifelse(longer > 0, edits / longer, NA), of$by)
  estimate(paste0(path, "/compose_seconds"), number(of$compose_ms) / 1000, of$by)
}

# Six dimensions
explained <- labels[labels$label == "explanation_accurate", ]
explained <- explained$value[match(key(results), key(explained))]
code <- number(last$code_lines) > 0
program <- code & (last$parses %in% "1" | last$loads %in% "1")
in_six <- judged & measured & (cases > 0 | !code)
six <- function(part) {
  commented <- number(last$comment_rate) >= 10
  readable <- function(label) ifelse(commented & label, 25, ifelse(commented | label, 10, 0))
  only <- function(where, points) lapply(points, function(x) ifelse(where, x, 0))
  rating <- function(grade) only(program, list(ifelse(grade == "A", 10, 0), ifelse(grade %in% c("A", ""), 10, 0)))
  simple <- number(last$cyclomatic) <= 15 & number(last$cognitive) <= 15
  switch(part,
    validity = only(code, rep(list(ifelse(last$loads %in% "1", 15, 0)), 2)),
    correctness = only(code, rep(list(30 * results$rate), 2)),
    complexity = only(program, rep(list(ifelse(simple, 10, 0)), 2)),
    reliability = rating(last$reliability),
    security = rating(last$security),
    readability = only(code, list(readable(explained %in% "yes"), readable(!explained %in% "no"))))
}
weight_of <- function(rows) {
  rate <- number(rows$human_pass_rate)
  w <- c(easy = 0.9, medium = 1, hard = 1.1)[rows$difficulty] + ifelse(is.na(rate), 0, (100 * rate < 40) * 0.1 - (100 * rate > 70) * 0.1)
  unname(ifelse(is.na(w), 1, w))
}
weight <- weight_of(results)
if (!is.null(report$six_dimensions)) {
  d <- report$six_dimensions
  same("/six_dimensions/n", sum(in_six))
  same("/six_dimensions/left_out", sum(!in_six))
  scored <- function(path, of, x, weight) {
    x <- lapply(x, function(v) v[in_six])
    w <- weight[in_six]
    same(paste0(path, "/low"), sum(w * x[[1]]) / sum(w))
    same(paste0(path, "/high"), sum(w * x[[2]]) / sum(w))
    ends <- lapply(x, function(v) if (sum(in_six) < 2) NULL else on_scale(v, who[in_six], 0, of, 1, w))
    if (!is.null(ends[[1]]) && !is.null(ends[[2]])) interval(paste0(path, "/interval"), c(ends[[1]][1], ends[[2]][2]))
  }
  low <- high <- 0
  for (i in seq_along(d$dimensions)) {
    x <- six(d$dimensions[[i]]$name)
    low <- low + x[[1]]
    high <- high + x[[2]]
    same(sprintf("/six_dimensions/dimensions/%d/of", i - 1), c(validity = 15, correctness = 30, complexity = 10, reliability = 10, security = 10, readability = 25)[[d$dimensions[[i]]$name]])
    scored(sprintf("/six_dimensions/dimensions/%d", i - 1), d$dimensions[[i]]$of, x, rep(1, n))
  }
  scored("/six_dimensions/final", 100, list(low, high), weight)
  outcome <- ifelse(results$verdict == "accepted", "correct", ifelse(results$verdict == "wrong_answer", "wrong answer", "runtime error"))
  for (i in seq_along(d$outcomes)) share(sprintf("/six_dimensions/outcomes/%d", i - 1), ifelse(in_six, outcome == gsub("_", " ", d$outcomes[[i]]$name), NA), who)
  for (i in seq_along(d$categories)) {
    of <- results$category == d$categories[[i]]$name & in_six
    same(sprintf("/six_dimensions/categories/%d/tasks", i - 1), length(unique(results$same[of])))
    share(sprintf("/six_dimensions/categories/%d", i - 1), ifelse(of, outcome != "correct", NA), who)
  }
  same("/six_dimensions/case_pass_rate", sum(passed[in_six]) / sum(pmax(cases, 1)[in_six]))
  same("/six_dimensions/comment_rate", mean(number(last$comment_rate)[in_six]))
  same("/six_dimensions/cyclomatic", sum(number(last$cyclomatic)[in_six]))
  same("/six_dimensions/cognitive", sum(number(last$cognitive)[in_six]))
  same("/six_dimensions/unlabelled", sum(in_six & is.na(explained)))
  same("/six_dimensions/inaccurate_explanations", sum(in_six & explained %in% "no"))
  same("/six_dimensions/assumed_weights", sum(in_six & (results$human_pass_rate == "" | !results$difficulty %in% c("easy", "medium", "hard"))))
}

# Splits
cell <- function(path, of) {
  x <- results[of, ]
  same(paste0(path, "/n"), nrow(x))
  same(paste0(path, "/tasks"), length(unique(x$same)))
  same(paste0(path, "/testers"), length(unique(x$by)))
  estimate(paste0(path, "/attempt_k_mean"), x$counted, x$by, 1, k)
  share(paste0(path, "/satisfied"), x$happy, x$by)
  estimate(paste0(path, "/completion_mean"), x$seconds, x$by)
  estimate(paste0(path, "/mean_pass_rate"), x$rate, x$by, 0, 1)
  share(paste0(path, "/accepted"), x$good, x$by)
  if (length(ids) > 0) estimate(paste0(path, "/total_mean"), x$sum, x$by, length(ids), sum(most), length(ids))
  for (j in seq_along(ids)) estimate(sprintf("%s/attribute_means/%d", path, j - 1), scores[of, j], x$by, 1, most[j])
}
for (i in seq_along(report$slices)) {
  s <- report$slices[[i]]
  for (j in seq_along(s$cells)) cell(sprintf("/slices/%d/cells/%d", i - 1, j - 1), results[[s$by]] == s$cells[[j]]$value)
}

# Differences between the groups of a split that have five tasks
log_rank <- function(time, event, group) {
  deviation <- variance <- 0
  for (at in sort(unique(time[event]))) {
    in_group <- vapply(unique(group), function(g) sum(time >= at & group == g), 0)
    deaths <- vapply(unique(group), function(g) sum(time == at & event & group == g), 0)
    total <- sum(in_group)
    part <- in_group / total
    deviation <- deviation + deaths - sum(deaths) * part
    if (total > 1) variance <- variance + sum(deaths) * (total - sum(deaths)) / (total - 1) * (diag(part) - outer(part, part))
  }
  sum(deviation[-1] * solve(variance[-1, -1, drop = FALSE], deviation[-1]))
}
cliff_interval <- function(pairs) { # asymmetric (Feng & Cliff 2004)
  n <- dim(pairs)
  d <- mean(pairs)
  z <- qnorm(0.975)
  end <- (min(n) - z^2) / (min(n) + z^2)
  if (abs(d) == 1) return(sort(d * c(end, 1)))
  variance <- (n[2]^2 * sum((rowMeans(pairs) - d)^2) + n[1]^2 * sum((colMeans(pairs) - d)^2) - sum((pairs - d)^2)) / (prod(n) * prod(n - 1))
  zs <- z * sqrt(max(variance, (1 - d^2) / (prod(n) - 1)))
  pmin(pmax((d * (1 - d^2) + c(-1, 1) * zs * sqrt((1 - d^2)^2 + zs^2)) / (1 - d^2 + zs^2), -1), 1)
}
for (i in seq_along(report$slices)) {
  s <- report$slices[[i]]
  group <- results[[s$by]]
  kept <- group %in% names(which(table(group) >= 5))
  for (j in seq_along(s$differences)) {
    d <- s$differences[[j]]
    path <- sprintf("/slices/%d/differences/%d", i - 1, j - 1)
    if (startsWith(d$test, "log-rank")) {
      df <- length(unique(group[kept])) - 1
      value <- log_rank(results$counted[kept], results$happy[kept], group[kept])
      p <- pchisq(value, df, lower.tail = FALSE)
    } else {
      x <- list(attempts = results$counted, "completion time, s" = results$seconds, "total quality" = results$sum)[[d$measure]]
      k_w <- kruskal.test(x[kept], group[kept])
      df <- k_w$parameter
      value <- k_w$statistic
      p <- k_w$p.value
      if (!is.null(d$cliff_delta_hard_easy)) {
        pairs <- sign(outer(x[group == "hard"], x[group == "easy"], "-"))
        same(paste0(path, "/cliff_delta_hard_easy"), mean(pairs))
        interval(paste0(path, "/cliff_delta_interval"), cliff_interval(pairs))
      }
    }
    same(paste0(path, "/value"), unname(value))
    same(paste0(path, "/df"), unname(df))
    same(paste0(path, "/p"), p)
  }
}
g <- report$grid
if (!is.null(g)) {
  same("/grid/total", nrow(results))
  for (i in seq_along(g$types)) {
    same(sprintf("/grid/by_type/%d", i - 1), sum(results$type == g$types[[i]]))
    for (j in seq_along(g$difficulties)) cell(sprintf("/grid/cells/%d/%d", i - 1, j - 1), results$type == g$types[[i]] & results$difficulty == g$difficulties[[j]])
  }
  for (j in seq_along(g$difficulties)) same(sprintf("/grid/by_difficulty/%d", j - 1), sum(results$difficulty == g$difficulties[[j]]))
}

# Arms
use(tasks$analysed == "1")
arms <- report$arms$arms
# An arm's name: who worked where both did, the study's arm where arms share a model, the model, its settings
# where it has several, and level and context where they are not all alike.
sessions$model_name <- ifelse(sessions$model_id == "" | sessions$model_id == sessions$model, sessions$model, paste0(sessions$model, " (", sessions$model_id, ")"))
sessions$definition <- vapply(report$sessions, function(s) s$model_definition, "")[match(sessions$session, vapply(report$sessions, function(s) s$id, ""))]
worked <- sessions[sessions$session %in% results$session, ]
several <- function(x) { # the models with several of these values
  kinds <- unique(data.frame(model = worked$model_name, x = x))
  unique(kinds$model[duplicated(kinds$model)])
}
sessions$arm_name <- paste0(sessions$model_name, ifelse(sessions$definition != "" & sessions$model_name %in% several(worked$definition), paste0(" as ", sessions$definition), ""))
if (length(several(worked$arm)) > 0) sessions$arm_name <- ifelse(sessions$arm == "", sessions$arm_name, paste0(sessions$arm, " (", sessions$arm_name, ")"))
people_name <- if (any(worked$tester_kind == "automatic")) "people: " else ""
sessions$arm_name <- paste0(ifelse(sessions$tester_kind == "automatic", paste0("a program (feedback ", sessions$feedback, "): "), people_name), sessions$arm_name)
if (nrow(unique(worked[c("level", "context")])) > 1) sessions$arm_name <- paste0(sessions$arm_name, ", level ", sessions$level, ", ", sessions$context)
of_arm <- lapply(arms, function(a) {
  found <- results$session %in% sessions$session[sessions$arm_name == a$name]
  if (!any(found)) stop("no session of the dataset is of the arm ", a$name)
  found
})
for (i in seq_along(arms)) {
  path <- sprintf("/arms/arms/%d", i - 1)
  same(paste0(path, "/sessions"), length(unique(results$session[of_arm[[i]]])))
  same(paste0(path, "/testers"), length(unique(who[of_arm[[i]]])))
  cell(path, of_arm[[i]])
}

# The crossover model: value = subject + period + set + arm, by least squares within subjects (Senn). The
# standard error of subjects with more than two cells is clustered, CR2 (Bell & McCaffrey).
crossover <- function(value, subject, terms) {
  indicator <- function(name) {
    x <- outer(terms[[name]], unique(terms[[name]]), "==") + 0
    colnames(x) <- paste(name, unique(terms[[name]]))
    x
  }
  raw <- do.call(cbind, lapply(names(terms), indicator))
  centred <- function(v) v - ave(v, subject)
  x <- apply(raw, 2, centred)
  y <- centred(value)
  eigen_of <- eigen(crossprod(x), symmetric = TRUE)
  kept <- eigen_of$values > 1e-9 * max(1, eigen_of$values)
  inverse <- eigen_of$vectors[, kept, drop = FALSE] %*% (t(eigen_of$vectors[, kept, drop = FALSE]) / eigen_of$values[kept])
  beta <- as.vector(inverse %*% crossprod(x, y))
  residual <- as.vector(y - x %*% beta)
  cells <- table(subject)
  df <- sum(cells[cells > 1]) - sum(cells > 1) - sum(kept)
  sigma <- if (df > 0) sqrt(sum(residual^2) / df) else 0
  means <- tapply(value - as.vector(raw %*% beta), subject, mean)
  spread <- sqrt(max(0, var(means) - mean(sigma^2 / cells)) + sigma^2)
  contrast <- function(l) {
    through <- as.vector(inverse %*% l)
    if (sqrt(sum((crossprod(x) %*% through - l)^2)) > 1e-7) return(NULL)
    if (max(cells) <= 2) return(list(value = sum(l * beta), se = sigma * sqrt(sum(l * through)), df = df))
    hat <- x %*% inverse %*% t(x)
    squares <- 0
    weights <- NULL
    for (s in names(cells)[cells > 1]) {
      rows <- which(subject == s)
      part <- -hat[rows, , drop = FALSE]
      part[, rows] <- part[, rows] - 1 / length(rows) + diag(length(rows))
      e <- eigen((part[, rows] + t(part[, rows])) / 2, symmetric = TRUE)
      good <- e$values > 1e-9
      root <- e$vectors[, good, drop = FALSE] %*% (t(e$vectors[, good, drop = FALSE]) / sqrt(e$values[good]))
      adjusted <- as.vector(root %*% x[rows, , drop = FALSE] %*% through)
      squares <- squares + sum(adjusted * residual[rows])^2
      weights <- cbind(weights, crossprod(part, adjusted))
    }
    g <- crossprod(weights)
    list(value = sum(l * beta), se = sqrt(squares), df = sum(diag(g))^2 / sum(g^2))
  }
  share <- colMeans(raw)
  names(beta) <- colnames(raw)
  column <- function(term, level) (colnames(raw) == paste(term, level)) + 0
  list(subjects = sum(cells > 1), df = df, spread = spread,
    difference = function(term, a, b) contrast(column(term, a) - column(term, b)),
    mean = function(term, level) {
      c <- contrast(column(term, level) - share * startsWith(colnames(raw), paste0(term, " ")))
      if (!is.null(c)) c$value <- c$value + mean(value)
      c
    })
}
# The look that is due, if the plan declared looks: the level that is spent by a function of Lan & DeMets up to each, and
# the boundary at which no more than that is. What has not crossed a boundary is integrated by Simpson's rule on B(t).
at_confidence <- 0.95
look <- report$arms$look
if (!is.null(look) && look$number > 0) {
  at <- unlist(look$at)[seq_len(look$number)]
  at[look$number] <- max(at[look$number], min(1, look$ended / look$testers))
  spent <- if (look$spending == "pocock") 0.05 * log(1 + (exp(1) - 1) * at) else 4 * pnorm(-qnorm(1 - 0.05 / 4) / sqrt(at))
  place <- 0
  mass <- 1
  for (i in seq_along(at)) {
    step <- sqrt(at[i] - c(0, at)[i])
    beyond <- function(z) sum(mass * (pnorm((place - z * sqrt(at[i])) / step) + pnorm((-place - z * sqrt(at[i])) / step)))
    bound <- uniroot(function(z) beyond(z) - (spent[i] - c(0, spent)[i]), c(0, 10), tol = 1e-12)$root
    next_place <- seq(-bound, bound, length.out = 2001) * sqrt(at[i])
    simpson <- c(1, rep(c(4, 2), length.out = 1999), 1) * diff(next_place[1:2]) / 3
    mass <- simpson * vapply(next_place, function(s) sum(mass * dnorm(s, place, step)), 0)
    place <- next_place
  }
  same("/arms/look/spent", spent[length(at)])
  same("/arms/look/bound", bound, 1e-6)
  same("/arms/look/level", 2 * pnorm(-bound), 1e-6)
}
if (!is.null(look)) { # testers and sessions are the plan's
  parts <- split(sessions, sessions$study_tester)
  ended <- sum(vapply(parts, function(s) length(unique(s$study_part[s$status == "finished"])) >= look$sessions ||
    any(s$status %in% c("abandoned", "withdrawn")) && !any(s$status == "open"), NA))
  due <- sum(ended >= ceiling(unlist(look$at) * look$testers - 1e-9))
  same("/arms/look/ended", ended)
  same("/arms/look/testers", look$testers)
  same("/arms/look/number", due)
  same("/arms/look/next_at", c(ceiling(unlist(look$at) * look$testers - 1e-9), 0)[due + 1])
  same("/arms/look/information", min(1, ended / look$testers))
}
student <- function(c, confidence = at_confidence) c$value + c(-1, 1) * qt((1 + confidence) / 2, c$df) * c$se
two_sided <- function(c) 2 * pt(-abs(c$value / c$se), c$df)
sensible <- function(c, share) !is.null(c) && c$df >= (if (share) 3 else 2) - 1e-9 && c$se > 0
horizon <- if (nrow(results) > 0) quantile(results$seconds, 0.95, names = FALSE) else Inf
if (length(arms) > 0) same("/arms/horizon", horizon)
for (i in seq_along(arms)) {
  for (j in seq_along(arms[[i]]$satisfied_within)) {
    share(sprintf("/arms/arms/%d/satisfied_within/%d/within", i - 1, j - 1), (results$happy & results$seconds <= horizon * j / 4)[of_arm[[i]]], who[of_arm[[i]]])
  }
}
measures_of <- function() list(satisfied = as.numeric(results$happy), attempts = results$counted, time = ifelse(results$happy, pmin(results$seconds, horizon), horizon), work = results$seconds, total = results$sum, tests = results$rate)
rating_ids <- paste0("rating:", ids)
measures <- measures_of()
# Of an adaptive session the score and the ability, which are of the fit, are taken from the report.
of_session <- function(field) {
  found <- vapply(report$abilities, function(a) a[[field]] + 0, 0)
  unname(found[match(results$session, vapply(report$abilities, function(a) a$session, ""))])
}
if (length(report$abilities) > 0) measures <- c(measures, list(score = of_session("score"), ability = of_session("ability")))
for (j in seq_along(ids)) measures[[rating_ids[j]]] <- scores[, j]
is_time <- function(id) id %in% c("time", "work")
is_share <- function(id) id %in% c("satisfied", "tests", "score")
plan <- tasks[tasks$practice == "0", ]
# Means are on their scale, and differences are not larger than it is long.
scale_of <- function(id) {
  if (id %in% rating_ids) return(c(1, most[match(id, rating_ids)]))
  points <- vapply(report$ratings$attributes, function(a) a$max + 0, 0)
  total <- if (length(points)) c(length(points), sum(points)) else c(-Inf, Inf)
  list(satisfied = c(0, 1), attempts = c(1, max(number(sessions$k))), time = c(0, horizon), work = c(0, Inf), score = c(0, 1), ability = c(-Inf, Inf), total = total, tests = c(0, 1))[[id]]
}
on_scale <- function(id, ends) pmax(-diff(scale_of(id)), pmin(diff(scale_of(id)), ends))

# Arms of one study that the same testers worked in
noncentral <- function(t, df, p) uniroot(function(delta) pt(t, df, delta) - p, t + c(-1, 1) * (40 + abs(t)), tol = 1e-10)$root
standardised <- function(path, c, sd, df) { # Hedges' g
  if (is.null(cell_at(paste0(path, "/effect")))) return()
  correct <- 1 - 3 / (4 * df - 1)
  same(paste0(path, "/effect/value"), correct * c$value / sd)
  t <- c$value / c$se
  interval(paste0(path, "/effect/interval"), correct * c$se / sd * suppressWarnings(c(noncentral(t, c$df, 0.975), noncentral(t, c$df, 0.025))))
}
# The test by all allocations that the plan could have made: sequences of arms are exchanged among subjects
# who had the same sets in the same periods.
randomised <- function(value, subject, terms, arm_names) {
  of <- lapply(split(seq_along(value), subject), function(rows) rows[order(number(terms$period[rows]))])
  alike <- split(of, vapply(of, function(rows) paste(terms$period[rows], terms$set[rows], collapse = " "), ""))
  orders <- function(sequences) { # the distinct ones of a group
    if (length(sequences) < 2) return(list(sequences))
    first <- which(!duplicated(sequences))
    unlist(lapply(first, function(i) lapply(orders(sequences[-i]), function(rest) c(sequences[i], rest))), recursive = FALSE)
  }
  ways <- lapply(alike, function(group) orders(lapply(group, function(rows) terms$arm[rows])))
  fit <- function(arm) {
    terms$arm <- arm
    abs(crossover(value, subject, terms)$difference("arm", arm_names[1], arm_names[2])$value)
  }
  picks <- expand.grid(lapply(ways, seq_along))
  all <- vapply(seq_len(nrow(picks)), function(i) {
    arm <- terms$arm
    for (g in seq_along(ways)) arm[unlist(alike[[g]])] <- unlist(ways[[g]][[picks[i, g]]])
    fit(arm)
  }, 0)
  c(p = mean(all >= fit(terms$arm) - 1e-9 * max(all)), floor = mean(all >= max(all) * (1 - 1e-9)))
}

# The mixed model: testers and tasks, and the effects of arms on each, are random; arms and periods are
# fixed. Fitted by restricted maximum likelihood, with Satterthwaite's degrees of freedom. Where two searches
# for the maximum stop differs in the fourth digit.
mixed <- function(x, arm_names) {
  factors <- list(x$by, x$task, paste(x$by, x$arm, sep = "\r"), paste(x$task, x$arm, sep = "\r"))
  z <- lapply(factors, function(f) outer(f, unique(f), "==") + 0)
  levels_of <- rep(seq_along(z), vapply(z, ncol, 0L))
  z <- do.call(cbind, z)
  dummies <- function(f, levels) outer(f, levels, "==") + 0
  fixed <- cbind(1, dummies(x$arm, setdiff(unique(c(arm_names[1], x$arm)), arm_names[2])), dummies(x$period, unique(x$period)[-1]))
  weight <- (seq_len(ncol(fixed)) == 2) + 0 # the first arm against the second, which has no column
  zz <- crossprod(z)
  zx <- crossprod(z, cbind(fixed, x$value))
  xx <- crossprod(cbind(fixed, x$value))
  p <- ncol(fixed)
  solve_at <- function(theta) {
    scale <- abs(theta)[levels_of]
    a <- chol(scale * t(scale * t(zz)) + diag(length(scale)))
    w <- xx - crossprod(backsolve(a, scale * zx, transpose = TRUE))
    inverse <- solve(w[1:p, 1:p])
    beta <- inverse %*% w[1:p, p + 1]
    list(logs = 2 * sum(log(diag(a))) + determinant(w[1:p, 1:p])$modulus, rss = w[p + 1, p + 1] - sum(beta * w[1:p, p + 1]), beta = beta, cov = inverse)
  }
  free <- nrow(x) - p
  minus <- function(theta) { s <- solve_at(theta); s$logs + free * log(s$rss) }
  found <- optim(rep(0.5, 4), minus, control = list(reltol = 1e-12, maxit = 4000))
  s <- solve_at(found$par)
  sigma <- sqrt(s$rss / free)
  sds <- c(ifelse(abs(found$par) < 1e-3, 0, abs(found$par)) * sigma, sigma)
  variance <- function(sds) sum(weight * (solve_at(sds[1:4] / sds[5])$cov %*% weight)) * sds[5]^2
  deviance <- function(sds) { s <- solve_at(sds[1:4] / sds[5]); s$logs + free * log(sds[5]^2) + s$rss / sds[5]^2 }
  moving <- which(sds > 0)
  step <- 1e-3 * sds
  moved <- function(f, i, hi, j = i, hj = 0) { y <- sds; y[i] <- y[i] + hi * step[i]; y[j] <- y[j] + hj * step[j]; f(y) }
  gradient <- vapply(moving, function(i) (moved(variance, i, 1) - moved(variance, i, -1)) / (2 * step[i]), 0)
  hessian <- outer(moving, moving, Vectorize(function(i, j) {
    if (i == j) return((moved(deviance, i, 1) - 2 * deviance(sds) + moved(deviance, i, -1)) / step[i]^2)
    (moved(deviance, i, 1, j, 1) - moved(deviance, i, 1, j, -1) - moved(deviance, i, -1, j, 1) + moved(deviance, i, -1, j, -1)) / (4 * step[i] * step[j])
  }))
  v <- variance(sds)
  s <- solve_at(sds[1:4] / sds[5])
  list(value = sum(weight * s$beta), se = sqrt(v), df = 2 * v^2 / (2 * sum(gradient * solve(hessian, gradient))), n = nrow(x))
}
general <- function(path, id, t, p) {
  at <- paste0(path, "/general")
  same(paste0(at, "/difference/n"), t$n)
  same(paste0(at, "/difference/value"), t$value, 1e-3)
  of_difference(path, paste0(at, "/difference/interval"), id, t, 1e-2)
  same(paste0(at, "/p"), two_sided(p), 1e-2)
}
# The ratio of times, by the t of their logarithms: p is that of the ratio, and the difference in seconds has no interval.
by_logs <- function(path) identical(cell_at(paste0(path, "/test")), "t of the logarithms")
of_difference <- function(path, at, id, t, tolerance = 1e-6) {
  interval(at, if (by_logs(path)) NA else on_scale(id, student(t)), tolerance)
}
ratio <- function(path, t, tolerance = 1e-7) {
  at <- paste0(path, "/ratio")
  same(paste0(at, "/value"), exp(t$value), tolerance)
  interval(paste0(at, "/interval"), exp(student(t)), 10 * tolerance)
}
# Three to six testers: the difference with a weak prior, integrated over its standard error.
with_prior <- function(path, id, t, log = FALSE) {
  at <- paste0(path, "/with_prior")
  if (is.null(cell_at(at))) return()
  sd <- if (log) base::log(2) else diff(scale_of(id)) / 4
  tau <- exp(seq(base::log(min(t$se, sd) / 100), base::log(max(t$se, sd) * 100), length.out = 400))
  spread <- tau^2 + sd^2
  logs <- -base::log(spread) / 2 - t$value^2 / (2 * spread) - t$df * base::log(tau) - t$df * t$se^2 / (2 * tau^2)
  weight <- exp(logs - max(logs))
  weight <- weight / sum(weight)
  means <- t$value * sd^2 / spread
  quantile_at <- function(p) uniroot(function(x) sum(weight * pnorm((x - means) / (tau * sd / sqrt(spread)))) - p, sum(weight * means) + c(-40, 40) * sd, tol = 1e-12)$root
  shown <- if (log) exp else identity
  same(paste0(at, "/prior_sd"), sd)
  same(paste0(at, "/value"), shown(sum(weight * means)))
  ends <- c(quantile_at(0.025), quantile_at(0.975))
  interval(paste0(at, "/interval"), if (log) exp(ends) else on_scale(id, ends))
}
crossed <- function(path, id, test, arm_names) {
  v <- measures[[id]]
  known <- !is.na(v)
  if (!any(known)) return() # such as ratings, where a study asks for none
  row_of <- match(results$session, sessions$session)
  cells <- aggregate(list(value = v[known]), list(session = results$session[known]), mean)
  s <- sessions[match(cells$session, sessions$session), ]
  sets <- vapply(cells$session, function(id) paste(sort(unique(plan$set[plan$session == id])), collapse = "+"), "")
  m <- crossover(cells$value, s$by, list(period = s$study_part, set = sets, arm = s$arm))
  d <- m$difference("arm", arm_names[1], arm_names[2])
  if (is.null(d)) return()
  same(paste0(path, "/difference/value"), d$value)
  same(paste0(path, "/difference/n"), m$subjects)
  for (i in 1:2) {
    at <- paste0(path, c("/first", "/second")[i])
    if (cell_at(paste0(at, "/method")) != "mean of all results") same(paste0(at, "/value"), m$mean("arm", arm_names[i])$value)
  }
  if (startsWith(test, "randomisation")) {
    r <- randomised(cells$value, s$by, list(period = s$study_part, set = sets, arm = s$arm), arm_names)
    same(paste0(path, "/p"), r["p"])
    same(paste0(path, "/p_floor"), r["floor"])
  }
  singles <- data.frame(value = v, by = who, task = results$same, period = sessions$study_part[row_of], arm = results$arm)[known & sessions$study_hash[row_of] == s$study_hash[1], ]
  there <- cell_at(paste0(path, "/ratio"))
  logs <- NULL
  if (!is.null(there) || is_time(id) && !is.null(cell_at(paste0(path, "/with_prior")))) {
    logged <- aggregate(list(value = log(v[known])), list(session = results$session[known]), mean)
    logs <- crossover(logged$value, s$by, list(period = s$study_part, set = sets, arm = s$arm))$difference("arm", arm_names[1], arm_names[2])
  }
  with_prior(path, id, if (is_time(id)) logs else d, is_time(id))
  by_mixed <- !is.null(there) && startsWith(there$method, "mixed model")
  has_general <- !is.null(cell_at(paste0(path, "/general")))
  mixed_logs <- if (by_mixed || by_logs(path) && has_general) mixed(transform(singles, value = log(value)), arm_names)
  if (!is.null(there)) ratio(path, if (by_mixed) mixed_logs else logs, if (by_mixed) 1e-3 else 1e-7)
  if (has_general) {
    t <- mixed(singles, arm_names)
    general(path, id, t, if (by_logs(path)) mixed_logs else t)
  }
  if (m$df == 0 || !sensible(d, is_share(id))) return() # nothing is left to estimate the error from
  of_difference(path, paste0(path, "/difference/interval"), id, d)
  same(paste0(path, "/p"), two_sided(if (by_logs(path)) logs else d))
  standardised(path, d, m$spread, m$subjects - 1)
}
# Two arms by the means of testers or of tasks, as a method says: Student's t.
over_units <- function(v, method, known, first, second) {
  unit <- if (grepl("testers", method)) who else results$same
  x <- tapply(v[known & first], unit[known & first], mean)
  y <- tapply(v[known & second], unit[known & second], mean)
  paired <- startsWith(method, "paired")
  program <- grepl("against the program", method)
  if (program) { # each tester on the tasks that it did, too
    its <- known & who == "automatic"
    own <- tapply(v[its], results$same[its], mean)
    apart <- v - own[results$same]
    person <- known & who != "automatic" & !is.na(apart)
    x <- tapply(apart[person], who[person], mean) * (if (any(its & first)) -1 else 1)
    y <- 0 * x
  }
  d <- if (paired) x - y[names(x)] else NULL
  error <- sqrt(if (paired) var(d) / length(d) else var(x) / length(x) + var(y) / length(y))
  df <- if (paired) length(d) - 1 else error^4 / ((var(x) / length(x))^2 / (length(x) - 1) + (var(y) / length(y))^2 / (length(y) - 1))
  pooled <- sqrt((sum((x - mean(x))^2) + sum((y - mean(y))^2)) / (length(x) + length(y) - 2))
  list(value = if (paired) mean(d) else mean(x) - mean(y), se = error, df = df, sd = if (program) sd(x) else pooled, sd_df = if (paired) length(d) - 1 else length(x) + length(y) - 2)
}
names_of <- vapply(arms, function(a) a$name, "")
p <- numeric()
kinds <- where <- character()
for (i in seq_along(report$arms$pairs)) {
  pair <- report$arms$pairs[[i]]
  first <- of_arm[[match(pair$first, names_of)]]
  second <- of_arm[[match(pair$second, names_of)]]
  both <- intersect(results$same[first], results$same[second])
  same(sprintf("/arms/pairs/%d/tasks", i - 1), length(both))
  same(sprintf("/arms/pairs/%d/tasks_of_one", i - 1), length(unique(results$same[first | second])) - length(both))
  if (!is.null(pair$dropout)) {
    cut <- c(pair$dropout$first$incomplete, pair$dropout$second$incomplete)
    begun <- c(pair$dropout$first$sessions, pair$dropout$second$sessions)
    same(sprintf("/arms/pairs/%d/dropout/p", i - 1), fisher.test(matrix(c(cut, begun - cut), 2))$p.value)
  }
  outcomes <- c(pair$measures, pair$ratings)
  for (j in seq_along(outcomes)) {
    m <- outcomes[[j]]
    single <- j > length(pair$measures)
    path <- sprintf("/arms/pairs/%d/%s/%d", i - 1, if (single) "ratings" else "measures", if (single) j - 1 - length(pair$measures) else j - 1)
    at_confidence <- if (!is.null(look) && m$primary) 1 - look$level else 0.95
    known <- (first | second) & !is.na(measures[[m$id]]) & (pair$crossed | !pair$paired | results$same %in% both) &
      (!isTRUE(pair$adaptive) | !duplicated(results$session))
    same(paste0(path, "/results"), sum(known))
    same(paste0(path, "/tasks"), if (isTRUE(pair$adaptive)) of_session("pool")[first][1] else length(unique(results$same[known])))
    same(paste0(path, "/testers"), length(unique(who[known])))
    method <- if (by_logs(path)) m$ratio$method else m$difference$method
    if (pair$crossed) {
      crossed(path, m$id, m$test, c(results$arm[first][1], results$arm[second][1]))
    } else if (grepl("^(Welch's|paired) t over", method)) {
      t <- over_units(measures[[m$id]], method, known, first, second)
      logs <- if (is_time(m$id) && all(measures[[m$id]] > 0)) over_units(log(measures[[m$id]]), method, known, first, second)
      if (!is.null(m$ratio)) ratio(path, logs)
      with_prior(path, m$id, if (is_time(m$id)) logs else t, is_time(m$id))
      same(paste0(path, "/difference/value"), t$value)
      of_difference(path, paste0(path, "/difference/interval"), m$id, t)
      same(paste0(path, "/p"), two_sided(if (by_logs(path)) logs else t))
      standardised(path, t, t$sd, t$sd_df)
    } else {
      same(paste0(path, "/difference/value"), if (any(known & first) && any(known & second)) mean(measures[[m$id]][known & first]) - mean(measures[[m$id]][known & second]) else NA)
    }
    if (m$test == "none") same(paste0(path, "/p"), NA)
    for (arm in c("first", "second")) {
      of <- if (arm == "first") first else second
      if (m[[arm]]$method == "mean of all results") same(paste0(path, "/", arm, "/value"), if (any(known & of)) mean(measures[[m$id]][known & of]) else NA)
    }
    decisive <- if (!is.null(m$general) && (isTRUE(m$unequal_sessions) || identical(report$arms$analysis$model, "mixed"))) m$general$p else m$p
    p <- c(p, if (is.null(decisive)) NA else decisive)
    kinds <- c(kinds, if (single) "rating" else if (m$primary) "primary" else "other")
    where <- c(where, path)
  }
}
at_confidence <- 0.95
# The primary outcome is a family of its own (Holm), all others and single ratings are two more, corrected as the study says.
family <- report$arms$family
corrected <- rep(NA_real_, length(p))
for (kind in unique(kinds)) {
  of <- kinds == kind & !is.na(p)
  corrected[of] <- p.adjust(p[of], if (kind != "primary" && family$method == "benjamini-hochberg") "BH" else "holm")
}
for (i in seq_along(p)) same(paste0(where[i], "/p_corrected"), corrected[i])
if (!is.null(family)) {
  same("/arms/family/primary", sum(kinds == "primary" & !is.na(p)))
  same("/arms/family/size", sum(kinds == "other" & !is.na(p)))
  if (any(kinds == "rating" & !is.na(p))) same("/arms/family/ratings", sum(kinds == "rating" & !is.na(p)))
}

# Whether testers changed from period to period
use(tasks$analysed == "1" & isTRUE(report$pooled))
measures <- measures_of()
places <- tasks[tasks$practice == "0" & tasks$period != "", ]
name_arm <- paste(sessions$arm, sessions$model, sessions$model_id, sessions$level, sessions$context, sep = "\r")
sessions_size <- table(factor(tasks$session, levels = sort(unique(results$session))))
last_period <- max(0, number(places$period))
p <- rep(NA_real_, length(report$order))
for (i in seq_along(report$order)) {
  o <- report$order[[i]]
  id <- c(attempts = "attempts", "completion time, s" = "work", "total quality" = "total")[[o$measure]]
  v <- measures[[id]]
  known <- !is.na(v)
  x <- data.frame(value = v, by = who, period = results$period, set = results$set, arm = name_arm[match(results$session, sessions$session)])[known, ]
  for (j in seq_along(o$periods)) same(sprintf("/order/%d/periods/%d/results", i - 1, j - 1), sum(x$period == j))
  for (j in seq_along(o$sets)) same(sprintf("/order/%d/sets/%d/results", i - 1, j - 1), sum(x$set == o$sets[[j]]$name))
  if (!is.null(o$rho)) { # of one tester, with the place of a task
    before <- setNames(cumsum(c(0, sessions_size[-length(sessions_size)])), names(sessions_size))
    at <- before[results$session] + number(results$place)
    rho <- cor(at[known], v[known], method = "spearman")
    same(sprintf("/order/%d/rho/n", i - 1), sum(known))
    same(sprintf("/order/%d/rho/value", i - 1), rho)
    same(sprintf("/order/%d/rho_p", i - 1), 2 * pt(-abs(rho) * sqrt((sum(known) - 2) / (1 - rho^2)), sum(known) - 2))
  }
  if (!o$adjusted) {
    for (j in seq_along(o$periods)) same(sprintf("/order/%d/periods/%d/value", i - 1, j - 1), mean(x$value[x$period == j]))
    next
  }
  cells <- aggregate(list(value = x$value), x[c("by", "period", "set", "arm")], mean)
  m <- crossover(cells$value, cells$by, cells[c("period", "set", "arm")])
  d <- m$difference("period", last_period, 1)
  path <- sprintf("/order/%d/change", i - 1)
  same(paste0(path, "/n"), m$subjects)
  same(paste0(path, "/value"), d$value)
  if (sensible(d, FALSE)) {
    interval(paste0(path, "/interval"), student(d))
    p[i] <- two_sided(d)
  }
  same(sprintf("/order/%d/p", i - 1), p[i])
  for (term in c("period", "set")) {
    there <- o[[paste0(term, "s")]]
    for (j in seq_along(there)) {
      path <- sprintf("/order/%d/%ss/%d", i - 1, term, j - 1)
      level <- m$mean(term, there[[j]]$name)
      if (!startsWith(there[[j]]$method, "mean adjusted")) {
        same(paste0(path, "/value"), mean(x$value[x[[term]] == there[[j]]$name]))
        next
      }
      same(paste0(path, "/value"), level$value)
      interval(paste0(path, "/interval"), if (sensible(level, FALSE)) pmin(pmax(student(level), scale_of(id)[1]), scale_of(id)[2]))
    }
  }
}
p[!is.na(p)] <- p.adjust(p[!is.na(p)], "holm")
for (i in seq_along(p)) same(sprintf("/order/%d/p_corrected", i - 1), p[i])

# Ratings of the same answers by several people. Items are in the order of the table; 0 stands for a
# rating that is missing.
jackknifed <- function(path, n, least, coefficient) { # of log(1 - a); rows of weights leave out one item each
  ends <- NULL
  if (n >= least) {
    apart <- 1 - coefficient(rbind(1, 1 - diag(n)))
    if (!anyNA(apart) && all(apart >= 1e-12)) {
      v <- log(apart[-1])
      df <- min(n - 1, max(1, 2 * n / (sum(((v - mean(v)) / sd(v))^4) / n - 1)))
      half <- qt(0.975, df) * sd(v) * (n - 1) / sqrt(n)
      if (sd(v) >= 1e-12) ends <- pmax(-1, 1 - apart[1] * exp(c(half, -half)))
    }
  }
  interval(path, ends)
}
o <- report$overlap_ratings
if (!is.null(o)) {
  given <- table_of("raters")
  settled <- table_of("settled")
  items <- unique(given$item)
  letters_of <- unlist(o$raters)
  scored <- lapply(o$attributes, function(a) {
    x <- matrix(0, length(items), length(letters_of))
    of <- given[given$name == a$id, ]
    x[cbind(match(of$item, items), match(of$rater, letters_of))] <- number(of$score)
    x
  })
  means_of <- function(x) ifelse(rowSums(x > 0) > 0, rowSums(x) / rowSums(x > 0), NA)
  decided <- lapply(o$attributes, function(a) {
    of <- settled[settled$question == a$name & settled$score != "", ]
    number(of$score)[match(items, of$item)]
  })
  as_settled <- Map(function(x, d) ifelse(is.na(d), means_of(x), d), scored, decided)
  whole <- Reduce(`&`, lapply(scored, function(x) x > 0))
  all <- c(scored, list(ifelse(whole, Reduce(`+`, scored), 0)))
  sum_settled <- Reduce(`+`, lapply(as_settled, function(x) ifelse(is.na(x), 0, x)))
  any_settled <- Reduce(`|`, lapply(decided, function(d) !is.na(d)))
  as_settled <- c(as_settled, list(ifelse(any_settled, sum_settled, means_of(all[[length(all)]]))))
  # The testers' own ratings, where all sessions that the answers come from are here
  here <- all(unlist(o$sessions) %in% sessions$session)
  origins <- lapply(items, function(id) {
    row <- given[match(id, given$item), ]
    paste(strsplit(row$sessions, " ", fixed = TRUE)[[1]], row$task, sep = "\r")
  })
  own <- lapply(o$attributes, function(a) lapply(origins, function(at) {
    of <- ratings[ratings$attribute == a$id, ]
    number(of$score)[match(at, key(of))]
  }))
  own <- c(own, list(lapply(seq_along(items), function(i) Reduce(`+`, lapply(own, function(x) x[[i]])))))
  icc <- function(x) { # (2,1) and (2,k) of Shrout & Fleiss
    n <- nrow(x)
    k <- ncol(x)
    rest <- x - outer(rowMeans(x), colMeans(x), "+") + mean(x)
    b <- k * sum((rowMeans(x) - mean(x))^2) / (n - 1)
    j <- n * sum((colMeans(x) - mean(x))^2) / (k - 1)
    e <- sum(rest^2) / ((n - 1) * (k - 1))
    w <- sum((x - rowMeans(x))^2) / (n * (k - 1))
    below <- c(b + (k - 1) * e + k * (j - e) / n, b + (j - e) / n, b + (k - 1) * w, b + (k - 1) * e, b)
    if (any(abs(below) <= 1e-13 * (b + w + j + e))) c(NA, NA) else (b - e) / below[1:2]
  }
  by_rows <- function(of, n) function(w) apply(w, 1, function(times) of(rep(seq_len(n), times)))
  kappa <- function(x, y, most) { # Cohen's, linear weights (1968)
    shares <- table(factor(x, seq_len(most)), factor(y, seq_len(most))) / length(x)
    w <- 1 - abs(outer(seq_len(most), seq_len(most), "-")) / (most - 1)
    chance <- 1 - sum(w * outer(rowSums(shares), colSums(shares)))
    if (chance < 1e-14) NA else 1 - (1 - sum(w * shares)) / chance
  }
  gwet <- function(units, most) { # AC2, linear weights (Gwet 2014); each unit has two ratings or more
    w <- 1 - abs(outer(seq_len(most), seq_len(most), "-")) / (most - 1)
    counts <- t(vapply(units, tabulate, numeric(most), most))
    m <- rowSums(counts)
    observed <- mean(rowSums(counts * (counts %*% w - 1)) / (m * (m - 1)))
    share <- colMeans(counts / m)
    chance <- sum(w) / (most * (most - 1)) * sum(share * (1 - share))
    (observed - chance) / (1 - chance)
  }
  for (i in seq_along(all)) {
    path <- if (i < length(all)) sprintf("/overlap_ratings/attributes/%d", i - 1) else "/overlap_ratings/total"
    a <- if (i < length(all)) o$attributes[[i]] else o$total
    x <- all[[i]]
    several <- Filter(function(v) length(v) > 1, apply(x, 1, function(v) v[v > 0], simplify = FALSE))
    same(paste0(path, "/max"), if (i < length(all)) a$max else sum(vapply(o$attributes, function(a) a$max, 0)))
    same(paste0(path, "/items"), length(several))
    same(paste0(path, "/ratings"), sum(lengths(several)))
    same(paste0(path, "/mean"), mean(means_of(x), na.rm = TRUE))
    same(paste0(path, "/settled"), mean(as_settled[[i]][!is.na(means_of(x))]))
    for (level in c("ordinal", "interval")) {
      value <- if (length(several) > 0) krippendorff(unit_counts(several), level) else NA
      same(sprintf("%s/%s/value", path, level), value)
      if (!is.na(value)) jackknifed(sprintf("%s/%s/interval", path, level), length(several), 20, function(w) krippendorff(unit_counts(several), level, w))
    }
    if (i < length(all)) {
      same(paste0(path, "/gwet/value"), if (length(several) > 0) gwet(several, a$max) else NA)
      if (length(several) > 0) jackknifed(paste0(path, "/gwet/interval"), length(several), 20, by_rows(function(j) gwet(several[j], a$max), length(several)))
    }
    for (j in seq_along(a$kappas)) {
      of <- match(c(a$kappas[[j]]$a, a$kappas[[j]]$b), letters_of)
      both <- x[, of[1]] > 0 & x[, of[2]] > 0
      same(sprintf("%s/kappas/%d/n", path, j - 1), sum(both))
      of_items <- function(at) kappa(x[both, of[1]][at], x[both, of[2]][at], a$max)
      same(sprintf("%s/kappas/%d/kappa", path, j - 1), of_items(seq_len(sum(both))))
      if (!is.na(of_items(seq_len(sum(both))))) jackknifed(sprintf("%s/kappas/%d/interval", path, j - 1), sum(both), 20, by_rows(of_items, sum(both)))
    }
    rated <- x[rowSums(x == 0) == 0, , drop = FALSE]
    value <- if (nrow(rated) > 1 && ncol(rated) > 1) icc(rated) else c(NA, NA)
    same(paste0(path, "/icc/items"), nrow(rated))
    same(paste0(path, "/icc/icc_2_1"), value[1])
    same(paste0(path, "/icc/icc_2_k"), value[2])
    if (!is.na(value[1])) {
      for (j in 1:2) jackknifed(paste0(path, c("/icc/icc_2_1_interval", "/icc/icc_2_k_interval")[j]), nrow(rated), 30, by_rows(function(at) icc(rated[at, , drop = FALSE])[j], nrow(rated)))
    }
    if (here) {
      first <- lapply(own[[i]], function(v) v[!is.na(v)])
      of <- which(lengths(first) > 0 & !is.na(means_of(x)))
      same(paste0(path, "/first/items"), length(of))
      same(paste0(path, "/first/difference"), mean(vapply(first[of], mean, 0) - means_of(x)[of]))
      same(paste0(path, "/first/ordinal_alpha"), if (length(of) > 0) krippendorff(unit_counts(lapply(of, function(j) c(first[[j]], x[j, x[j, ] > 0]))), "ordinal") else NA)
    }
  }
  for (i in seq_along(o$labels)) {
    path <- sprintf("/overlap_ratings/labels/%d", i - 1)
    of <- given[given$name == o$labels[[i]]$id, ]
    counts_of <- table(factor(of$item, items[items %in% of$item]), of$value)
    counts_of <- counts_of[rowSums(counts_of) == o$overlap, , drop = FALSE]
    m <- o$overlap
    fleiss <- function(w) {
      expected <- rowSums(((w %*% counts_of) / (rowSums(w) * m))^2)
      observed <- as.vector(w %*% rowSums(counts_of * (counts_of - 1))) / (rowSums(w) * m * (m - 1))
      ifelse(expected > 1 - 1e-12, NA, (observed - expected) / (1 - expected))
    }
    n <- nrow(counts_of)
    same(paste0(path, "/items"), n)
    same(paste0(path, "/raters"), m)
    if (n == 0 || m < 2) next
    same(paste0(path, "/observed_agreement"), mean(rowSums(counts_of * (counts_of - 1)) / (m * (m - 1))))
    same(paste0(path, "/fleiss_kappa"), fleiss(matrix(1, 1, n)))
    if (!is.na(fleiss(matrix(1, 1, n)))) jackknifed(paste0(path, "/interval"), n, 20, fleiss)
  }
  disputed <- sum(vapply(scored, function(x) sum(apply(x, 1, function(v) any(v > 0) && max(v[v > 0]) - min(v[v > 0]) >= o$apart)), 0L)) +
    sum(vapply(o$labels, function(l) sum(tapply(given$value[given$name == l$id], given$item[given$name == l$id], function(v) length(unique(v)) > 1)), 0L))
  same("/overlap_ratings/disputes", disputed)
  asked <- length(o$attributes) + length(o$labels)
  same("/overlap_ratings/missing", o$items * o$overlap - sum(table(paste(given$item, given$rater)) == asked))
  for (i in seq_along(o$settled)) {
    path <- sprintf("/overlap_ratings/settled/%d", i - 1)
    row <- settled[i, ]
    j <- match(row$question, vapply(o$attributes, function(a) a$name, ""))
    same(paste0(path, "/score"), if (row$score == "") 0 else number(row$score))
    same(paste0(path, "/mean"), if (is.na(j)) NA else means_of(scored[[j]])[match(row$item, items)])
  }
}

# Abilities by adaptive tests: the posterior on a grid of abilities, with the chance of a right response
# averaged over the uncertainty of the task's curve by 15 nodes (Golub & Welsch, Mathematics of Computation 23, 1969)
if (length(report$abilities) > 0) {
  choices <- table_of("choices")
  jacobi <- matrix(0, 15, 15)
  jacobi[cbind(1:14, 2:15)] <- jacobi[cbind(2:15, 1:14)] <- sqrt((1:14) / 2)
  hermite <- eigen(jacobi, symmetric = TRUE)
  at_nodes <- sqrt(2) * hermite$values
  of_nodes <- hermite$vectors[1, ]^2
  theta <- seq(-8, 8, length.out = 321)
  quantile_of <- function(w, share) {
    cells <- (w[-1] + w[-321]) / 2
    below <- c(0, cumsum(cells))
    g <- which(below[-1] >= share)[1]
    root <- sqrt(max(0, w[g]^2 + 2 * (w[g + 1] - w[g]) * (share - below[g])))
    theta[g] + 0.05 * min(1, 2 * (share - below[g]) / (w[g] + root))
  }
  for (i in seq_along(report$abilities)) {
    path <- sprintf("/abilities/%d", i - 1)
    of <- choices[choices$session == report$abilities[[i]]$session & choices$task != "", ]
    known <- of[of$right != "", ]
    logs <- dnorm(theta, 0, 2, log = TRUE)
    for (j in seq_len(nrow(known))) {
      row <- known[j, ]
      centre <- number(row$intercept) + number(row$slope) * theta
      spread <- sqrt(pmax(0, number(row$slope_se)^2 * theta^2 + number(row$intercept_se)^2 +
        2 * number(row$correlation) * number(row$slope_se) * number(row$intercept_se) * theta))
      p <- as.vector(plogis(centre + outer(spread, at_nodes)) %*% of_nodes)
      logs <- logs + log(if (row$right == "1") p else 1 - p)
    }
    w <- exp(logs - max(logs))
    w <- w / sum(w)
    same(paste0(path, "/tasks"), nrow(of))
    same(paste0(path, "/responses"), nrow(known))
    same(paste0(path, "/ability"), sum(w * theta))
    same(paste0(path, "/se"), sqrt(sum(w * (theta - sum(w * theta))^2)))
    interval(paste0(path, "/interval"), c(quantile_of(w, 0.025), quantile_of(w, 0.975)))
    same(paste0(path, "/participant"), number(sessions$participant[match(report$abilities[[i]]$session, sessions$session)]))
  }
}

# The six dimensions by arm, or of the one model: the final answers are samples
if (!is.null(report$models)) {
  use(tasks$analysed == "1")
  last <- table_of("attempts") # where nothing is pooled, those above are none
  last$number <- number(last$attempt)
  last <- last[last$analysed == "1" & last$decision != "", ]
  last <- last[order(last$number, decreasing = TRUE), ]
  last <- last[match(key(results), key(last)), ]
  label_of <- function(name) {
    of <- labels[labels$label == name, ]
    value <- of$value[match(key(results), key(of))]
    ifelse(is.na(value), "", value)
  }
  final <- data.frame(last[c("verdict", "loads", "parses", "cyclomatic", "cognitive", "code_lines", "comment_rate", "reliability", "security")],
    passed = last$tests_passed, total = last$tests_total, explanation = ifelse(label_of("explanation_accurate") %in% c("yes", "no"), label_of("explanation_accurate"), ""),
    cause = c(code = "code problem", understanding = "understanding problem")[label_of("error_cause")],
    results[c("difficulty", "category", "human_pass_rate", "same")])
  final$cause[is.na(final$cause)] <- ""
  final$accepted <- final$verdict == "accepted"
  final$ratio <- number(final$passed) / pmax(number(final$total), 1)
  run <- if (length(arms) > 0) sessions$arm_name[match(results$session, sessions$session)] else rep(report$models$runs[[1]]$name, nrow(results))
  known <- !is.na(final$verdict) & final$verdict != ""
  final <- final[known, ]
  run <- run[known]
  ids <- vapply(report$models$tasks, function(t) t$id, "")
  final$task <- NA_character_ # a task's id has a number where several tasks have the same
  base <- sub("\r.*", "", sub("^[^\r]*\r", "", final$same))
  for (id in unique(base)) {
    of <- unique(final$same[base == id])
    for (n in seq_along(of)) final$task[final$same == of[n]] <- if (n == 1) id else sprintf("%s (%d)", id, n)
  }
  about <- final[!duplicated(final$task), ]
  weight_by_task <- setNames(weight_of(about), about$task)
  given <- lapply(report$models$runs, function(r) final[run == r$name, ])
  counted_of <- lapply(given, function(rows) {
    failed <- rows$task[rows$verdict == "sandbox_error"]
    rows[rows$verdict != "not_judged" & !rows$task %in% failed, ]
  })
  six_by_run("/models", report$models, counted_of, function(run) weight_by_task, function(category) about$task[about$category == category])
  question_weights("/models/weights", report$models$weights, about)
  at <- which(unlist(report$models$metrics) == "average pass rate") - 1
  for (i in seq_along(ids)) {
    path <- sprintf("/models/tasks/%d", i - 1)
    same(paste0(path, "/test_cases"), max(0, number(final$total[final$task == ids[i]]), na.rm = TRUE))
    for (j in seq_along(counted_of)) {
      of <- counted_of[[j]][counted_of[[j]]$task == ids[i], ]
      if (nrow(of) > 0) same(sprintf("%s/runs/%d/metrics/%d", path, j - 1, at), mean(of$ratio))
    }
  }
}

# What the answers of each model took, and what agents did for them
for (i in seq_along(report$tokens)) {
  of <- report$tokens[[i]]
  path <- sprintf("/tokens/%d", i - 1)
  took(path, of, sessions[sessions$model == of$model, ])
  if (is.null(of$agent)) next
  told <- table_of("attempts")
  told <- told[told$agent_steps != "" & sessions$model[match(told$session, sessions$session)] == of$model, ]
  same(paste0(path, "/agent/answers"), nrow(told))
  same(paste0(path, "/agent/steps"), mean(number(told$agent_steps)))
  same(paste0(path, "/agent/tool_calls"), mean(number(told$agent_tool_calls)))
}

# Comparisons of the answers of two models while people worked
if (!is.null(report$arena)) {
  a <- report$arena
  picks <- table_of("picks")
  picks <- picks[picks$analysed == "1", ]
  at_task <- match(key(picks), key(tasks))
  same("/arena/sessions", length(unique(sessions$session[sessions$status != "withdrawn" & sessions$provider == "arena" | sessions$session %in% picks$session])))
  same("/arena/picks", nrow(picks))
  same("/arena/tasks", length(unique(tasks$same[at_task])))
  same("/arena/testers", length(unique(tasks$by[at_task])))
  if (!is.null(a$comparison_median_s)) same("/arena/comparison_median_s", median(number(picks$compare_ms) / 1000))
  decided <- picks$outcome %in% c("a", "b")
  same("/arena/left/all", sum(decided))
  same("/arena/left/n", sum(picks$outcome == "a"))
  told <- !picks$verdict_a %in% c("", "not_judged", "sandbox_error") & !picks$verdict_b %in% c("", "not_judged", "sandbox_error")
  one_accepted <- decided & told & (picks$verdict_a == "accepted") != (picks$verdict_b == "accepted")
  same("/arena/wrong/all", sum(one_accepted))
  same("/arena/wrong/n", sum(one_accepted & (picks$outcome == "a") != (picks$verdict_a == "accepted")))
  rate_of <- function(path, model, against = NULL) {
    mine <- ifelse(picks$model_a == model, "a", ifelse(picks$model_b == model, "b", ""))
    other <- ifelse(mine == "a", picks$model_b, picks$model_a)
    of <- mine != "" & (is.null(against) | other %in% against)
    same(paste0(path, "/judgements"), sum(of))
    same(paste0(path, "/wins"), sum(of & picks$outcome == mine))
    same(paste0(path, "/losses"), sum(of & decided & picks$outcome != mine))
    same(paste0(path, "/ties"), sum(of & picks$outcome == "equal"))
    same(paste0(path, "/neither"), sum(of & picks$outcome == "neither"))
    if (any(of)) same(paste0(path, "/win_rate"), mean(ifelse(decided[of], picks$outcome[of] == mine[of], 0.5)))
  }
  for (i in seq_along(a$models)) rate_of(sprintf("/arena/models/%d", i - 1), a$models[[i]]$model)
  for (i in seq_along(a$matrix)) rate_of(sprintf("/arena/matrix/%d", i - 1), a$matrix[[i]]$model, a$matrix[[i]]$against)
  for (i in seq_along(a$answers)) {
    path <- sprintf("/arena/answers/%d", i - 1)
    x <- a$answers[[i]]$model
    both <- function(name) c(picks[[paste0(name, "_a")]][picks$model_a == x], picks[[paste0(name, "_b")]][picks$model_b == x])
    verdict <- both("verdict")
    same(paste0(path, "/answers"), length(verdict))
    same(paste0(path, "/judged"), sum(!verdict %in% c("", "not_judged", "sandbox_error")))
    same(paste0(path, "/accepted"), sum(verdict == "accepted"))
    if (length(verdict) > 0) same(paste0(path, "/latency_median_s"), median(number(both("latency_ms")) / 1000))
    same(paste0(path, "/input_tokens"), sum(number(both("input_tokens"))))
    same(paste0(path, "/output_tokens"), sum(number(both("output_tokens"))))
    same(paste0(path, "/cost_usd"), sum(number(both("cost_usd"))))
  }
}

# What is laid down, not computed
same("/attempts/k", max(number(sessions$k)))
same("/method/confidence", 0.95)
same("/method/small", 5)
same("/automatic_sessions", sum(sessions$tester_kind == "automatic"))
same("/testers", length(unique(sessions$by[sessions$status != "withdrawn"])))

finish(c("^/arena/((models|matrix)/[0-9]+/range|scale|style)" = "needs the errors at clusters and the fit of Davidson's model", "^/log/(truncated_answers|cut_prompts)$" = "counts answers of sessions that were withdrawn, too, which are in no table", "^/models/runs/[0-9]+/(by_analyser|agreement)/" = "the ratings of each analyser, which the table of attempts has as JSON", "^/abilities/[0-9]+/(score|pool|needed|score_interval)" = "needs the curves of the tasks that were not chosen, which are in no table", "^/overlap_ratings/(items|overlap|seed|confidence|apart)$" = "laid down by the plan of these ratings, which is in no table"))
