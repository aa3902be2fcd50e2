#!/usr/bin/env bash
# Makes .venv and installs one requirements file into it: tools/bootstrap.sh requirements.txt
# Does nothing when the requirements, the Python and the folder are those of the last time.
# Needs python3 >= 3.11; on Debian it installs the venv package where that is missing and we may.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

wanted=${1:?which requirements file?}
venv=$PWD/.venv
stamp=$venv/installed-$(basename "$wanted" .txt)

say() { printf '%s\n' "$*" >&2; }
fail() {
  say "install: $*"
  exit 1
}

find_python() {
  local name
  for name in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
      command -v "$name"
      return
    fi
  done
  return 1
}

# What the installed packages depend on; a virtual environment works only where it was made.
fingerprint() {
  { cat requirements.txt "$1"; "$venv/bin/python" -VV; printf '%s\n' "$venv"; } 2>/dev/null | sha256sum | cut -d ' ' -f 1
}

is_ours() {
  [ -x "$venv/bin/python" ] && [[ $(grep -s '^command = ' "$venv/pyvenv.cfg") == *" $venv" ]] &&
    "$venv/bin/python" -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Debian keeps ensurepip, which venv needs, in a package of its own.
add_venv_package() {
  local python=$1 package
  package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
  command -v apt-get >/dev/null || fail "$python has no module ensurepip; install the package that brings it"
  if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
    fail "the package $package is missing; install it as root: apt-get install $package"
  fi
  say "install: adding the package $package"
  export DEBIAN_FRONTEND=noninteractive
  if ! as_root apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1; then
    as_root apt-get update -qq >/dev/null || say "install: the package lists could not be read anew"
    as_root apt-get install -y -qq --no-install-recommends "$package" >/dev/null ||
      fail "the package $package is missing and could not be installed: apt-get install $package"
  fi
}

make_venv() {
  local python
  [ ! -L "$venv" ] || fail ".venv is a link, and making it anew would empty what it leads to; run make where it really is"
  python=$(find_python) || fail "needs Python 3.11 or newer as python3 (or PYTHON=/path/to/python3 make ...)"
  "$python" -c 'import venv, ensurepip' >/dev/null 2>&1 || add_venv_package "$python"
  say "install: making .venv with $("$python" -V)"
  "$python" -m venv --clear "$venv" || fail "$python -m venv failed; see above"
}

[ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(fingerprint "$wanted")" ] && exit 0
is_ours || make_venv
say "install: $wanted"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$wanted" ||
  fail "pip could not install $wanted; see above"
# hcl2 works out the tables of its grammar once, for seconds, which else the first Terraform file would wait.
"$venv/bin/python" -c 'import hcl2; hcl2.loads("a = 1\n")' 2>/dev/null || say "install: hcl2 could not be made ready"
for file in requirements.txt "$wanted"; do # whoever has the larger set has the smaller one too
  fingerprint "$file" >"$venv/installed-$(basename "$file" .txt)"
done
