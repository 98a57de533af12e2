package judge

import (
	"slices"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// TestFrameworks: scripts whose tests are run by a library, which need not be installed.
func TestFrameworks(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, tt := range []struct{ language, name, probe, tests string }{
		{"ruby", "test-unit", "require 'test/unit'\n", "require 'test/unit'\nclass TestHumanEval < Test::Unit::TestCase\n  def test_f\n    candidate = method(:f)\n    assert_equal(1, candidate.call())\n  end\nend\n"},
		{"ruby", "minitest", "require 'minitest/autorun'\n", "require 'minitest/autorun'\nclass TestF < Minitest::Test\n  def test_f\n    assert_equal 1, f\n  end\nend\n"},
		{"lua", "luaunit", "require('luaunit')", "lu = require('luaunit')\n\nfunction test_humaneval()\nlocal candidate = f\n    lu.assertEquals(candidate(), 1)\nend\n\nos.exit(lu.LuaUnit.run())"},
		{"perl", "Test::Deep", "use Test::Deep;", "use Test::Deep;\n\n\nsub testhumaneval {\n    my $candidate = \\&f;\n        if(eq_deeply($candidate->(),1)) {\n        print \"ok!\" }else{\n        exit 1;\n        }\n}\n\ntesthumaneval();"},
	} {
		t.Run(tt.language+" "+tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			e := ends[tt.language]
			task := &benchmark.Task{ID: "t", Language: tt.language, Tests: benchmark.Tests{Style: benchmark.Script, Script: tt.probe}, Limits: benchmark.Limits{CPUSeconds: 1, CPUTotal: 2}}
			ready(t, j, task)
			if r := judgeCode(t, j, task, e.right); r.Verdict != verdicts.Accepted {
				t.Skipf("%s is not installed: %s", tt.name, r.Message)
			}
			task.Tests.Script = tt.tests
			if r := judgeCode(t, j, task, e.right); r.Verdict != verdicts.Accepted {
				t.Errorf("right: %s %q\n%s", r.Verdict, r.Message, r.Stderr)
			}
			if r := judgeCode(t, j, task, e.wrong); r.Verdict != verdicts.WrongAnswer {
				t.Errorf("wrong: %s %q\n%s%s", r.Verdict, r.Message, r.Stdout, r.Stderr)
			}
			for name, code := range e.forgers {
				if r := judgeCode(t, j, task, code); !slices.Contains(never, r.Verdict) || r.Passed > 0 {
					t.Errorf("%s: %s %q", name, r.Verdict, r.Message)
				}
			}
		})
	}
}
