package sandbox

/*
#cgo CFLAGS: -std=gnu11 -O1 -fPIC -fno-stack-protector

// The linker puts these around a section.
extern const char __start_slotserve[], __stop_slotserve[];
*/
import "C"

import "unsafe"

// slotCode is the machine code of a fork server's loop, see serve_linux.c. It is
// compiled with this program, so that nothing else has to be there when it runs,
// and without optimizations that make tables.
func slotCode() []byte {
	start := unsafe.Pointer(&C.__start_slotserve)
	return C.GoBytes(start, C.int(uintptr(unsafe.Pointer(&C.__stop_slotserve))-uintptr(start)))
}
