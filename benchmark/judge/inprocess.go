package judge

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
)

// doInProcess judges the sample with its tests in its own process, as the task asks. Nothing that
// this process reports can be trusted: a program can forge the verdict.
func (r *run) doInProcess(ctx context.Context) error {
	r.ctx, r.caseCPU = ctx, map[int]time.Duration{}
	started := time.Now()
	defer func() { r.result.WallMS = time.Since(started).Milliseconds() }()
	defer r.clock.stop()
	defer r.retire()
	var err error
	spec := r.library.add(r.judge.python.inProcess(sampleLimits(r.limits.Limits)))
	spec.Outputs = r.task.Outputs
	if r.sample, err = startSample(ctx, r.judge.box, spec); err != nil {
		return err
	}
	r.result.Enforcement = r.sample.box.Enforcement()
	if err := r.sample.ready(); err != nil {
		return err
	}
	order := map[string]any{"task": messageOf(r.task), "program": r.program, "entry": r.task.EntryPoint}
	r.sample.box.Arm(sandbox.Budget{CPU: startCPU, Wall: startWall})
	r.sample.channel.send(order)
	var m inProcessMessage
	if err := r.sample.channel.receive(&m); err != nil {
		return errors.New("the tests did not load: " + describe(r.sample.close()))
	}
	if m.Kind != "cases" {
		return brokenTests{m.Text}
	}
	cases, err := decodeList[caseReport](m.Cases, maxFrame) // from the tests: the program is not loaded yet
	if err != nil {
		return err
	}
	if r.empty {
		r.refuse(cases, nothingToRun)
		return nil
	}
	r.clock.start()
	r.sample.box.Arm(r.budget(0))
	if err := r.sample.channel.receive(&m.fromSample); err != nil {
		failed, err := r.ended(err)
		r.refuse(cases, failed)
		return err
	}
	switch m.fromSample.Kind {
	case "loaded":
	case "syntax":
		r.refuse(cases, callFailure{verdicts.Status(verdicts.CompileError), m.shown()})
		return nil
	default:
		r.refuse(cases, r.raised(m.fromSample.answer))
		return nil
	}
	done, err := r.follow(cases)
	if err != nil {
		return err
	}
	r.retire()
	r.conclude(done)
	return nil
}

// inProcessMessage holds any message of a process that contains both program and tests.
type inProcessMessage struct {
	fromSample
	Kind    string          `json:"k"` // cases, start, done, broken
	Text    string          `json:"text"`
	Cases   json.RawMessage `json:"cases"`
	Case    int             `json:"case"`
	Aborted *callFailure    `json:"aborted"`
}

// sanitize keeps a program from claiming a status that would exclude it, or texts that would fill
// the result.
func sanitize(cases []caseReport) []caseReport {
	for i := range cases {
		c := &cases[i]
		for _, text := range []*string{&c.Name, &c.Call, &c.Expected, &c.Got, &c.Message} {
			*text = verdicts.Clip(*text, maxSaid)
		}
		switch c.Status {
		case verdicts.Passed, verdicts.NotRun, verdicts.Status(verdicts.WrongAnswer), verdicts.Status(verdicts.RuntimeError):
		default:
			cases[i].Status = verdicts.Status(verdicts.RuntimeError)
		}
	}
	return cases
}

// follow reads the progress of the cases. If the process ends early, the current case fails with
// the reason and the rest are not run.
func (r *run) follow(cases []caseReport) (fromChecker, error) {
	at := 0
	for i := range cases {
		cases[i].Status = verdicts.NotRun
	}
	for {
		before := r.sample.usage().CPU
		var m inProcessMessage
		if err := r.sample.channel.receive(&m); err != nil {
			r.caseCPU[at] += r.sample.usage().CPU - before
			failed, err := r.ended(err)
			if at > 0 {
				cases[at-1].Status, cases[at-1].Message = failed.Status, failed.Text
			}
			return fromChecker{Cases: cases, Aborted: &failed}, err
		}
		now := r.sample.usage()
		r.caseCPU[at] += now.CPU - before
		r.clock.live = now.Excused()
		told, err := decodeList[caseReport](m.Cases, len(cases))
		switch {
		case err == nil && m.Kind == "start" && m.Case > 0 && m.Case <= len(cases):
			var ended []caseReport
			if len(told) == 1 && told[0].Index == at && at > 0 && told[0].Status != "" { // the previous case's result
				cases[at-1] = sanitize(told)[0]
				r.tooLate(&cases[at-1])
				ended = cases[at-1 : at]
			}
			if r.decide(ended); r.decided {
				r.retire()
				return fromChecker{Cases: cases}, nil
			}
			at = m.Case
			r.reach(at, len(cases), ended...)
			r.sample.box.Arm(r.budget(r.caseCPU[at]))
		case err == nil && m.Kind == "done" && len(told) == len(cases):
			if m.Aborted != nil {
				m.Aborted.Status = sanitize([]caseReport{{Status: m.Aborted.Status}})[0].Status
			}
			for i := range sanitize(told) {
				r.tooLate(&told[i])
			}
			return fromChecker{Cases: told, Aborted: m.Aborted}, nil
		default:
			failed := r.kill(callFailure{verdicts.Status(verdicts.RuntimeError), "the process answered out of turn"})
			return fromChecker{Cases: cases, Aborted: failed}, nil
		}
	}
}
