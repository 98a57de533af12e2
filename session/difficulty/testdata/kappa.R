# Linear weighted kappa with its standard error, and Kendall's tau-b, in base R: Rscript kappa.R
# weighted kappa, linear, base R, with the large-sample standard error
kappa <- function(a, b, k) {
  n <- length(a); p <- table(factor(a, 0:(k-1)), factor(b, 0:(k-1))) / n
  w <- 1 - abs(outer(0:(k-1), 0:(k-1), "-")) / (k-1)
  r <- rowSums(p); c <- colSums(p); po <- sum(w*p); pe <- sum(w * outer(r, c))
  K <- (po-pe)/(1-pe)
  wr <- as.vector(w %*% c); wc <- as.vector(t(w) %*% r)
  se <- sqrt((sum(p * (w - outer(wr, wc, "+") * (1-K))^2) - (K - pe*(1-K))^2) / (n * (1-pe)^2))
  c(K, se)
}
d <- c(0.02,0.95,0.31,0.64,0.88,0.12,0.45,0.55,0.07,0.71,0.99,0.28,0.36,0.81,0.17,0.60,0.49,0.90,0.23,0.03)
h <- c(2,2,1,3,4,0,2,1,1,5,3,2,2,3,0,4,1,5,3,1)
m <- pmin(floor(d*6), 5)
for (s in -1:1) cat(s, sprintf("%.10f", kappa(m, pmin(pmax(h+s,0),5), 6)), "\n")
cat("tau", sprintf("%.10f", cor(d, h, method="kendall")), "\n")
cat("m", m, "\n")
