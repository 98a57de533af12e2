package store

import (
	"bytes"
	"slices"
	"sync"

	bolt "go.etcd.io/bbolt"
)

// A text lies with its session: among all texts, in the order of their hashes, each new one would have a page
// rewritten that is full of others. Those that the session's first event refers to are the same in many sessions and
// lie in bucketBlobs, as all did up to format 3. In either place a long text has a bucket of its own, in which its
// hash is the only key, since a leaf is written whole, with at least two keys.

// longText is the length from which a text has a bucket of its own.
const longText = 8 << 10

// getText returns a stored text of a bucket, nil if it has none.
func getText(in *bolt.Bucket, key []byte) []byte {
	if in == nil {
		return nil
	}
	if text := in.Get(key); text != nil {
		return text
	}
	if own := in.Bucket(key); own != nil {
		return own.Get(key)
	}
	return nil
}

// dropText removes a text from a bucket.
func dropText(in *bolt.Bucket, key []byte) error {
	if in.Get(key) != nil {
		return in.Delete(key)
	}
	return in.DeleteBucket(key)
}

// textsOf returns the bucket of a session's texts, nil if there is none.
func textsOf(tx *bolt.Tx, id []byte) *bolt.Bucket {
	if all := tx.Bucket(bucketTexts); all != nil {
		return all.Bucket(id)
	}
	return nil
}

// textFor returns a stored text that a session refers to, nil if it is not there.
func textFor(tx *bolt.Tx, id, key []byte) []byte {
	if text := getText(textsOf(tx, id), key); text != nil {
		return text
	}
	return getText(tx.Bucket(bucketBlobs), key)
}

// putText stores a text of a session, unless it is there, and returns the number of bytes.
func putText(tx *bolt.Tx, id, key, stored []byte, shared bool) (n int, err error) {
	if textFor(tx, id, key) != nil {
		return 0, nil
	}
	in := tx.Bucket(bucketBlobs)
	if !shared {
		if in, err = tx.Bucket(bucketTexts).CreateBucketIfNotExists(id); err != nil {
			return 0, err
		}
		in.FillPercent = 0.9
	}
	if len(stored) >= longText {
		if in, err = in.CreateBucket(key); err != nil {
			return 0, err
		}
	}
	return len(key) + len(stored), in.Put(key, stored)
}

// findText returns a stored text of any session, nil if there is none. Whoever asks for a text has mostly read the
// session's events, or another of its texts, just before.
func (h *handle) findText(tx *bolt.Tx, key []byte) []byte {
	if text := getText(tx.Bucket(bucketBlobs), key); text != nil {
		return text
	}
	for _, id := range h.recent.all() {
		if text := getText(textsOf(tx, []byte(id)), key); text != nil {
			return text
		}
	}
	all := tx.Bucket(bucketTexts)
	if all == nil {
		return nil
	}
	cursor := all.Cursor()
	for id, _ := cursor.First(); id != nil; id, _ = cursor.Next() {
		if text := getText(all.Bucket(id), key); text != nil {
			h.recent.use(string(id))
			return text
		}
	}
	return nil
}

// eachText calls fn with every stored text of a session's bucket, or of bucketBlobs.
func eachText(in *bolt.Bucket, fn func(key, stored []byte) error) error {
	return in.ForEach(func(key, stored []byte) error {
		if stored == nil {
			stored = in.Bucket(key).Get(key)
		}
		return fn(bytes.Clone(key), stored)
	})
}

// recently is the sessions that were in use last, the last first.
type recently struct {
	mu  sync.Mutex
	ids []string
}

const mostRecent = 64

func (r *recently) use(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.ids) > 0 && r.ids[0] == id {
		return
	}
	ids := slices.DeleteFunc(slices.Clone(r.ids), func(other string) bool { return other == id })
	r.ids = append([]string{id}, ids[:min(len(ids), mostRecent-1)]...)
}

// all returns the ids, which nobody changes.
func (r *recently) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ids
}
