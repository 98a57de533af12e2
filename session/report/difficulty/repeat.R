
logit <- function(p) log(p) - log1p(-p)

# Wilson's interval of a mean score, with the effective number of tasks and Student's t.
score_interval <- function(x) {
  n <- length(x)
  m <- mean(x)
  if (n < 6 || sd(x) == 0 && m > 0 && m < 1) return(NULL)
  effective <- if (sd(x) > 0) n * m * (1 - m) / (var(x) * (n - 1) / n) else n
  z <- qt(0.975, n - 1)^2 / effective
  half <- sqrt(z * m * (1 - m) + z^2 / 4) / (1 + z)
  c(max(0, (m + z / 2) / (1 + z) - half), min(1, (m + z / 2) / (1 + z) + half))
}
mean_interval <- function(x) if (length(x) >= 6 && sd(x) > 0) as.vector(t.test(x)$conf.int)
tau_b <- function(x, y) suppressWarnings(cor(x, y, method = "kendall"))
kendall_p <- function(x, y) { # exact without ties for up to 33 pairs, else normal with the variance for ties (Kendall & Gibbons)
  n <- length(x)
  if (n <= 33 && !anyDuplicated(x) && !anyDuplicated(y)) return(cor.test(x, y, method = "kendall", exact = TRUE)$p.value)
  excess <- sum(sign(outer(x, x, "-")) * sign(outer(y, y, "-"))) / 2
  ties <- lapply(list(x, y), function(v) tabulate(match(v, unique(v)))) # values that print alike are not one
  sums <- vapply(ties, function(t) c(sum(t * (t - 1) / 2), sum(t * (t - 1) * (t - 2)), sum(t * (t - 1) * (2 * t + 5))), c(0, 0, 0))
  m <- n * (n - 1)
  v <- (m * (2 * n + 5) - sum(sums[3, ])) / 18 + 2 * prod(sums[1, ]) / m + if (prod(sums[2, ]) > 0) prod(sums[2, ]) / (9 * m * (n - 2)) else 0
  min(1, 2 * pnorm(abs(excess) / sqrt(v), lower.tail = FALSE))
}
# Anderson & Darling's test of two samples (Scholz & Stephens 1987, midranks), and its p by their table 2:
# between its ends a quadratic through the logarithms of the levels.
anderson_darling <- function(x, y) {
  both <- sort(c(x, y))
  n <- length(both)
  values <- unique(both)
  l <- tabulate(match(both, values), length(values))
  b <- cumsum(l) - l / 2
  square <- sum(vapply(list(x, y), function(g) {
    f <- tabulate(match(g, values), length(values))
    m <- cumsum(f) - f / 2
    sum(l / n * (n * m - b * length(g))^2 / (b * (n - b) - n * l / 4)) / length(g)
  }, 0)) * (n - 1) / n
  inverse <- 1 / length(x) + 1 / length(y)
  h <- sum(1 / seq_len(n - 1))
  g <- sum(vapply(seq_len(n - 2), function(i) sum(1 / ((n - i) * seq(i + 1, n - 1))), 0))
  a <- (4 * g - 6) + (10 - 6 * g) * inverse
  b <- (2 * g - 4) * 4 + 16 * h + (2 * g - 14 * h - 4) * inverse - 8 * h + 4 * g - 6
  c <- (6 * h + 2 * g - 2) * 4 + (4 * h - 4 * g + 6) * 2 + (2 * h - 6) * inverse + 4 * h
  d <- (2 * h + 6) * 4 - 8 * h
  (square - 1) / sqrt((a * n^3 + b * n^2 + c * n + d) / ((n - 1) * (n - 2) * (n - 3)))
}
anderson_p <- function(statistic) {
  level <- c(0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.001)
  critical <- c(0.675, 1.281, 1.645, 1.96, 2.326, 2.573, 3.085) + c(-0.245, 0.25, 0.678, 1.149, 1.822, 2.364, 3.615) + c(-0.105, -0.305, -0.362, -0.391, -0.396, -0.345, -0.154)
  if (statistic < critical[1]) return(level[1])
  if (statistic > critical[7]) return(level[7])
  unname(exp(predict(lm(log(level) ~ critical + I(critical^2)), data.frame(critical = statistic))))
}

# One analysis: the parameters of tasks and respondents with the responses, a row for each respondent.
analyse <- function(a, at, tasks, respondents, responses) {
  path <- function(...) paste0(at, sprintf(...))
  beta3 <- a$model == "\u03b23-IRT"
  place <- if (beta3) logit else identity
  cells <- function(column) {
    m <- matrix(NA_real_, nrow(respondents), nrow(tasks))
    m[cbind(match(responses$respondent, respondents$respondent), match(responses$task, tasks$task))] <- number(responses[[column]])
    m
  }
  y <- cells("score")
  trials <- cells("n")
  known <- !is.na(y)
  binomial <- !all(is.na(trials)) || all(y[known] %in% c(0, 1))
  trials[known & is.na(trials)] <- 1
  if (a$fit$by == "taskeval") {
    trials[known] <- 1
    binomial <- TRUE
  }
  assumed <- any(vapply(a$warnings, function(w) w$kind == "unknown numbers of trials", NA))
  multiples <- Find(function(n) all(abs(y * n - round(y * n)) <= n * 0.00051, na.rm = TRUE), 2:50)
  if (assumed) {
    trials[known] <- if (is.null(multiples)) 1 else multiples
    binomial <- TRUE
  }
  theta <- place(number(respondents$ability))
  delta <- place(number(tasks$difficulty))
  slope <- number(tasks$discrimination)
  p <- t(plogis(slope * outer(delta, theta, function(d, t) t - d)))
  if (assumed && is.null(multiples)) # as many as have the scatter of a fit that is not run here
    trials[known] <- trials[known] * a$tasks[[1]]$outfit / mean((y - p)[, 1]^2 / pmax(p * (1 - p), 1e-9)[, 1], na.rm = TRUE)

  same(path("/fit/responses"), sum(known))
  for (i in seq_len(nrow(respondents))) {
    of <- path("/respondents/%d", i - 1)
    x <- y[i, known[i, ]]
    same(paste0(of, "/mean"), mean(x))
    interval(paste0(of, "/mean_interval"), score_interval(x))
    same(paste0(of, "/n"), length(x))
  }
  for (j in seq_len(nrow(tasks))) {
    of <- path("/tasks/%d", j - 1)
    same(paste0(of, "/mean"), mean(y[, j], na.rm = TRUE))
    same(paste0(of, "/n"), sum(known[, j]))
    same(paste0(of, "/expected"), plogis(slope[j] * (place(mean(number(respondents$ability))) - delta[j])))
    for (k in seq_along(theta)) same(path("/respondents/%d/expected/%d", k - 1, j - 1), p[k, j])
  }
  shown <- if (beta3) pmin(pmax(y, 0.001), 0.999) else y
  same(path("/fit/explained/squared_correlation"), if (sd(shown[known]) > 0 && sd(p[known]) > 0) cor(shown[known], p[known])^2 else NA)
  same(path("/fit/explained/efron"), 1 - sum((shown - p)[known]^2) / sum((shown[known] - mean(shown[known]))^2))

  # Fit: squared standardised residuals. The degrees of freedom of the dispersion are those of the report.
  variance <- pmax(p * (1 - p) / (if (binomial) trials else 1), 1e-9)
  if (!binomial) {
    ratios <- outer(theta, delta, function(t, d) plogis(t, log.p = TRUE) - plogis(d, log.p = TRUE))
    others <- outer(theta, delta, function(t, d) plogis(-t, log.p = TRUE) - plogis(-d, log.p = TRUE))
    s <- matrix(slope, nrow(p), ncol(p), byrow = TRUE)
    variance <- pmax(p * (1 - p) / (exp(s * ratios) + exp(s * others) + 1), 1e-9)
  }
  z <- (y - p)^2 / variance
  weight <- if (binomial) trials^2 else 1
  free <- a$fit$dispersion$freedom
  if (isTRUE(a$fit$dispersion$known) && is.null(a$joint)) same(path("/fit/dispersion/ratio"), sum((weight * (y - p)^2)[known]) / sum((weight * variance)[known]) * sum(known) / free, 1e-5)
  for (i in seq_len(nrow(respondents))) same(path("/respondents/%d/outfit", i - 1), mean(z[i, ], na.rm = TRUE), 1e-5)
  for (j in seq_len(nrow(tasks))) same(path("/tasks/%d/outfit", j - 1), mean(z[, j], na.rm = TRUE), 1e-5)

  # Information of answers to all tasks; that of answers with a beta distribution is another.
  if (binomial) for (k in seq_along(a$abilities)) {
    e <- plogis(slope * (place(a$abilities[[k]]) - delta))
    same(path("/information/%d", k - 1), sum(colMeans(trials, na.rm = TRUE) * slope^2 * e * (1 - e)), 1e-6)
  }

  for (i in seq_along(a$topics)) {
    of <- path("/topics/%d", i - 1)
    topic <- number(tasks$topic) == i
    same(paste0(of, "/difficulty"), mean(number(tasks$difficulty)[topic]))
    interval(paste0(of, "/difficulty_interval"), mean_interval(number(tasks$difficulty)[topic]))
    same(paste0(of, "/discrimination"), mean(slope[topic]))
    interval(paste0(of, "/discrimination_interval"), mean_interval(slope[topic]))
    for (k in seq_len(nrow(y))) {
      x <- y[k, topic & known[k, ]]
      same(paste0(of, sprintf("/mean/%d", k - 1)), if (length(x) > 0) mean(x) else NA)
      interval(paste0(of, sprintf("/mean_interval/%d", k - 1)), if (length(x) > 0) score_interval(x))
    }
  }

  # How the chosen tasks rank the respondents that did not choose them.
  ranking <- a$subset$ranking
  if (!is.null(ranking)) {
    chosen <- match(unlist(a$subset$ids), tasks$task)
    rest <- !respondents$respondent %in% unlist(a$subset$chosen_by)
    over <- function(which) round(rowMeans(y[rest, which, drop = FALSE], na.rm = TRUE), 12)
    tau <- tau_b(over(chosen), over(seq_len(ncol(y))))
    same(path("/subset/ranking/tau_b"), tau)
    same(path("/subset/ranking/n"), sum(rest))
    random <- unlist(ranking$random) # their values are drawn, and taken from the report
    same(path("/subset/ranking/quantile_95"), unname(quantile(random, 0.95)))
    same(path("/subset/ranking/below"), mean((random < tau - 1e-12) + 0.5 * (abs(random - tau) <= 1e-12)))
  }
  for (name in c("by_difficulty", "by_discrimination")) {
    rows <- a$constructs[[name]]
    for (of in c("p", "ad_p")) {
      corrected <- p.adjust(vapply(rows, function(r) r[[of]], 0), "holm")
      for (i in seq_along(rows)) same(path("/constructs/%s/%d/%s_holm", name, i - 1, of), corrected[i])
    }
  }
  if (beta3 && binomial && a$fit$by != "taskeval" && is.null(a$joint)) refit(path, theta, y, trials, tasks)
  p
}

# The items of β3-IRT, fitted once more: given the abilities, difficulty and discrimination are where their
# posterior is highest, with a uniform prior of difficulty from 0 to 1 and a normal one of discrimination.
refit <- function(path, theta, y, trials, tasks) {
  for (j in seq_len(nrow(tasks))) {
    of <- which(!is.na(y[, j]))
    score <- pmin(pmax(y[of, j], 0.001), 0.999)
    minus <- function(x) {
      e <- x[2] * (theta[of] - x[1])
      (x[2] - 1)^2 / 2 - plogis(x[1], log.p = TRUE) - plogis(-x[1], log.p = TRUE) -
        sum(trials[of, j] * (score * plogis(e, log.p = TRUE) + (1 - score) * plogis(-e, log.p = TRUE)))
    }
    starts <- expand.grid(quantile(theta, c(0.02, 0.5, 0.98)), c(1, -1)) # there may be several peaks
    found <- apply(starts, 1, function(s) optim(s, minus, method = "BFGS", control = list(reltol = 1e-14, maxit = 1000)), simplify = FALSE)
    best <- found[[which.min(vapply(found, function(f) f$value, 0))]]
    same(path("/tasks/%d/difficulty/value", j - 1), plogis(best$par[1]), 1e-3)
    same(path("/tasks/%d/discrimination/value", j - 1), best$par[2], 1e-3)
  }
}

# Shares of the tasks by the expected score.
spread <- function(path, x) {
  same(paste0(path, "/at_most_10"), mean(x <= 0.1))
  same(paste0(path, "/40_to_60"), mean(x >= 0.4 & x <= 0.6))
  same(paste0(path, "/at_least_90"), mean(x >= 0.9))
}

# The constructs in models' programs beside the tasks' parameters, and the answers to tasks whose
# discrimination is negative.
constructs <- function(path, a, tasks, means) {
  used <- tasks[tasks$task %in% means$task, ]
  same(paste0(path, "/tasks"), nrow(used))
  same(paste0(path, "/samples"), sum(number(means$samples)))
  parameters <- list(difficulty = number(used$difficulty), discrimination = abs(number(used$discrimination)))
  for (name in names(parameters)) {
    same(sprintf("%s/%s_at", path, name), median(parameters[[name]]))
    rows <- a$constructs[[paste0("by_", name)]]
    for (i in seq_along(rows)) {
      at <- sprintf("%s/by_%s/%d", path, name, i - 1)
      of <- means[means$model == rows[[i]]$model, ]
      y <- parameters[[name]][match(of$task, used$task)]
      x <- number(of[[rows[[i]]$construct]])
      order_of <- order(y, match(of$task, used$task))
      half <- seq_len(length(x) %/% 2)
      statistic <- anderson_darling(x[order_of][half], x[order_of][-half])
      same(paste0(at, "/n"), length(x))
      same(paste0(at, "/tau_b"), tau_b(x, y))
      same(paste0(at, "/p"), kendall_p(x, y))
      same(paste0(at, "/ad"), statistic, 1e-6)
      same(paste0(at, "/ad_p"), anderson_p(statistic), 1e-6)
    }
  }
}
# δ beside the difficulty by original prompts, and people's estimates beside models'.
originals <- function(path, o, tasks) {
  both <- tasks[tasks[["original"]] != "" & !tasks$kind %in% c("suspect", "noise"), ]
  x <- number(both$difficulty)
  y <- number(both[["original"]])
  same(paste0(path, "/n"), nrow(both))
  if (!is.null(o$kendall)) {
    same(paste0(path, "/kendall/tau_b"), tau_b(x, y))
    same(paste0(path, "/kendall/n"), nrow(both))
    same(paste0(path, "/kendall/p"), kendall_p(x, y))
  }
  for (i in seq_along(o$rows)) {
    at <- match(o$rows[[i]]$task, both$task)
    same(sprintf("%s/rows/%d/gap", path, i - 1), x[at] - y[at])
  }
}
kappa_of <- function(x, y, k) { # Cohen's with linear weights
  w <- 1 - abs(outer(seq_len(k), seq_len(k), "-")) / (k - 1)
  p <- table(factor(x, 0:(k - 1)), factor(y, 0:(k - 1))) / length(x)
  expected <- sum(w * outer(rowSums(p), colSums(p)))
  (sum(w * p) - expected) / (1 - expected)
}
people <- function(path, p, tasks, table) {
  models <- number(table[["models"]])
  felt <- number(table[["people"]])
  k <- length(p$scale)
  same(paste0(path, "/n"), nrow(table))
  for (shift in list(c("kappa", 0), c("people_one_up", 1), c("people_one_down", -1)))
    if (!is.null(p[[shift[1]]]$value)) same(paste0(path, "/", shift[1], "/value/kappa"), kappa_of(models, pmin(pmax(felt + as.numeric(shift[2]), 0), k - 1), k))
  if (!is.null(p$kendall)) {
    x <- number(tasks$difficulty)[match(table$task, tasks$task)]
    same(paste0(path, "/kendall/tau_b"), tau_b(x, felt))
    same(paste0(path, "/kendall/p"), kendall_p(x, felt))
  }
}
tested <- function(path, t, x, y) if (is.null(t$problem)) {
  statistic <- anderson_darling(x, y)
  same(paste0(path, "/ad"), statistic, 1e-6)
  same(paste0(path, "/p"), anderson_p(statistic), 1e-6)
}
looks <- function(path, a, table) {
  for (name in c("sample", "passed", "total", "first_failing_case")) table[[name]] <- number(table[[name]])
  for (i in seq_along(a$looks)) {
    look <- a$looks[[i]]
    at <- sprintf("%s/%d", path, i - 1)
    mine <- table[table$task == look$task, ]
    failed <- mine$verdict != "accepted"
    same(paste0(at, "/total"), nrow(mine))
    same(paste0(at, "/failed"), sum(failed))
    for (j in seq_along(look$ways)) {
      way <- look$ways[[j]]
      first <- if (is.null(way$first_failing_case)) 0 else way$first_failing_case
      of <- failed & mine$verdict == way$verdict & mine$first_failing_case == first
      same(sprintf("%s/ways/%d/count", at, j - 1), sum(of))
      if (first > 0) same(sprintf("%s/ways/%d/first_failing_case", at, j - 1), mine$first_failing_case[of][1])
    }
    for (j in seq_along(look$answers)) {
      for (name in c("sample", "passed", "total")) same(sprintf("%s/answers/%d/%s", at, j - 1, name), mine[[name]][j])
      if (mine$first_failing_case[j] > 0) same(sprintf("%s/answers/%d/first_failing_case", at, j - 1), mine$first_failing_case[j])
    }
  }
}

# What the page shows of an analysis.
view <- function(v, at, a, p, tasks, respondents, responses) {
  path <- function(...) paste0(at, sprintf(...))
  same(path("/tasks"), nrow(tasks))
  same(path("/respondents"), nrow(respondents))
  same(path("/suspects"), sum(tasks$kind == "suspect"))
  same(path("/noise"), sum(tasks$kind == "noise"))
  same(path("/no_topic"), if (length(a$topics) > 0) sum(tasks$topic == "0") else length(a$no_topic))
  same(path("/erratic_tasks"), sum(number(tasks$outfit) > 1.5))
  same(path("/constant"), sum(tapply(number(responses$score), responses$task, function(x) all(x == x[1]))))
  same(path("/subset"), length(a$subset$ids))
  same(path("/chosen_by"), length(a$subset$chosen_by))
  same(path("/random_subsets"), length(a$subset$ranking$random))
  for (i in seq_len(nrow(p))) {
    spread(path("/expected/%d", i - 1), p[i, ])
    same(path("/expected/%d/median", i - 1), median(p[i, ]))
  }
  ability <- mean(number(respondents$ability))
  same(path("/mean_ability"), ability)
  points <- unlist(a$abilities)
  information <- unlist(a$information)
  told <- function(name, k) {
    same(path("/%s/ability", name), points[k])
    same(path("/%s/information", name), information[k])
  }
  told("most_information", which.max(information))
  told("information_at_mean_ability", which.min(abs(points - ability)))
  for (i in seq_along(v$patterns)) for (name in c("difficulty", "discrimination")) {
    rows <- Filter(function(r) r$construct == v$patterns[[i]]$construct, a$constructs[[paste0("by_", name)]])
    tau <- vapply(rows, function(r) r$tau_b, 0)
    sure <- vapply(rows, function(r) r$p_holm < 0.05, NA)
    of <- path("/patterns/%d/%s", i - 1, name)
    same(paste0(of, "/models"), length(rows))
    same(paste0(of, "/median_tau"), if (length(rows) > 0) median(tau) else 0)
    same(paste0(of, "/up"), sum(sure & tau > 0))
    same(paste0(of, "/down"), sum(sure & tau < 0))
    same(paste0(of, "/ad"), sum(vapply(rows, function(r) r$ad_p_holm < 0.05, NA)))
  }
}

done <- lapply(seq_along(report$analyses), function(i) {
  own <- function(name) table_of(if (length(report$analyses) > 1) paste0(name, i) else name)
  tasks <- own("tasks")
  respondents <- own("respondents")
  responses <- own("responses")
  a <- report$analyses[[i]]
  p <- analyse(a, sprintf("/analyses/%d", i - 1), tasks, respondents, responses)
  if (!is.null(a$constructs$means)) constructs(sprintf("/analyses/%d/constructs", i - 1), a, tasks, own("constructs"))
  if (!is.null(a$originals)) originals(sprintf("/analyses/%d/originals", i - 1), a$originals, tasks)
  felt <- if (length(a$people$rows) > 0) own("people")
  if (!is.null(felt)) {
    people(sprintf("/analyses/%d/people", i - 1), a$people, tasks, felt)
    estimated <- number(tasks$difficulty)[tasks$task %in% felt$task]
    if (!is.null(report$views[[i]]$estimated)) {
      same(sprintf("/views/%d/estimated/n", i - 1), length(estimated))
      tested(sprintf("/views/%d/estimated", i - 1), report$views[[i]]$estimated, estimated, number(tasks$difficulty))
    }
  }
  if (length(a$looks) > 0) looks(sprintf("/analyses/%d/looks", i - 1), a, own("looks"))
  view(report$views[[i]], sprintf("/views/%d", i - 1), a, p, tasks, respondents, responses)
  list(p = p, tasks = tasks, respondents = respondents, felt = felt)
})

# Two benchmarks: medians and quartiles, and Anderson & Darling's test.
median_interval <- function(x) {
  out <- qbinom(0.025, length(x), 0.5) # of the sorted values, so many are outside on either side
  if (pbinom(out, length(x), 0.5) > 0.025) out <- out - 1
  if (out >= 0) sort(x)[c(out + 1, length(x) - out)]
}
if (!is.null(report$comparison)) {
  rows <- report$comparison$rows
  tested <- vapply(rows, function(r) is.null(r$problem), NA)
  corrected <- p.adjust(vapply(rows[tested], function(r) r$p, 0), "holm")
  same("/comparison/tests", sum(tested))
  for (i in seq_along(rows)) {
    path <- sprintf("/comparison/rows/%d", i - 1)
    r <- rows[[i]]
    values <- lapply(done, function(of) if (isTRUE(r$respondent)) of$p[match(r$what, of$respondents$respondent), ] else number(of$tasks[[r$what]]))
    for (side in 1:2) {
      x <- values[[side]]
      of <- paste0(path, c("/first", "/second")[side])
      same(paste0(of, "/n"), length(x))
      same(paste0(of, "/median"), median(x))
      same(paste0(of, "/quartile_1"), unname(quantile(x, 0.25)))
      same(paste0(of, "/quartile_3"), unname(quantile(x, 0.75)))
      interval(paste0(of, "/median_interval"), median_interval(x))
      if (isTRUE(r$respondent)) spread(paste0(of, "/spread"), x)
    }
    if (!is.null(r$difference)) same(paste0(path, "/difference"), mean(values[[2]]) - mean(values[[1]]))
    if (tested[i]) {
      same(paste0(path, "/ad"), anderson_darling(values[[1]], values[[2]]), 1e-6)
      same(paste0(path, "/p_holm"), corrected[sum(tested[seq_len(i)])])
    }
  }
  felt <- report$comparison$people
  if (length(felt$scale) > 0) {
    values <- lapply(done, function(of) number(of$felt[["people"]]))
    tested("/comparison/people", felt, values[[1]], values[[2]])
    for (side in 1:2) {
      name <- c("first", "second")[side]
      same(paste0("/comparison/people/", name), length(values[[side]]))
      for (k in seq_along(felt$scale)) {
        same(sprintf("/comparison/people/scale/%d/%s", k - 1, name), sum(values[[side]] == k - 1))
        same(sprintf("/comparison/people/scale/%d/%s_from", k - 1, name), mean(values[[side]] >= k - 1))
      }
    }
  }
  both <- intersect(done[[1]]$respondents$respondent, done[[2]]$respondents$respondent)
  # who does not link the two is of the fit, and taken from the report
  drifted <- vapply(report$analyses[[1]]$joint$drifted, function(d) d$respondent, "")
  same("/comparison/shared_respondents", length(setdiff(both, drifted)))
  same("/comparison/respondents", length(union(done[[1]]$respondents$respondent, done[[2]]$respondents$respondent)))
}

finish(c(
  "^/analyses/[0-9]+/(respondents/[0-9]+/ability|tasks/[0-9]+/(difficulty|discrimination)|fit/population)/|/difference_interval/" =
    "estimates of the fit as a whole, by marginal likelihood or draws of a Markov chain, which is not run again here",
  "/subset/cross_fit/" = "splits of the respondents that were drawn, whose fits are not run again here",
  "/fit/dispersion/" = "degrees of freedom, or responses of both benchmarks, of the fitting itself",
  "/constructs/by_|/constructs/(tasks|samples|difficulty_at|discrimination_at)$" = "the analysis was stored by a version without the table of constructs",
  "/constructs/(left_out|reference|threshold|weights/.*)$" = "similarities of programs, which are in no table, and how they were chosen",
  "/source/seed$|^/confidence$" = "laid down, not computed"))
