# Agreement of three raters in base R: Rscript agreement.R > agreement.txt, in this folder.
# Krippendorff's alpha (2011) by its coincidence matrix, Cohen's kappa with linear weights,
# Fleiss' kappa, and ICC(2,1) and ICC(2,k) from the mean squares of aov (Shrout & Fleiss 1979).
d <- read.csv("ratings.csv", stringsAsFactors = FALSE)
wide <- function(column) tapply(d[[column]], list(d$item, d$rater), function(x) x[1])

alpha <- function(m, level) {
  v <- sort(unique(as.vector(m[!is.na(m)])))
  o <- matrix(0, length(v), length(v))
  for (i in seq_len(nrow(m))) {
    u <- m[i, !is.na(m[i, ])]
    if (length(u) < 2) next
    for (a in seq_along(u)) for (b in seq_along(u)) if (a != b) {
      x <- match(u[a], v); y <- match(u[b], v)
      o[x, y] <- o[x, y] + 1 / (length(u) - 1)
    }
  }
  n <- rowSums(o)
  delta <- outer(seq_along(v), seq_along(v), Vectorize(function(x, y) {
    if (x == y) return(0)
    if (level == "interval") return((v[x] - v[y])^2)
    (sum(n[min(x, y):max(x, y)]) - (n[x] + n[y]) / 2)^2
  }))
  1 - (sum(n) - 1) * sum(o * delta) / sum(outer(n, n) * delta)
}

kappa <- function(a, b, k) {
  both <- !is.na(a) & !is.na(b); a <- a[both]; b <- b[both]
  p <- table(factor(a, 1:k), factor(b, 1:k)) / length(a)
  w <- 1 - abs(outer(1:k, 1:k, "-")) / (k - 1)
  pe <- sum(w * outer(rowSums(p), colSums(p)))
  (sum(w * p) - pe) / (1 - pe)
}

icc <- function(m) {
  m <- m[complete.cases(m), ]
  long <- data.frame(y = as.vector(m), t = factor(rep(seq_len(nrow(m)), ncol(m))), r = factor(rep(seq_len(ncol(m)), each = nrow(m))))
  ms <- summary(aov(y ~ t + r, long))[[1]][["Mean Sq"]]
  n <- nrow(m); k <- ncol(m)
  c((ms[1] - ms[3]) / (ms[1] + (k - 1) * ms[3] + k * (ms[2] - ms[3]) / n), (ms[1] - ms[3]) / (ms[1] + (ms[2] - ms[3]) / n))
}

fleiss <- function(m) {
  m <- m[complete.cases(m), ]
  t <- table(row(m), m)
  k <- ncol(m); n <- nrow(m)
  p <- mean((rowSums(t^2) - k) / (k * (k - 1)))
  e <- sum((colSums(t) / (n * k))^2)
  (p - e) / (1 - e)
}

say <- function(name, value) cat(name, sprintf("%.12f", value), "\n")
total <- 0
for (column in c("accuracy", "clarity")) {
  m <- wide(column); total <- total + m
  say(paste(column, "ordinal"), alpha(m, "ordinal"))
  say(paste(column, "interval"), alpha(m, "interval"))
  for (p in list(c(1, 2), c(1, 3), c(2, 3))) say(paste(column, "kappa", LETTERS[p[1]], LETTERS[p[2]]), kappa(m[, p[1]], m[, p[2]], 5))
  i <- icc(m); say(paste(column, "icc21"), i[1]); say(paste(column, "icc2k"), i[2])
}
say("total ordinal", alpha(total, "ordinal"))
say("total interval", alpha(total, "interval"))
i <- icc(total); say("total icc21", i[1]); say("total icc2k", i[2])
say("explained fleiss", fleiss(wide("explained")))
# Each item by two of the three raters: the n-th lacks the rater n modulo 3.
for (column in c("accuracy", "clarity")) {
  m <- wide(column)
  for (n in seq_len(nrow(m))) m[n, 1 + (n - 1) %% 3] <- NA
  say(paste("two", column, "ordinal"), alpha(m, "ordinal"))
  say(paste("two", column, "interval"), alpha(m, "interval"))
}
