#!/bin/sh
# Writes the digests that the registries give for the tags now into docker-compose.yml and the Dockerfiles.
#
#   sh deploy/pin-images.sh          # after a tag was changed; look at the difference before it is used
#   sh deploy/pin-images.sh --check  # which tags are another image at the registry than is pinned; status 1 if any
#
# Needs Docker with buildx. A tag can be moved to another image by its owner, a digest cannot.
set -eu

cd "$(dirname "$0")/.."
files='docker-compose.yml deploy/platform.Dockerfile deploy/agent.Dockerfile deploy/local-models.Dockerfile'

# Each image that is not built here, as it is written: with its digest, where it has one.
images() {
  sed -nE 's/^ +image: ([^ $]+)$/\1/p; s/^FROM ([^ ]+:[^ ]+).*$/\1/p' $files | sort -u
}

digest_of() {
  digest=$(docker buildx imagetools inspect "$1" --format '{{.Manifest.Digest}}')
  printf '%s\n' "$digest" | grep -Eqx 'sha256:[0-9a-f]{64}' || { echo "no digest for $1: $digest" >&2; exit 2; }
  printf '%s\n' "$digest"
}

if [ "${1:-}" = --check ]; then
  images | {
    status=0
    while read -r image; do
      tag=${image%@*}
      now=$tag@$(digest_of "$tag") || exit 2
      [ "$image" = "$now" ] || { echo "written is $image, the registry has $now"; status=1; }
    done
    exit $status
  }
  exit 0
fi

# All are asked for before anything is written.
edits=$(images | while read -r image; do
  tag=${image%@*}
  digest=$(digest_of "$tag") || exit 2
  printf 's|(image: \\|FROM )%s( \\|$)|\\1%s@%s\\2|\n' "$(printf %s "$image" | sed 's/\./\\./g')" "$tag" "$digest"
done)
for file in $files; do
  written=$(sed -E "$edits" "$file")
  printf '%s\n' "$written" > "$file"
done
