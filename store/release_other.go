//go:build !linux

package store

// Release does nothing on this system.
func (r reader) Release() {}
