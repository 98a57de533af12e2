package extract
import "assay/benchmark"
type Extraction struct { Code, Method string; Blocks int; Chosen []int; Note string }
func Code(answer string, task *benchmark.Task) Extraction {
	i := 0
	for j := 0; j+3 <= len(answer); j++ { if answer[j:j+3] == "```" { i = j + 3; break } }
	if i == 0 { return Extraction{Method: "none"} }
	for answer[i] != '\n' { i++ }
	k := i+1
	for k+3 <= len(answer) && answer[k:k+3] != "```" { k++ }
	return Extraction{Code: answer[i+1:k], Method: "fence", Blocks: 1, Chosen: []int{1}}
}
