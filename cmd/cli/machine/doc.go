// Package machine has the verbs about this machine: models, worker, settings, keys, doctor.
package machine
