// Package inputs reads the inputs that command lines name: tasks by file, folder or bundled name, filters
// and saved scenarios, and models.
package inputs
