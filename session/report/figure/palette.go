package figure

import (
	"fmt"
	"strings"
)

// series is the number of colours that tell series apart.
const series = 6

// The palettes. Series have the colours of Okabe & Ito, "Color universal design"
// (2008), in an order whose neighbours differ in lightness too; each series also
// has its own form of point and of line. The ramp of heat maps has one hue and is
// monotone in lightness, on dark screens the other way round. The ratings go from
// brown over grey to blue, which the common kinds of colour blindness tell apart;
// in greyscale it is their place that tells them.
type palette struct {
	page, ink, soft, grid, edge string
	series                      [series]string
	ramp                        [steps]string
	onRamp                      [steps]string
	likert                      [levels]string
	onLikert                    [levels]string
}

// levels is the number of colours for the levels of ratings.
const levels = 7

// steps is the number of colours in the ramp.
const steps = 8

func light() palette {
	return palette{
		page: "#ffffff", ink: "#1a1a1a", soft: "#595959", grid: "#e4e4e4", edge: "#ffffff",
		series:   [series]string{"#0072b2", "#d55e00", "#56b4e9", "#009e73", "#e69f00", "#cc79a7"},
		ramp:     [steps]string{"#eff5fb", "#d8e7f5", "#b9d5ec", "#90bede", "#62a2cd", "#3378ad", "#1d5c93", "#0b437a"},
		onRamp:   [steps]string{"#1a1a1a", "#1a1a1a", "#1a1a1a", "#1a1a1a", "#1a1a1a", "#ffffff", "#ffffff", "#ffffff"},
		likert:   [levels]string{"#a6611a", "#c68c4a", "#dfb97c", "#d9d9d9", "#8fbfe0", "#4f93c2", "#0b5a94"},
		onLikert: [levels]string{"#ffffff", "#1a1a1a", "#1a1a1a", "#1a1a1a", "#1a1a1a", "#1a1a1a", "#ffffff"},
	}
}

func dark() palette {
	return palette{
		page: "#16181c", ink: "#ececec", soft: "#a8adb5", grid: "#33373e", edge: "#16181c",
		series:   [series]string{"#3391d3", "#f58a45", "#9ad6f7", "#27b088", "#f5c35a", "#dd97bd"},
		ramp:     [steps]string{"#14283c", "#173852", "#1b4a6c", "#225f89", "#3179a8", "#5398c4", "#83b9dd", "#bcdcf2"},
		onRamp:   [steps]string{"#ececec", "#ececec", "#ececec", "#ececec", "#ffffff", "#111111", "#111111", "#111111"},
		likert:   [levels]string{"#c98545", "#ab7639", "#8a6532", "#5a5f67", "#3c78a3", "#5a9cc9", "#7cc0ee"},
		onLikert: [levels]string{"#111111", "#111111", "#ffffff", "#ffffff", "#ffffff", "#111111", "#111111"},
	}
}

// variables returns a palette as CSS variables.
func (p palette) variables() string {
	var b strings.Builder
	fmt.Fprintf(&b, "--af-page:%s;--af-ink:%s;--af-soft:%s;--af-grid:%s;--af-edge:%s;", p.page, p.ink, p.soft, p.grid, p.edge)
	for i, c := range p.series {
		fmt.Fprintf(&b, "--af-s%d:%s;", i, c)
	}
	for i := range p.ramp {
		fmt.Fprintf(&b, "--af-r%d:%s;--af-t%d:%s;", i, p.ramp[i], i, p.onRamp[i])
	}
	for i := range p.likert {
		fmt.Fprintf(&b, "--af-l%d:%s;--af-k%d:%s;", i, p.likert[i], i, p.onLikert[i])
	}
	return b.String()
}
