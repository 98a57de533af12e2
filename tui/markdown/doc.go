// Package markdown renders texts of models and authors of tasks for the terminal: cleaned,
// wrapped to a width, in colours that suit the background. It caches nothing; the screens call it
// off the update path and cache the result.
package markdown
