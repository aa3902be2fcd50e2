#!/usr/bin/env bash
# Makes sure that there is a Chromium for the browser tests. CHROMIUM names one of your own.
set -eu
chromium=${CHROMIUM:-/usr/bin/chromium}
[ -x "$chromium" ] && exit 0
if [ -n "${CHROMIUM:-}" ]; then
  echo "There is no browser at $chromium; set CHROMIUM to one that exists, or unset it." >&2
  exit 1
fi
install="apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core"
if [ "$(id -u)" = 0 ]; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive $install >/dev/null
elif sudo -n true 2>/dev/null; then
  sudo -n apt-get update -qq && sudo -n DEBIAN_FRONTEND=noninteractive $install >/dev/null
else
  echo "The browser tests need the Debian package chromium. Install it (sudo apt-get install chromium), or set CHROMIUM." >&2
  exit 1
fi
[ -x "$chromium" ] || { echo "chromium was installed, but there is none at $chromium" >&2; exit 1; }
