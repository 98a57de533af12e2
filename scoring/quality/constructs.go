package quality

// Construct is a group of program constructs. The grouping is that of Tambon et al. 2025 (TaskEval, section
// 5.3) over the node types of Python's ast module; other languages map their equivalents.
type Construct string

// The constructs.
const (
	If            Construct = "If"            // statements (including else-if) and conditional expressions
	Loop          Construct = "Loop"          // for and while, but not in comprehensions
	Assign        Construct = "Assign"        // including augmented, annotated and within expressions
	Compare       Construct = "Compare"       // a chain counts once
	Call          Construct = "Call"          //
	FunctionDef   Construct = "FunctionDef"   // including methods
	Comprehension Construct = "comprehension" // each for within a comprehension
	Subscript     Construct = "Subscript"     //
	Op            Construct = "Op"            // arithmetic, bitwise, boolean runs; including augmented assignments
	DataStruct    Construct = "DataStruct"    // displays of lists, tuples, sets and dictionaries, also as targets
	Raise         Construct = "Raise"         //
	Try           Construct = "Try"           //
	Import        Construct = "Import"        // statements
	Lambda        Construct = "Lambda"        //
	Attribute     Construct = "Attribute"     //
)

// AllConstructs lists the constructs in table order.
func AllConstructs() []Construct {
	return []Construct{
		If, Loop, Assign, Compare, Call, FunctionDef, Comprehension, Subscript,
		Op, DataStruct, Raise, Try, Import, Lambda, Attribute,
	}
}

// Constructs maps every construct, including absent ones, to its frequency.
type Constructs map[Construct]Frequency

// Frequency is the number of occurrences of a construct.
type Frequency struct {
	Count   int     `json:"count"`
	PerLine float64 `json:"per_line"` // per line of code, as TaskEval normalises; 0 without code
}

func newConstructs() Constructs {
	c := make(Constructs)
	for _, name := range AllConstructs() {
		c[name] = Frequency{}
	}
	return c
}

func (c Constructs) add(name Construct) {
	f := c[name]
	f.Count++
	c[name] = f
}

func (c Constructs) perLine(lines int) {
	for name, f := range c {
		if lines > 0 {
			f.PerLine = float64(f.Count) / float64(lines)
			c[name] = f
		}
	}
}
