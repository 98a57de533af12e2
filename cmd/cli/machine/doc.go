// Package machine has the verbs about this machine: models, worker, settings, keys and doctor.
package machine
