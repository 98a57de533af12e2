# Van der Eijk's agreement A after its definition, in base R: Rscript eijk.R
agreement <- function(V) {
  K <- length(V); N <- sum(V); R <- V; AA <- 0
  while (sum(R) > 0) {
    P <- as.integer(R > 0); m <- min(R[R > 0]); S <- sum(P)
    if (S == 1) A <- 1 else {
      t <- combn(K, 3); p <- matrix(P[t], nrow = 3)
      TDU <- sum(p[1,] == 1 & p[2,] == 0 & p[3,] == 1)
      TU <- sum(p[1,] == 1 & p[2,] == 1 & p[3,] == 0) + sum(p[1,] == 0 & p[2,] == 1 & p[3,] == 1)
      A <- if (TU + TDU == 0) 0 else ((K-2)*TU - (K-1)*TDU) / ((K-2)*(TU+TDU)) * (1 - (S-1)/(K-1))
    }
    AA <- AA + S * m / N * A; R <- R - P * m
  }
  AA
}
for (v in list(c(30,40,210,130,530,50,10), c(4,0,0,0,0,1), c(0,1,0,0,0,4), c(3,2,0,0,0,0), c(0,0,3,0,2,0), c(2,2,1,0,0,0), c(1,1,1,1,1,0), c(1,0,1,0,1,0,2), c(5,0,7,2,1))) cat(paste(v, collapse=","), sprintf("%.10f", agreement(v)), "\n")
