package disk

import (
	"crypto/sha256"
	"encoding/hex"
)

// Sum returns the SHA-256 of a content in lower-case hexadecimal digits.
func Sum[T ~[]byte | ~string](content T) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}
