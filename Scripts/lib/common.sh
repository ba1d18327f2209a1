# Functions and variables for the other scripts, which source this file.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch="$root/.build"
plugins=(Account Notes Orders Photos Shop Stocks)
# The libraries of their extensions.
extensions=(NotesAction NotesDocuments NotesKeyboard NotesShare PhotosEditor StocksWidget)
# The bundles that are not business plugins: libraries that others link, and bundles without code.
libraries=(Money)
assets=(Lantern)
# The scripts build everything from source. With these variables, packages would use the libraries of an SDK.
unset $(compgen -v | grep -E '^([A-Z0-9]+_)?USE_LIB$') _
# A target that imports one that its manifest does not name does not build, even if that one was built before.
import_check=(--explicit-target-dependency-import-check error)
# A program that names a generic type would otherwise search all conformances when it starts; see decision 0050.
release_options=(-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors)

say() { printf '%s\n' "$*" >&2; }
die() {
  say "$(basename "$0"): $*"
  exit 1
}

# Prints the comment block at the head of the calling script, which is its help text.
help() {
  sed -n '2,/^$/{ s/^# \{0,1\}//; p; }' "$0"
  exit 0
}

# Stops unless Swift 6.3 or later is installed and starts.
need_swift() {
  command -v swift >/dev/null || die "Swift is not there; install Swift 6.3 from https://www.swift.org/install and put it on PATH"
  local text major minor
  text=$(swift --version 2>&1) || die "Swift does not start: $text"
  read -r major minor < <(sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' <<<"$text" | head -n 1) || true
  if ((${major:-0} < 6 || (${major:-0} == 6 && ${minor:-0} < 3))); then
    die "Swift 6.3 or later is needed; this is ${major:-0}.${minor:-0}"
  fi
}

# Installs missing Debian packages if the user is root; otherwise prints the command that installs them and stops.
need_packages() {
  local missing=() package
  if ! command -v dpkg-query >/dev/null; then
    say "This is no Debian; the libraries and tools of these packages must be there: $*"
    return
  fi
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  ((${#missing[@]} == 0)) && return
  if [ "$(id -u)" != 0 ]; then
    say "Missing: ${missing[*]}. Install with"
    say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}"
    say "and run this again."
    exit 1
  fi
  say "Installing ${missing[*]}"
  local log
  log=$(mktemp)
  # apt-get would read the standard input of the calling script.
  if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } \
    </dev/null >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    die "apt-get could not install ${missing[*]}"
  fi
  rm -f "$log"
}

# Installs the packages that are required for building in addition to Swift and a C compiler.
need_build_packages() {
  need_packages binutils git libcurl4-openssl-dev libncurses-dev libpng-dev libzstd-dev zlib1g-dev libsqlite3-dev libssl-dev \
    libseccomp-dev pkg-config
}

# The virtual environment with python-tuf, the reference implementation of The Update Framework.
python_tuf="$scratch/python-tuf"

# Installs python-tuf in its environment, unless it is there.
need_python_tuf() {
  need_packages python3 python3-venv
  [ -f "$python_tuf/tuf-7.0.0" ] && return
  say "Installing python-tuf in $python_tuf"
  rm -rf "$python_tuf"
  quietly python3 -m venv "$python_tuf"
  quietly "$python_tuf/bin/pip" install --disable-pip-version-check tuf==7.0.0 'securesystemslib[crypto]==1.4.0'
  touch "$python_tuf/tuf-7.0.0"
}

# Runs a long command; its output is shown only if it fails.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    die "failed: $*"
  fi
  rm -f "$log"
}

# Makes the next `swift build` or `swift test` create a new plan. All packages share one scratch folder, so that Core is compiled
# only once. SwiftPM would reuse the plan of another package or configuration, and miss files that were removed since then.
replan() { rm -f "$scratch"/*.yaml "$scratch"/fuzzing/*.yaml; }
