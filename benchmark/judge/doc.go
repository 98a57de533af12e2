// Package judge owns the verdict on a piece of code: it runs the code against
// a task's tests and says, case by case, what passed.
package judge
