#!/bin/sh
# A fleet on this machine: four workers in network namespaces of their own, an external NATS
# server, and everything that can be killed killed; then how fast it is. Needs root and
# bubblewrap, and ASSAY_SHARED with datasets/ and samples/.
#   benchmark/fleet/testdata/fleet.sh [SAMPLES]
set -eu
cd "$(dirname "$0")/../../.."
export ASSAY_FLEET_SAMPLES="${1:-20000}"
go test -count=1 -timeout 30m -v -run 'FleetUnderFire|Throughput' ./benchmark/fleet
