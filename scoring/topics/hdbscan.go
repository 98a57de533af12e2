package topics

import (
	"fmt"
	"math"
	"slices"
)

// Noise is the label of a point that belongs to no cluster.
const Noise = -1

// Selection is the rule for selecting clusters from the hierarchy.
type Selection int

const (
	// Leaf selects the clusters that do not split further: many small and even ones.
	Leaf Selection = iota
	// ExcessOfMass selects the clusters that persist longest.
	ExcessOfMass
)

// Clusters are the result of hdbscan.
type Clusters struct {
	Labels    []int     // by point: the number of its cluster from 0, or Noise
	Stability []float64 // by cluster: its excess of mass, in points × 1/distance
}

// hdbscan clusters points by density (Campello, Moulavi and Sander 2013): single linkage over mutual
// reachability distances, the hierarchy condensed to clusters of at least minSize points, of which some are
// selected. As in R's dbscan, minSize is also the number of points, itself included, within a point's core
// distance, and points of a part too small to be a cluster count until they are alone; in the paper they
// count until the part splits off. The whole set is never a cluster. Clusters are numbered by their first
// point. Time is O(n²), space O(n). It is an error if minSize is below 2, if points differ in dimension, or
// if a coordinate is not finite.
func hdbscan(points [][]float64, minSize int, s Selection) (Clusters, error) {
	if minSize < 2 {
		return Clusters{}, fmt.Errorf("clusters of at least %d points cannot be found: ask for 2 or more", minSize)
	}
	for i, p := range points {
		if len(p) != len(points[0]) {
			return Clusters{}, fmt.Errorf("point %d has %d coordinates, and the first one %d", i, len(p), len(points[0]))
		}
		for _, x := range p {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return Clusters{}, fmt.Errorf("point %d has a coordinate that is no number", i)
			}
		}
	}
	c := Clusters{Labels: make([]int, len(points))}
	for i := range c.Labels {
		c.Labels[i] = Noise
	}
	if len(points) < 2*minSize {
		return c, nil // two clusters are impossible
	}
	t := condense(linkage(points, minSize), len(points), minSize)
	t.label(&c, t.choose(s))
	return c, nil
}

// edge joins two points, or their groups, at a distance.
type edge struct {
	a, b     int
	distance float64
}

// linkage returns the minimum spanning tree of the mutual reachability distances, by Prim's algorithm, with
// its edges in ascending order.
func linkage(points [][]float64, minSize int) []edge {
	n := len(points)
	core := make([]float64, n)
	row := make([]float64, n)
	for i := range points {
		for j := range points {
			row[j] = distance(points[i], points[j])
		}
		slices.Sort(row) // the first is the point itself
		core[i] = row[minSize-1]
	}
	nearest := make([]float64, n) // distance to the tree
	from := make([]int, n)
	in := make([]bool, n)
	for i := range nearest {
		nearest[i] = math.Inf(1)
	}
	var tree []edge
	at := 0
	for range n - 1 {
		in[at] = true
		next := -1
		for j := range points {
			if in[j] {
				continue
			}
			if d := max(distance(points[at], points[j]), core[at], core[j]); d < nearest[j] {
				nearest[j], from[j] = d, at
			}
			if next < 0 || nearest[j] < nearest[next] {
				next = j
			}
		}
		tree = append(tree, edge{from[next], next, nearest[next]})
		at = next
	}
	slices.SortStableFunc(tree, func(x, y edge) int {
		switch {
		case x.distance < y.distance:
			return -1
		case x.distance > y.distance:
			return 1
		}
		return 0
	})
	return tree
}

func distance(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return math.Sqrt(sum)
}

// merge is a node of the dendrogram: it joins two points (below n) or earlier merges (n and above) at a
// density.
type merge struct {
	left, right int
	lambda      float64 // 1/distance
	size        int
}

// dendrogram converts the edges of a spanning tree to merges.
func dendrogram(tree []edge, n int) []merge {
	// Identical points have distance 0; replace it by a distance far below the smallest.
	least := math.Inf(1)
	for _, e := range tree {
		if e.distance > 0 {
			least = min(least, e.distance)
		}
	}
	if math.IsInf(least, 1) {
		least = 1
	}
	parent := make([]int, n, 2*n)
	size := make([]int, n, 2*n)
	for i := range parent {
		parent[i], size[i] = i, 1
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	var all []merge
	for _, e := range tree {
		a, b := root(e.a), root(e.b)
		at := n + len(all)
		all = append(all, merge{a, b, 1 / max(e.distance, least*1e-6), size[a] + size[b]})
		parent, size = append(parent, at), append(size, size[a]+size[b])
		parent[a], parent[b] = at, at
	}
	return all
}

// condensed is the hierarchy of clusters of at least minSize points; 0 is the whole set.
type condensed struct {
	clusters []cluster
}

type cluster struct {
	birth     float64   // density at which it appears
	children  []int     // two, or none
	split     float64   // density at which it splits
	left      int       // points left when it splits; 0 if it has no children
	points    []int     // that left it before
	until     []float64 // the densities at which they left
	stability float64
}

// condense walks the dendrogram from the top: if both parts are large enough they become clusters;
// otherwise the points of the small ones leave.
func condense(tree []edge, n, minSize int) condensed {
	merges := dendrogram(tree, n)
	sizeOf := func(node int) int {
		if node < n {
			return 1
		}
		return merges[node-n].size
	}
	t := condensed{clusters: []cluster{{}}}
	type visit struct{ node, cluster int }
	todo := []visit{{n + len(merges) - 1, 0}}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		m := merges[v.node-n]
		parts := []int{m.left, m.right}
		if sizeOf(m.left) >= minSize && sizeOf(m.right) >= minSize {
			t.clusters[v.cluster].split, t.clusters[v.cluster].left = m.lambda, m.size
			for _, part := range parts {
				t.clusters[v.cluster].children = append(t.clusters[v.cluster].children, len(t.clusters))
				t.clusters = append(t.clusters, cluster{birth: m.lambda})
				todo = append(todo, visit{part, len(t.clusters) - 1})
			}
			continue
		}
		for _, part := range parts {
			if sizeOf(part) >= minSize {
				todo = append(todo, visit{part, v.cluster})
				continue
			}
			c := &t.clusters[v.cluster]
			c.leave(merges, n, part, m.lambda)
		}
	}
	for i := range t.clusters {
		t.clusters[i].weigh()
	}
	return t
}

// leave makes the points below a node leave, each at the density at which it is alone.
func (c *cluster) leave(merges []merge, n, node int, lambda float64) {
	type visit struct {
		node   int
		lambda float64 // of the parent merge
	}
	todo := []visit{{node, lambda}}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if v.node < n {
			c.points, c.until = append(c.points, v.node), append(c.until, v.lambda)
			continue
		}
		m := merges[v.node-n]
		todo = append(todo, visit{m.left, m.lambda}, visit{m.right, m.lambda})
	}
}

// weigh computes the excess of mass: the sum over points of the density range in which they belong to the
// cluster.
func (c *cluster) weigh() {
	for _, until := range c.until {
		if c.left > 0 {
			until = min(until, c.split)
		}
		c.stability += until - c.birth
	}
	if c.left > 0 {
		c.stability += float64(c.left) * (c.split - c.birth)
	}
}

// choose lists the selected clusters.
func (t condensed) choose(s Selection) []int {
	taken := make([]bool, len(t.clusters))
	best := make([]float64, len(t.clusters)) // of a cluster, or of the best below it
	// Children come after their parents.
	for i := len(t.clusters) - 1; i > 0; i-- {
		c := t.clusters[i]
		if len(c.children) == 0 {
			taken[i], best[i] = true, c.stability
			continue
		}
		below := best[c.children[0]] + best[c.children[1]]
		if best[i] = below; s == ExcessOfMass && c.stability >= below {
			taken[i], best[i] = true, c.stability
		}
	}
	var chosen []int
	todo := slices.Clone(t.clusters[0].children)
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if taken[i] {
			chosen = append(chosen, i)
			continue
		}
		todo = append(todo, t.clusters[i].children...)
	}
	return chosen
}

// label assigns points to their selected clusters.
func (t condensed) label(c *Clusters, chosen []int) {
	members := make([][]int, len(chosen))
	for k, i := range chosen {
		todo := []int{i}
		for len(todo) > 0 {
			at := t.clusters[todo[len(todo)-1]]
			todo = append(todo[:len(todo)-1], at.children...)
			members[k] = append(members[k], at.points...)
		}
	}
	order := make([]int, len(chosen))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return slices.Min(members[a]) - slices.Min(members[b]) })
	for number, k := range order {
		for _, p := range members[k] {
			c.Labels[p] = number
		}
		c.Stability = append(c.Stability, t.clusters[chosen[k]].stability)
	}
}
