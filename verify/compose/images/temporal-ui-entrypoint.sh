#!/bin/sh
set -eu
mkdir -p config
cat > config/docker.yaml <<END
temporalGrpcAddress: $TEMPORAL_ADDRESS
port: 8080
defaultNamespace: ${TEMPORAL_DEFAULT_NAMESPACE:-default}
enableUi: true
END
exec ui-server --env docker start
