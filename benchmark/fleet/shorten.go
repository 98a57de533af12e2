package fleet

import (
	"fmt"

	"assay/benchmark/verdicts"
)

// outputBytes is the largest total size of output files sent with a result.
const outputBytes = 4 << 20

// shorten encodes a result so that it fits into a message of the server. It drops first the largest output
// files, then the program's output, then the texts of test cases; never the verdict, counts, measurements
// and measures.
func shorten(r verdicts.Result, limit int) []byte {
	limit -= 1024 // reserved for the subject and headers
	dropOutputs(&r, min(outputBytes, limit*3/4))
	text := encode(outcome{protocol, r})
	if len(text) <= limit {
		return text
	}
	dropOutputs(&r, 0)
	r.Stdout, r.Stderr = beginning(r.Stdout), beginning(r.Stderr)
	if text = encode(outcome{protocol, r}); len(text) <= limit {
		return text
	}
	cases := make([]verdicts.CaseResult, len(r.Cases))
	for i, c := range r.Cases {
		cases[i] = verdicts.CaseResult{Index: c.Index, Status: c.Status, Edge: c.Edge, CPUMS: c.CPUMS}
	}
	r.Cases = cases
	return encode(outcome{protocol, r})
}

// dropOutputs drops files until the others fit into limit bytes of JSON, which encodes three bytes as four.
func dropOutputs(r *verdicts.Result, limit int) {
	sum := 0
	for _, f := range r.Outputs {
		sum += len(f.Data) * 4 / 3
	}
	if sum <= limit {
		return
	}
	files := append([]verdicts.OutputFile(nil), r.Outputs...)
	for sum > limit {
		largest := 0
		for i, f := range files {
			if len(f.Data) > len(files[largest].Data) {
				largest = i
			}
		}
		n := len(files[largest].Data)
		if n == 0 {
			break
		}
		sum -= n * 4 / 3
		files[largest] = verdicts.OutputFile{Name: files[largest].Name, Problem: fmt.Sprintf("it has %d bytes, and stayed on the worker: a result brings %d bytes of files at most", n, limit*3/4)}
	}
	r.Outputs = files
}

// beginning truncates a text.
func beginning(text string) string {
	const most = 4 << 10
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}
