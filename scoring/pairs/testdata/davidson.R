# Writes davidson.json: judgements, and Davidson's model fitted as a log-linear model (Fienberg & Larntz, Biometrika 63,
# 1976) by R's glm, with sandwich errors at the tasks, times G/(G-1); and, of the judgements without ties, the model of
# Bradley & Terry by the package BradleyTerry2. Run: Rscript davidson.R >davidson.json
suppressMessages(library(BradleyTerry2))
set.seed(58)
n <- 240; m <- 5
theta <- c(0.8, 0.3, 0, -0.4, -0.7)
a <- sample(m, n, TRUE); b <- (a + sample(m - 1, n, TRUE) - 1) %% m + 1
task <- rep(1:40, each = 6)
len <- round(rnorm(n), 2)
s <- theta[a] - theta[b] + 0.25 + 0.3 * len + 0.5 * rnorm(40)[task]
p <- cbind(exp(s / 2), exp(-s / 2), 0.6); p <- p / rowSums(p)
outcome <- apply(p, 1, function(q) sample(3, 1, prob = q))
x <- matrix(0, n, m - 1); for (i in 1:n) { if (a[i] < m) x[i, a[i]] <- 1; if (b[i] < m) x[i, b[i]] <- x[i, b[i]] - 1 }
x <- cbind(x, 1, len)
fit <- function(x) {
  k <- ncol(x); z <- matrix(0, 3 * n, k + 1); y <- numeric(3 * n)
  for (i in 1:n) {
    z[3 * i - 2, 1:k] <- x[i, ] / 2; z[3 * i - 1, 1:k] <- -x[i, ] / 2; z[3 * i, k + 1] <- 1
    y[3 * i - 3 + outcome[i]] <- 1
  }
  f <- factor(rep(1:n, each = 3))
  g <- glm(y ~ f + z - 1, family = poisson, control = list(epsilon = 1e-14, maxit = 100))
  mm <- model.matrix(g); score <- mm * (y - fitted(g))
  sums <- rowsum(score, rep(task, each = 3)); G <- nrow(sums)
  bread <- solve(crossprod(mm, mm * fitted(g)))
  V <- bread %*% crossprod(sums) %*% bread * G / (G - 1)
  w <- n + 1:(k + 1)
  list(beta = unname(coef(g)[w]), V = V[w, w])
}
contrasts <- function(r, k) {
  C <- rbind(cbind(diag(m - 1), matrix(0, m - 1, k + 1 - (m - 1))), 0)
  C <- C - matrix(colMeans(C), m, k + 1, byrow = TRUE)
  list(strength = drop(C %*% r$beta), se = sqrt(diag(C %*% r$V %*% t(C))))
}
full <- fit(x); c1 <- contrasts(full, m + 1)
plain <- fit(x[, 1:(m - 1)]); c2 <- contrasts(plain, m - 1)
d <- data.frame(win = as.numeric(outcome == 1), p1 = factor(a, levels = 1:m), p2 = factor(b, levels = 1:m))[outcome < 3, ]
bt <- BTm(win, p1, p2, data = d, refcat = "5", epsilon = 1e-14)
ab <- c(coef(bt), 0); ab <- unname(ab - mean(ab))
js <- function(v) paste0("[", paste(format(v, digits = 15, trim = TRUE), collapse = ", "), "]")
cat("{\n")
for (v in list(c("a", "a"), c("b", "b"), c("outcome", "outcome"), c("task", "task"), c("len", "len"))) cat(sprintf(' "%s": %s,\n', v[1], js(get(v[2]))))
cat(sprintf(' "strength": %s,\n "se": %s,\n "tie": %s,\n', js(c1$strength), js(c1$se), format(exp(full$beta[m + 2]), digits = 15)))
cat(sprintf(' "effects": %s,\n "effect_se": %s,\n', js(full$beta[m:(m + 1)]), js(sqrt(diag(full$V))[m:(m + 1)])))
cat(sprintf(' "plain_strength": %s,\n "plain_se": %s,\n "no_ties": %s\n}\n', js(c2$strength), js(c2$se), js(ab)))
