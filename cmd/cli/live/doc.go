// Package live begins and continues sessions with what this machine has: the store, the benchmarks, the
// models and the sandbox. It also finds the next session of a tester in a frozen study. The home screen,
// work line by line and the server of a study share it.
package live
