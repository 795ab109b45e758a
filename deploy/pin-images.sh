#!/bin/sh
# Pins the images of docker-compose.yml that are not built here by the digests that their registries give for their tags now.
#
#   sh deploy/pin-images.sh > docker-compose.pinned.yml        # once, and at each upgrade; look at it, keep it
#   docker compose --file docker-compose.yml --file docker-compose.pinned.yml up --detach --wait
#   sh deploy/pin-images.sh --check docker-compose.pinned.yml  # later: which tags have another image by now; status 1 if any
#
# Needs Docker with buildx. A tag can be moved to another image by whoever owns it, a digest cannot.
set -eu

compose=$(dirname "$0")/../docker-compose.yml

# Service and image, of the services that are not built here.
images() {
  awk '/^[a-z]/ { inside = ($1 == "services:") }
    inside && /^  [a-z0-9-]+:$/ { service = $1; sub(":", "", service) }
    inside && /^    image: / && $2 !~ /\$/ { print service, $2 }' "$compose"
}

digest_of() {
  digest=$(docker buildx imagetools inspect "$1" --format '{{.Manifest.Digest}}')
  printf '%s\n' "$digest" | grep -Eqx 'sha256:[0-9a-f]{64}' || { echo "no digest for $1: $digest" >&2; exit 2; }
  printf '%s\n' "$digest"
}

if [ "${1:-}" = --check ]; then
  status=0
  images | {
    while read -r service image; do
      pinned=$(awk -v service="  $service:" '$0 == service { getline; print $2 }' "$2")
      now=$image@$(digest_of "$image") || exit 2
      [ "$pinned" = "$now" ] || { echo "$service: pinned is ${pinned:-nothing}, the registry has $now"; status=1; }
    done
    exit $status
  }
  exit 0
fi

# Complete, or nothing.
pinned=$(images | while read -r service image; do
  digest=$(digest_of "$image") || exit 2
  printf '  %s:\n    image: %s@%s\n' "$service" "$image" "$digest"
done)
printf '# Made by deploy/pin-images.sh on %s.\nservices:\n%s\n' "$(date -u +%Y-%m-%d)" "$pinned"
