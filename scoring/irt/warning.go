package irt

// Warning is something that the estimates must not be shown without.
type Warning struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

func (e *Estimates) warnings() []Warning { return nil }
