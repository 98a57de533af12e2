// Package endpoint sends many requests to a server as fast as the server allows.
//
// An Endpoint stands for one server, whichever models it serves. It keeps to the limits of the models file,
// adapts the number of concurrent requests to the server, waits as long as the server asks, retries
// temporary failures, and stops when the server fails more often than it answers. Sending a single request
// is the job of [llm.Client]; session/generate decides which answers to request and where to keep them.
package endpoint
