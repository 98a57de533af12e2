package sandbox

/*
#cgo CFLAGS: -std=gnu11 -O1 -fPIC -fno-stack-protector

// The linker defines these at the ends of a section.
extern const char __start_slotserve[], __stop_slotserve[];
*/
import "C"

import "unsafe"

// slotCode returns the machine code of a fork server's loop, see serve_linux.c. It is compiled
// with this program, so that nothing else is needed at run time, and without optimizations that
// create tables.
func slotCode() []byte {
	start := unsafe.Pointer(&C.__start_slotserve)
	return C.GoBytes(start, C.int(uintptr(unsafe.Pointer(&C.__stop_slotserve))-uintptr(start)))
}
