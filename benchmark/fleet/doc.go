// Package fleet spreads judging over machines by NATS JetStream.
//
// A Client stands where a judge.Judge stands: it takes submissions, gathers them into
// messages of at most a hundred samples and puts these into a work queue. Workers take as
// many messages as they have room for, judge the samples, and publish each result under a
// subject of its own in a stream that refuses a second one. So a sample may be judged more
// than once, where a machine or the network failed, and yet has exactly one result.
//
// What a message needs stands in its subject: the version of assay, the isolation, the
// language, and the SHA-256 of the library that the task declares. A worker asks only for
// what it has. Tasks lie in the object store under their SHA-256 and are fetched once.
//
// Where measures are wanted, a worker also has the program measured by a function that is given
// to it, and brings what that says as JSON.
//
// A message is acknowledged when its results are stored. One that ends worker after worker
// is taken apart, so that only the sample that does it is given up, as a sandbox_error with
// the reason. A Client looks after what it waits for: what was lost with a server is sent
// again.
//
// Server is the NATS server itself, in this process. In a cluster of other servers the streams
// are made in three copies. SCALING.md says how far all of this goes.
package fleet
