// Package scenario makes the tasks of LiveCodeBench's scenarios "code execution" and "test output prediction"
// (Jain et al. 2024), and CRUXEval's "input prediction" (Gu et al. 2024), from tasks with reference solutions: a
// call of the reference, and the literal that it returned in the sandbox. How answers to such tasks are read is the matter of package extract, how they are
// graded that of package judge.
package scenario
