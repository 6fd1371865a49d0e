#!/bin/sh
# Makes the image that every other folder here starts from, and tags it with the name given:
# Debian bookworm-slim, the host's own way to Debian's packages, tini, openssl and the fixture certificates.
#
# The Debian image is pulled where a registry answers, and otherwise made with mmdebstrap, so that a machine which
# reaches nothing but a Debian mirror can run the tests.
set -eu

tag=${1:?usage: make.sh TAG}
here=$(cd "$(dirname "$0")" && pwd)
pulled=debian:bookworm-slim
made=retriever-test/debian:bookworm
context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
say() { echo "[containers] $*" >&2; }

# Which mirror, which suites: asked of apt itself, which has read every form of its source lists.
debian_sources() {
  apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
    grep -E ' bookworm(-updates|-security)? ' | sort -u
}

# Proxy, certificate and date settings, without the hooks and index settings that mean something only on the host.
apt_settings() {
  apt-config dump | grep -E '^Acquire::(http|https|ftp|Check|Max-ValidTime|Retries|ForceIPv)[A-Za-z0-9-]*(::| )' |
    grep -v -E ' "";$' || true
}

find_debian() {
  for name in "$pulled" "$made"; do
    if docker image inspect "$name" >/dev/null 2>&1; then echo "$name"; return; fi
  done
  if timeout 30 docker pull -q "$pulled" >/dev/null 2>&1; then echo "$pulled"; return; fi
  say "no registry answers: making $made with mmdebstrap"
  command -v mmdebstrap >/dev/null || {
    apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends mmdebstrap >&2
  }
  [ -n "$(debian_sources)" ] || apt-get update -qq >&2
  debian_sources >"$context/sources.list"
  apt_settings >"$context/apt.conf"
  # as the published slim image: no docs, no locales, no fsync for each file
  mmdebstrap --quiet --variant=minbase \
    --aptopt="$context/apt.conf" --dpkgopt=force-unsafe-io \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    bookworm - "$context/sources.list" | docker import - "$made" >/dev/null
  echo "$made"
}

debian=$(find_debian)
mkdir -p "$context/build/apt"
cp "$here/Dockerfile" "$here"/*.sh "$context/build/"
# On any other host (macOS, Fedora) the image keeps its own source list.
if command -v apt-get >/dev/null && [ -n "$(debian_sources)" ]; then
  debian_sources >"$context/build/apt/sources.list"
  apt_settings >"$context/build/apt/99host.conf"
  # A mirror behind a private certificate authority is trusted as the host trusts it.
  if grep -q https: "$context/build/apt/sources.list"; then
    cp /etc/ssl/certs/ca-certificates.crt "$context/build/apt/"
    echo 'Acquire::https::CAInfo "/etc/apt/ca-certificates.crt";' >>"$context/build/apt/99host.conf"
  fi
fi
# --network=host: the host's proxy or resolver may listen on its loopback address only.
docker build --quiet --network=host --build-arg "DEBIAN=$debian" --tag "$tag" "$context/build" >/dev/null
