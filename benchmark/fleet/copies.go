package fleet

import (
	"errors"
	"fmt"
	"slices"

	"github.com/nats-io/nats.go/jetstream"
)

// copies is in how many servers of a cluster streams are kept: one of three may go then, and
// the others decide together what was stored.
const copies = 3

// The answers of a cluster that are looked for.
const (
	accountIsFull jetstream.ErrorCode = 10002 // copies count
	noPeers       jetstream.ErrorCode = 10005 // that are there and have room
	noLeader      jetstream.ErrorCode = 10008 // they are still choosing one
	noResources   jetstream.ErrorCode = 10023
	noCopies      jetstream.ErrorCode = 10074 // it is no cluster of JetStream
	noSuchLimits  jetstream.ErrorCode = 10120 // the account may not have so many copies
)

func hasCode(err error, codes ...jetstream.ErrorCode) bool {
	var answer *jetstream.APIError
	return errors.As(err, &answer) && slices.Contains(codes, answer.ErrorCode)
}

// inCopies has a stream made in three copies where the server is one of a cluster that can
// have them, else in one.
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

// sayCopies says in how many copies a cluster keeps what was found or made there.
func (c *connection) sayCopies() {
	n := min(c.work.CachedInfo().Config.Replicas, c.results.CachedInfo().Config.Replicas)
	if n > 1 {
		c.say(fmt.Sprintf("%s is the cluster %s: work and results are kept in %d copies", c.where, c.nc.ConnectedClusterName(), n))
		return
	}
	c.say(fmt.Sprintf("%s is the cluster %s, which keeps work or results in one copy: what is in it waits while that server is away; "+
		"with three servers that have JetStream, change it by: nats stream edit %s --replicas %d, and the same for %s and OBJ_%s", c.where, c.nc.ConnectedClusterName(), workStream, copies, resultStream, taskBucket))
}
