# What Tests/run installs: packages of Debian, and the environment of Python.

# need COMMAND PACKAGE: installs Debian's package if the command is missing.
need() {
  command -v "$1" >/dev/null || install "$2"
}

install() {
  (
    # Parts run in parallel, and apt-get refuses to.
    flock 9
    apt_install "$1"
  ) 9>"$logs/installing"
}

apt_install() {
  if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
    say "This needs $1: apt-get install $1"
    return 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq && apt-get install -y -qq --no-install-recommends "$1"
}

need_swift() {
  command -v swift >/dev/null && return
  say "This needs Swift 6.2 or newer: https://swift.org/install"
  return 1
}

# The virtual environment with Tests/requirements.txt, made anew when that changes.
need_python() {
  (
    # Parts run in parallel.
    flock 9
    make_environment
  ) 9>"$logs/installing"
}

make_environment() {
  local wanted=Tests/requirements.txt installed=.venv/installed.txt
  cmp -s "$wanted" "$installed" && .venv/bin/python -c '' && return
  command -v python3 >/dev/null || apt_install python3
  rm -rf .venv
  if ! python3 -m venv .venv; then
    rm -rf .venv
    apt_install python3-venv
    python3 -m venv .venv
  fi
  .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$wanted"
  cp "$wanted" "$installed"
}
