package irt

import (
	"math"
	"testing"

	"assay/data/fatal"
	"assay/scoring/stats"
)

// TaskEval's published responses give its published predictions.
func TestFaithfulAgainstTaskEval(t *testing.T) {
	ref := readReference(t, "taskeval_HE.json.gz")
	e, err := Faithful(ref.responses(0))
	fatal.If(t, err)
	worst, again := 0.0, 0.0
	for j := range e.Items {
		for i := range e.Respondents {
			of := func(p parameters) float64 {
				return logistic(p.A[j] * (logit(p.Theta[i]) - logit(p.Delta[j])))
			}
			worst = max(worst, math.Abs(e.Expected(i, j)-of(ref.Published)))
			again = max(again, math.Abs(e.Expected(i, j)-of(ref.Fit["gd_float32"])))
		}
	}
	t.Logf("R² %.6f, published %.6f; predictions differ by %.4f at most, from a run in 32 bits by %.5f; %d epochs (32 bits: %d), loss %.8f (%.8f)",
		e.Explained.SquaredCorrelation, ref.Published.R2, worst, again, e.Iterations, ref.Fit["gd_float32"].Epochs, e.Objective, ref.Fit["gd_float32"].Loss)
	if math.Abs(e.Explained.SquaredCorrelation-0.928) > 0.0005 {
		t.Errorf("R² %v, not 0.928", e.Explained.SquaredCorrelation)
	}
	if worst > 0.01 {
		t.Errorf("a prediction is off by %v", worst)
	}
}

// The default reaches at least the objective of the reference, and estimates at least as close to the true
// parameters.
func TestFitAgainstReference(t *testing.T) {
	for _, name := range []string{"taskeval_HE", "sim_beta_5x164", "sim_binom90_50x164"} {
		ref := readReference(t, name+".json.gz")
		want := ref.Fit["map_newton_multistart"]
		for _, clip := range []float64{0, -1} {
			e, err := Fit(ref.responses(90), Options{Clip: clip})
			fatal.If(t, err)
			t.Logf("%s, clip %v: objective %.6f, reference %.6f; from %s, %d iterations, converged %v, R² %.4f, dispersion %.3f (%.0f)", name, clip, e.Objective, want.Objective, e.Start, e.Iterations, e.Converged, e.Explained.SquaredCorrelation, e.Dispersion.Ratio, e.Dispersion.Freedom)
			if clip >= 0 && e.Objective > want.Objective+1e-5 {
				t.Errorf("%s: objective %.6f, the reference has %.6f", name, e.Objective, want.Objective)
			}
			if ref.True.Theta != nil {
				// Without a clip the comparison is only logged.
				compareRecovery(t, e, ref.True, want, clip == 0)
			}
		}
		if _, ok := ref.Fit["beta"]; ok {
			e, err := Fit(ref.responses(0), Options{Observation: Beta})
			fatal.If(t, err)
			t.Logf("Beta: objective %.6f, reference %.6f; from %s, %d iterations, converged %v, dispersion %.3f", e.Objective, ref.Fit["beta"].Objective, e.Start, e.Iterations, e.Converged, e.Dispersion.Ratio)
			if e.Objective > ref.Fit["beta"].Objective+1e-5 {
				t.Errorf("%s: Beta objective %.6f, the reference has %.6f", name, e.Objective, ref.Fit["beta"].Objective)
			}
			compareRecovery(t, e, ref.True, ref.Fit["beta"], name == "sim_beta_5x164")
		}
	}
}

// compareRecovery logs how close estimates and the reference are to the truth; if enforced, it fails where
// the reference is closer.
func compareRecovery(t *testing.T, e *Estimates, truth, want parameters, held bool) {
	t.Helper()
	for _, c := range []struct {
		what                  string
		got, truth, reference []float64
	}{{"ability", e.Ability, truth.Theta, want.Theta}, {"difficulty", e.Difficulty, truth.Delta, want.Delta}, {"discrimination", e.Discrimination, truth.A, want.A}} {
		rho, err := stats.Spearman(c.got, c.truth)
		fatal.If(t, err)
		other, err := stats.Spearman(c.reference, c.truth)
		fatal.If(t, err)
		if held && (rho.Rho < other.Rho-1e-6 || rmse(c.got, c.truth) > rmse(c.reference, c.truth)+1e-3) {
			t.Errorf("%s is recovered worse than by the reference", c.what)
		}
		t.Logf("  %s: Spearman %.5f (reference %.5f), RMSE %.5f (%.5f)", c.what, rho.Rho, other.Rho, rmse(c.got, c.truth), rmse(c.reference, c.truth))
	}
}
