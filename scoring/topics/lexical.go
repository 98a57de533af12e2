package topics

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Lexical places texts by the words that they share: TF-IDF, reduced to its leading dimensions (latent
// semantic analysis, Deerwester et al. 1990), by the randomized singular value decomposition of Halko,
// Martinsson and Tropp (2011, algorithms 4.4 and 5.1). Points have length 1, or 0 for a text that shares no
// word with another, and at most dims dimensions. The random directions decide nothing, since there are many
// power iterations: with four, as usual, other seeds gave other topics. It compares words, not meanings: "sum" and "total" are as far apart as "sum" and "port".
func Lexical(texts []string, dims int) (points [][]float64, err error) {
	if dims < 1 {
		return nil, fmt.Errorf("texts cannot be placed in %d dimensions: ask for 1 or more", dims)
	}
	v := newVocabulary(texts)
	return reduced(v.tfidf(), len(v.words), dims)
}

// Semantic places texts by their vectors from an embedding model. Vectors are scaled to length 1, so only
// directions count (cosine), and centred. The leading principal components are kept (where BERTopic uses
// UMAP), since distances over hundreds or thousands of dimensions hardly differ; the points are scaled to
// length 1 again, or 0 if nothing is left. It is an error if vectors differ in length or have no direction.
func Semantic(vectors [][]float64, dims int) (points [][]float64, err error) {
	if dims < 1 {
		return nil, fmt.Errorf("texts cannot be placed in %d dimensions: ask for 1 or more", dims)
	}
	if len(vectors) == 0 {
		return nil, nil
	}
	mean := make([]float64, len(vectors[0]))
	rows := make([][]entry, len(vectors))
	for i, v := range vectors {
		if len(v) != len(mean) {
			return nil, fmt.Errorf("vector %d has %d numbers, and the first one %d", i, len(v), len(mean))
		}
		largest, sum := 0.0, 0.0 // scaled to avoid overflow
		for _, x := range v {
			largest = max(largest, math.Abs(x)) // max keeps NaN
		}
		for _, x := range v {
			sum += (x / largest) * (x / largest)
		}
		if !(sum > 0) || math.IsInf(largest, 0) {
			return nil, fmt.Errorf("vector %d has no direction", i)
		}
		rows[i] = make([]entry, len(v))
		for d, x := range v {
			rows[i][d] = entry{column: d, weight: x / largest / math.Sqrt(sum)}
			mean[d] += rows[i][d].weight / float64(len(vectors))
		}
	}
	for _, row := range rows {
		for d := range row {
			row[d].weight -= mean[d]
		}
	}
	return reduced(rows, len(mean), dims)
}

// reduced projects rows onto their leading dimensions, scaled to length 1, or 0.
func reduced(rows [][]entry, columns, dims int) ([][]float64, error) {
	n := len(rows)
	points := make([][]float64, n)
	dims = min(dims, n, columns)
	if dims == 0 {
		for i := range points {
			points[i] = []float64{0}
		}
		return points, nil
	}
	const more, rounds = 10, 60 // extra directions, and power iterations
	width := min(dims+more, n, columns)
	random := rand.New(rand.NewPCG(1, 0))
	start := mat.NewDense(columns, width, nil)
	for i := range columns {
		for j := range width {
			start.Set(i, j, random.NormFloat64())
		}
	}
	q := orthonormal(times(rows, start))
	for range rounds {
		q = orthonormal(times(rows, orthonormal(timesTransposed(rows, columns, q))))
	}
	// The rows' image in the directions of q is small, and its left vectors, rotated back, are those of the
	// rows.
	var small mat.SVD
	if !small.Factorize(timesTransposed(rows, columns, q).T(), mat.SVDThin) {
		return nil, fmt.Errorf("the singular value decomposition of %d texts did not converge", n)
	}
	var u, left mat.Dense
	small.UTo(&u)
	left.Mul(q, &u)
	values := small.Values(nil)
	for i := range points {
		length := 0.0
		for d := range dims {
			x := left.At(i, d) * values[d]
			points[i] = append(points[i], x)
			length += x * x
		}
		if length = math.Sqrt(length); length > 1e-9 {
			for d := range points[i] {
				points[i][d] /= length
			}
		} else {
			clear(points[i])
		}
	}
	return points, nil
}

// times returns the product of sparse rows and a matrix.
func times(rows [][]entry, b *mat.Dense) *mat.Dense {
	_, width := b.Dims()
	out := mat.NewDense(len(rows), width, nil)
	for i, row := range rows {
		to := out.RawRowView(i)
		for _, e := range row {
			for j, x := range b.RawRowView(e.column) {
				to[j] += e.weight * x
			}
		}
	}
	return out
}

// timesTransposed returns the product of the transpose of sparse rows and a matrix.
func timesTransposed(rows [][]entry, columns int, b *mat.Dense) *mat.Dense {
	_, width := b.Dims()
	out := mat.NewDense(columns, width, nil)
	for i, row := range rows {
		from := b.RawRowView(i)
		for _, e := range row {
			to := out.RawRowView(e.column)
			for j, x := range from {
				to[j] += e.weight * x
			}
		}
	}
	return out
}

// orthonormal returns a basis of the columns, by modified Gram-Schmidt, twice; dependent columns become
// zero.
func orthonormal(a *mat.Dense) *mat.Dense {
	n, width := a.Dims()
	for j := range width {
		for range 2 {
			for k := range j {
				dot := 0.0
				for i := range n {
					dot += a.At(i, j) * a.At(i, k)
				}
				for i := range n {
					a.Set(i, j, a.At(i, j)-dot*a.At(i, k))
				}
			}
		}
		length := 0.0
		for i := range n {
			length += a.At(i, j) * a.At(i, j)
		}
		length = math.Sqrt(length)
		for i := range n {
			if length < 1e-10 {
				a.Set(i, j, 0)
			} else {
				a.Set(i, j, a.At(i, j)/length)
			}
		}
	}
	return a
}
