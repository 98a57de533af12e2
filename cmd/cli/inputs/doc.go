// Package inputs reads the inputs that command lines name: tasks by file, folder or bundled name, filters
// and saved filters, and models.
package inputs
