package topics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"assay/data/fatal"
)

func TestWords(t *testing.T) {
	got := strings.Join(Words("Write a function readPort(s: str) that doesn't parse_HTTPHeaders of 3 ports, in cities' lists."), " ")
	if want := "read port parse http header port city"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// corpus makes texts of four topics, and some of none.
func corpus(r *rand.Rand) (texts []string, topic []int) {
	themes := [][]string{
		strings.Fields("bracket parenthesis nested balanced depth close open match pair stack"),
		strings.Fields("prime factor divisor modulo integer digit number remainder gcd multiple"),
		strings.Fields("string vowel palindrome reverse letter word character capital prefix suffix"),
		strings.Fields("matrix row column diagonal transpose grid cell neighbour rotate spiral"),
	}
	for i := range 60 {
		theme := themes[i%4]
		var words []string
		for range 12 {
			words = append(words, theme[r.IntN(len(theme))])
		}
		texts, topic = append(texts, "Write a function with "+strings.Join(words, " ")+"."), append(topic, i%4)
	}
	return texts, topic
}

func TestTopicsOfWords(t *testing.T) {
	texts, topic := corpus(rand.New(rand.NewPCG(4, 4)))
	points, err := Lexical(texts, 10)
	fatal.If(t, err)
	f, err := Find(texts, points, MinTexts)
	fatal.If(t, err)
	if len(f.Topics) < 4 {
		t.Fatalf("there are %d topics: %+v", len(f.Topics), f)
	}
	members := len(f.Noise)
	for _, x := range f.Topics {
		members += len(x.Members)
		for _, m := range x.Members {
			if topic[m] != topic[x.Members[0]] {
				t.Errorf("the topic %q mixes %q and %q", x.Name, texts[m], texts[x.Members[0]])
			}
		}
		if len(x.Members) < MinTexts || x.Name == "" || strings.Contains(x.Name, "function") {
			t.Errorf("a topic is %+v", x)
		}
	}
	if members != len(texts) {
		t.Errorf("%d of %d texts are somewhere", members, len(texts))
	}
	again, err := Lexical(texts, 10)
	if err != nil || fmt.Sprint(again) != fmt.Sprint(points) {
		t.Errorf("the same seed gives other points: %v", err)
	}
}

// Words that occur mostly in one group have a higher weight; equal weights are in alphabetical order. Each
// group has six words: one that occurs n times in all has ln(1+6/n) for each occurrence.
func TestTellingWords(t *testing.T) {
	texts := []string{"zebra zebra apple shared zebra mango", "shared kiwi kiwi plum fig grape"}
	for i, want := range []string{"zebra 3.30, apple 1.95, mango 1.95, shared 1.39", "kiwi 2.77, fig 1.95, grape 1.95, plum 1.95, shared 1.39"} {
		var got []string
		for _, w := range telling(texts, [][]int{{0}, {1}})[i] {
			got = append(got, fmt.Sprintf("%s %.2f", w.Text, w.Weight))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q, want %s", got, want)
		}
	}
}

// The dimensions equal those of an exact decomposition: products of points before normalisation equal those
// of the best approximation, here of all dimensions.
func TestTheDecompositionIsExactWhereItMayBe(t *testing.T) {
	texts, _ := corpus(rand.New(rand.NewPCG(9, 9)))
	texts = texts[:12]
	rows := newVocabulary(texts).tfidf()
	points, err := Lexical(texts, 12)
	fatal.If(t, err)
	for i := range rows {
		for j := range rows {
			want := 0.0
			for _, a := range rows[i] {
				for _, b := range rows[j] {
					if a.column == b.column {
						want += a.weight * b.weight
					}
				}
			}
			got := 0.0
			for d := range points[i] {
				got += points[i][d] * points[j][d]
			}
			if math.Abs(got-want) > 1e-8 {
				t.Fatalf("texts %d and %d: %v, want %v", i, j, got, want)
			}
		}
	}
}

func TestMerge(t *testing.T) {
	texts, _ := corpus(rand.New(rand.NewPCG(4, 4)))
	points, err := Lexical(texts, 10)
	fatal.If(t, err)
	f, err := Find(texts, points, MinTexts)
	fatal.If(t, err)
	before := len(f.Topics)
	want := slices.Sorted(slices.Values(append(slices.Clone(f.Topics[0].Members), f.Topics[2].Members...)))
	f.Topics[1].Name = "mine"
	fatal.If(t, f.Merge(texts, 2, 0))
	if len(f.Topics) != before-1 || !slices.Equal(f.Topics[0].Members, want) || f.Topics[1].Name != "mine" {
		t.Errorf("got %+v", f.Topics)
	}
	for _, bad := range [][]int{nil, {1}, {1, 1}, {0, 99}, {-1, 0}} {
		if err := f.Merge(texts, bad...); err == nil {
			t.Errorf("merging %v: no error", bad)
		}
	}
}

func TestTextsThatShareNothing(t *testing.T) {
	for name, texts := range map[string][]string{"none": {}, "empty": {"", "", ""}, "strangers": {"alpha", "beta", "gamma", "delta"}} {
		points, err := Lexical(texts, 5)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f, err := Find(texts, points, MinTexts)
		if err != nil || len(f.Topics) != 0 || len(f.Noise) != len(texts) {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
	if _, err := Lexical([]string{"a"}, 0); err == nil {
		t.Error("no dimensions: no error")
	}
	if _, err := Find([]string{"a"}, nil, 3); err == nil {
		t.Error("no points: no error")
	}
	if _, err := Find(nil, nil, 2); err == nil {
		t.Error("topics of two: no error")
	}
}

func BenchmarkLexical(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var texts []string
	for range 2000 {
		var words []string
		for range 80 {
			words = append(words, fmt.Sprintf("w%c%c", 'a'+r.IntN(26), 'a'+r.IntN(26)))
		}
		texts = append(texts, strings.Join(words, " "))
	}
	for b.Loop() {
		if _, err := Lexical(texts, 15); err != nil {
			b.Fatal(err)
		}
	}
}

// Texts without weight in the retained dimensions are placed at 0, not at rounding errors.
func TestNothingIsLeft(t *testing.T) {
	texts := append(slices.Repeat([]string{"merge sorted intervals"}, 4), slices.Repeat([]string{"prime factors"}, 3)...)
	points, err := Lexical(texts, 1)
	fatal.If(t, err)
	for i, p := range points {
		if len(p) != 1 || i < 4 && math.Abs(p[0]) != 1 || i >= 4 && p[0] != 0 {
			t.Errorf("text %d lies at %v", i, p)
		}
	}
}

// Semantic uses only directions, and separates what all texts share from their differences.
func TestSemantic(t *testing.T) {
	vectors := [][]float64{{10, 1, 0}, {20, 2, 0}, {10, 0, 1}, {1e200, 0, 1e199}}
	points, err := Semantic(vectors, 2)
	fatal.If(t, err)
	for i := range points {
		for j := range points {
			near := distance(points[i], points[j])
			if same := i/2 == j/2; same && near > 1e-6 || !same && near < 1.9 {
				t.Errorf("%d and %d are %v apart: %v", i, j, near, points)
			}
		}
	}
	if points, err := Semantic([][]float64{{1, 2}, {2, 4}}, 3); err != nil || points[0][0] != 0 {
		t.Errorf("two of one direction lie at %v, %v", points, err)
	}
	if points, err := Semantic(nil, 3); err != nil || points != nil {
		t.Errorf("nothing: %v, %v", points, err)
	}
	for name, bad := range map[string][][]float64{
		"in length": {{1, 2}, {1}}, "nothing": {{1}, {0}}, "a NaN": {{1, math.NaN()}}, "infinite": {{math.Inf(1), 1}}, "empty": {{}},
	} {
		if points, err := Semantic(bad, 2); err == nil {
			t.Errorf("%s: %v", name, points)
		}
	}
	if _, err := Semantic(vectors, 0); err == nil {
		t.Error("no dimensions: no error")
	}
}

// Topics with the same distinctive words get different names.
func TestNamesOfTopicsDiffer(t *testing.T) {
	var texts []string
	for range 3 {
		texts = append(texts, "alpha beta gamma", "alpha beta gamma", "alpha beta gamma")
	}
	f := Found{Topics: []Topic{{Members: []int{0, 1, 2}}, {Members: []int{3, 4, 5}}, {Members: []int{6, 7, 8}}}}
	f.name(texts)
	for i, x := range f.Topics {
		for _, y := range f.Topics[:i] {
			if x.Name == y.Name || x.Name == "" {
				t.Errorf("two topics are called %q", x.Name)
			}
		}
	}
}

// The points are those of an exact decomposition, so that no random start decides what the topics are.
func TestPointsAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	var words, texts []string
	for range 300 {
		words = append(words, fmt.Sprintf("word%c%c", 'a'+random.IntN(26), 'a'+random.IntN(26)))
	}
	for range 120 {
		var text []string
		for range 20 {
			text = append(text, words[random.IntN(len(words))])
		}
		texts = append(texts, strings.Join(text, " "))
	}
	const dims = 15
	points, err := Lexical(texts, dims)
	fatal.If(t, err)
	v := newVocabulary(texts)
	rows := mat.NewDense(len(texts), len(v.words), nil)
	for i, row := range v.tfidf() {
		for _, e := range row {
			rows.Set(i, e.column, e.weight)
		}
	}
	var svd mat.SVD
	if !svd.Factorize(rows, mat.SVDThin) {
		t.Fatal("no exact decomposition")
	}
	var u mat.Dense
	svd.UTo(&u)
	values := svd.Values(nil)
	for i := range points {
		for j := range i {
			var got, want, a, b float64
			for d := range dims {
				got += points[i][d] * points[j][d]
				x, y := u.At(i, d)*values[d], u.At(j, d)*values[d]
				want, a, b = want+x*y, a+x*x, b+y*y
			}
			if want /= math.Sqrt(a * b); math.Abs(got-want) > 1e-6 {
				t.Fatalf("texts %d and %d: %v, want %v", i, j, got, want)
			}
		}
	}
}
