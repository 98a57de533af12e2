//go:build !linux

package store

// Release does nothing here.
func (r reader) Release() {}
