// Package fleet distributes judging over machines with NATS JetStream.
//
// A Client replaces a judge.Judge: it accepts submissions, gathers them into messages of at most a hundred
// samples, and puts these into a work queue. Workers take as many messages as they have room for, judge the
// samples, and publish each result under its own subject in a stream that accepts only one message for each
// subject. So a sample may be judged more than once, if a machine or the network fails, but has exactly one
// result.
//
// The subject of a message contains its needs: the version of assay, the isolation, the language, and the
// SHA-256 of the task's library. Workers only ask for work whose needs they meet. Task sets are in the
// object store under their SHA-256, and each worker fetches them once.
//
// On request a worker also measures the program, with a function passed to it, and returns the measures as
// JSON.
//
// A message is acknowledged when its results are stored. A message that crashes worker after worker is
// split, so that only the offending sample is given up, as a sandbox_error with the reason. A Client checks
// on the samples that it waits for, and resends what was lost with a server.
//
// Server is a NATS server embedded in this process. On an external cluster the streams have three copies.
// SCALING.md documents the limits.
package fleet
