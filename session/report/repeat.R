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
shown <- unique(regmatches(page, gregexpr('(?<=<data value=")[^"]+', page, perl = TRUE))[[1]])
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
  a <- t^2 / (if (v > 1e-12 * p * (1 - p)) n * p * (1 - p) / v else n / ends)
  centre <- (p + a / 2) / (1 + a)
  half <- sqrt(p * (1 - p) * a + a^2 / 4) / (1 + a)
  low + (high - low) * pmin(pmax(c(centre - half, centre + half), 0), 1)
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
