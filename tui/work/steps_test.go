package work_test

import (
	"fmt"
	"strings"
	"testing"

	"assay/session"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/session/trajectory"
	"assay/tui/tuitest"
)

// TestSteps: the steps of an agent are listed in the tab of its transcript, to be walked through and chosen by tool.
func TestSteps(t *testing.T) {
	two := 2
	var steps []trajectory.Step
	for i := range 30 {
		steps = append(steps, trajectory.Step{Text: fmt.Sprintf("I try number %d.", i+1), InputTokens: 1000 + i, OutputTokens: 10,
			Calls: []trajectory.Call{{Tool: "bash", Input: fmt.Sprintf("ls %d", i+1), Output: "a\x1b[2Jb\nsecond"}}})
	}
	steps[1].Calls = append(steps[1].Calls, trajectory.Call{Tool: "re\x1b[31mad\nx", Input: "file", Output: strings.Repeat("row\n", 40), Exit: &two})
	steps[29] = trajectory.Step{Thinking: "Nothing is left.", Text: strings.Repeat("long ", 100_000)}
	d, rig := tuitest.Shopping(t, nil)
	rig.Client.Answer(llm.Answer{Text: enginetest.ResolvingDiff, Transcript: "no event: {\x1b[2J\n", Steps: steps, FinishReason: "stop"})
	d.Press("Correct it.", "ctrl+s").Sees("satisfied", "✓ 5/5").Press("6").Sees("30 steps with 30 uses of tools", "step 1 bash", "1,000 tokens read, 10 written", "I try number 1.", "→ bash ls 1", "ab")
	d.Press("n").Lacks("30 steps with").Press("n").Lacks("step 1 bash").Sees("step 2 bash, read x", "more lines: enter unfolds").Press("enter").Sees("(exit 2) file")
	d.Press("n").Sees("step 3 bash").Lacks("step 2").Press("N").Sees("step 2").Press("N").Sees("step 1 bash").Press("N").Sees("step 1 bash").Press("N").Sees("N: this is the first step")
	for range 40 {
		d.Press("n")
	}
	d.Sees("n: this is the last step", "step 30", "As it was printed").Press("end").Sees("no event: {")
	d.Press("f").Sees("29 of 30 steps: those with bash", "step 1 bash").Press("f").Sees("1 of 30 steps: those with read x", "step 2 bash, read x").Lacks("step 1 ").Lacks("step 3")
	d.Press("f").Sees("30 steps with 30 uses of tools")
	d.Press("/", "number 7", "enter").Sees("1 of 1").Press("esc")
}

// A study that hides what the model thinks shows the steps without it, and not what the agent printed, which has it, too.
func TestHiddenThinkingOfAnAgent(t *testing.T) {
	d, rig := tuitest.Shopping(t, func(c *session.Choice) { c.Rules.HideThinking = true })
	steps := []trajectory.Step{{Thinking: "A secret thought.", Text: "I look.", Calls: []trajectory.Call{{Tool: "bash", Input: "ls", Output: "a.txt"}}}}
	rig.Client.Answer(llm.Answer{Text: enginetest.ResolvingDiff, Transcript: "thinking: A secret thought.\n", Steps: steps, FinishReason: "stop"})
	d.Press("Correct it.", "ctrl+s").Sees("satisfied", "✓ 5/5").Press("6").Sees("I look.", "→ bash ls", "As it was printed", "(the study does not show it)").Lacks("secret thought")
}
