package fleet

import (
	"errors"
	"fmt"
	"slices"

	"github.com/nats-io/nats.go/jetstream"
)

// copies is the number of servers of a cluster that store a stream: one of three may fail, and the others
// still agree on what was stored.
const copies = 3

// Error codes of a cluster.
const (
	accountIsFull jetstream.ErrorCode = 10002 // copies count towards its limit
	noPeers       jetstream.ErrorCode = 10005 // too few servers that are up and have room
	noLeader      jetstream.ErrorCode = 10008 // an election is in progress
	noResources   jetstream.ErrorCode = 10023
	noCopies      jetstream.ErrorCode = 10074 // not a JetStream cluster
	noSuchLimits  jetstream.ErrorCode = 10120 // the account may not have that many copies
)

func hasCode(err error, codes ...jetstream.ErrorCode) bool {
	var answer *jetstream.APIError
	return errors.As(err, &answer) && slices.Contains(codes, answer.ErrorCode)
}

// inCopies creates a stream in three copies if the server is part of a cluster that supports it, otherwise
// in one.
func (c *connection) inCopies(create func(copies int) error) error {
	if c.nc.ConnectedClusterName() == "" {
		return create(1)
	}
	err := create(copies)
	if hasCode(err, accountIsFull, noPeers, noResources, noCopies, noSuchLimits) {
		return create(1)
	}
	return err
}

// sayCopies reports in how many copies a cluster stores the streams.
func (c *connection) sayCopies() {
	n := min(c.work.CachedInfo().Config.Replicas, c.results.CachedInfo().Config.Replicas)
	if n > 1 {
		c.say(fmt.Sprintf("%s is the cluster %s: work and results are kept in %d copies", c.where, c.nc.ConnectedClusterName(), n))
		return
	}
	c.say(fmt.Sprintf("%s is the cluster %s, which keeps work or results in one copy: what is in it waits while that server is away; "+
		"with three servers that have JetStream, change it by: nats stream edit %s --replicas %d, and the same for %s and OBJ_%s", c.where, c.nc.ConnectedClusterName(), workStream, copies, resultStream, taskBucket))
}
