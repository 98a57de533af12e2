// Package statement takes the statement of a task apart: description, constraints and examples, by headings
// ("Example 1:", "Constraints:"), doctests, calls with their results, and sentences such as "For example, …". It
// also finds statements in the comments of code.
//
// What a heading does not announce and no form of an example shows is description: no word is lost. Callers are
// benchmark/format, for tasks of other tools, and session/prompts, whose prompts have no examples.
package statement
