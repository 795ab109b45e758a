#!/bin/sh
# Looks up the current digest of each image tag in its registry and writes it into docker-compose.yml and the Dockerfiles.
#
#   sh deploy/pin-images.sh          # run it after you change a tag, and check the diff
#   sh deploy/pin-images.sh --check  # lists tags whose image in the registry differs from the pinned one; exits with 1 if there are any
#
# Needs Docker with buildx. The owner of a tag can move it to another image, but a digest never changes.
set -eu

cd "$(dirname "$0")/.."
files='docker-compose.yml deploy/platform.Dockerfile deploy/agent.Dockerfile deploy/local-models.Dockerfile'

# Lists each image that isn't built here as it is written, including its digest if it has one.
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
      [ "$image" = "$now" ] || { echo "pinned is $image, the registry has $now"; status=1; }
    done
    exit $status
  }
  exit 0
fi

# Looks up all digests before writing any of them.
edits=$(images | while read -r image; do
  tag=${image%@*}
  digest=$(digest_of "$tag") || exit 2
  printf 's|(image: \\|FROM )%s( \\|$)|\\1%s@%s\\2|\n' "$(printf %s "$image" | sed 's/\./\\./g')" "$tag" "$digest"
done)
for file in $files; do
  written=$(sed -E "$edits" "$file")
  printf '%s\n' "$written" > "$file"
done
