# Writes hdbscan.json: generated sets of points, and the clusters that R's dbscan finds in
# them by excess of mass. Run in this folder: Rscript hdbscan.R
suppressMessages({library(dbscan); library(jsonlite)})
set.seed(20261122)
sets <- list()
for (i in 1:40) {
  d <- sample(2:5, 1); k <- sample(1:6, 1); n <- sample(20:120, 1)
  centres <- matrix(runif(k * d, -6, 6), k, d)
  which <- sample(k, n, replace = TRUE)
  x <- centres[which, , drop = FALSE] + matrix(rnorm(n * d, sd = runif(1, 0.3, 1.5)), n, d)
  if (i %% 3 == 0) x <- rbind(x, matrix(runif(10 * d, -8, 8), 10, d))
  x <- round(x, 6)
  m <- sample(3:9, 1)
  sets[[i]] <- list(min_size = m, points = x, labels = hdbscan(x, minPts = m)$cluster)
}
write(toJSON(list(dbscan = as.character(packageVersion("dbscan")), sets = sets), digits = 6, auto_unbox = TRUE), "hdbscan.json")
