# Installs and uses the files of a release. Sourced by Tests/release.
#
# Everything is used in an environment without Swift and without another listd.

tried=()

# plain COMMAND…: runs a command with only the programs of the system.
plain() {
  env -i PATH=/usr/bin:/bin HOME="$work/home" LC_ALL=C.UTF-8 TMPDIR="$work" "$@"
}

# use NAME PROGRAM FOLDER COMMAND…: a comparison of two files in a folder that the program can see, a
# Python and a shell session, and a walk. The command starts Python with the client; the client must
# find the program by itself.
use() {
  local name=$1 program=$2 folder=$3 status=0
  local expected='[{"op":"deleteItems","at":[0,1],"count":1},'
  expected+='{"op":"moveItems","from":[0,1],"to":[0,0],"count":1},'
  expected+='{"op":"insertItems","at":[0,2],"count":1,"items":["elder"]}]'
  shift 3
  mkdir -p "$work/home" "$folder"
  cd "$folder"
  [[ $(plain "$program" --version) == "listd $version (protocol "*")" ]] || fail "$name: --version"
  printf 'apple\nbanana\ncherry\n' >old
  printf 'cherry\napple\nelder\n' >new
  plain "$program" diff --format=ops old new >"$work/told" || status=$?
  [[ $status == 1 && $(<"$work/told") == "$expected" ]] || fail "$name: listd diff"
  plain "$@" -B "$root/Tests/release.d/session.py" "$program" || fail "$name: Python"
  [[ $(plain "$@" -B -m listd --version) == "listd $version "* ]] || fail "$name: python -m listd"
  plain LISTD="$program" bash "$root/Tests/release.d/session.bash" "$root" || fail "$name: bash"
  plain LISTD="$program" python3 "$root/clients/tour" --short --limit 5 "$root" >"$work/told" ||
    fail "$name: the tour"
  cd "$root"
  tried+=("$name,")
}

check_wheel() {
  local wheel size
  wheel=$(echo "$out"/*.whl)
  size=$(stat -c %s "$wheel")
  ((size <= 19 << 18)) || fail "the wheel has $size bytes, more than 4.75 MiB"
  "$python" -m auditwheel show "$wheel" >"$work/told" 2>&1 || fail "auditwheel: $(<"$work/told")"
  tr -s '\n ' ' ' <"$work/told" | grep -q 'requires no external shared libraries' ||
    fail "the wheel needs shared libraries: $(<"$work/told")"
}

# install_in ENVIRONMENT ARGUMENT…: installs by pip, without the network.
install_in() {
  plain ${LISTD:+LISTD="$LISTD"} "$python" -m pip --python "$1/bin/python" --quiet \
    --disable-pip-version-check install --no-index "${@:2}"
}

# The wheel in an environment that is not on PATH, in a folder, and in the user's folder.
try_wheel() {
  "$python" -m venv --without-pip "$work/venv"
  install_in "$work/venv" "$out"/*.whl
  use "wheel" "$work/venv/bin/listd" "$work/files" "$work/venv/bin/python"
  install_in "$work/venv" --target "$work/target" "$out"/*.whl
  use "wheel --target" "$work/target/bin/listd" "$work/files" \
    env PYTHONPATH="$work/target" python3
  "$python" -m venv --without-pip --system-site-packages "$work/system"
  plain PYTHONUSERBASE="$work/user" "$python" -m pip --python "$work/system/bin/python" --quiet \
    --disable-pip-version-check install --no-index --user "$out"/*.whl
  use "wheel --user" "$work/user/bin/listd" "$work/files" \
    env PYTHONUSERBASE="$work/user" "$work/system/bin/python"
}

# Without Swift the sources are refused, or with LISTD=none have the client alone, which says where to get a
# daemon; with a program they carry it. The sources build it, too, if Swift is there.
try_source() {
  local told venv=$work/source sources=$out/listd-$version.tar.gz
  "$python" -m venv --without-pip "$venv"
  install_in "$venv" "$sources" 2>"$work/told" && fail "sources: a wheel without a daemon"
  grep -q "Swift is not installed" "$work/told" || fail "sources: $(<"$work/told")"
  LISTD=none install_in "$venv" "$sources"
  told=$(plain "$venv/bin/python" -m listd 2>&1) && fail "sources: a daemon out of nothing"
  [[ $told == "listd: there is no listd: install one"* ]] || fail "sources: $told"
  LISTD=$program install_in "$venv" --force-reinstall "$sources"
  use "sources" "$venv/bin/listd" "$work/files" "$venv/bin/python"
  [[ $twice ]] || return 0
  TMPDIR=$work "$python" -m pip --python "$venv/bin/python" --quiet install --no-index \
    --force-reinstall "$sources"
  use "sources with Swift" "$venv/bin/listd" "$work/files" "$venv/bin/python"
}

# The commands of the README, below "Install", as a person would type them, in a home of its own.
try_readme() {
  local place=$work/readme programs=$work/programs name
  mkdir -p "$place/home/.local" "$programs" "$place/root"/var/lib/dpkg/{info,updates,triggers}
  touch "$place/root/var/lib/dpkg/status"
  "$python" -m venv "$place/venv"
  ln -s "$place/venv/bin/pip" "$programs/pip"
  printf '#!/bin/sh\nexec "$@"\n' >"$programs/sudo"
  printf '#!/bin/sh\nexec /usr/bin/dpkg --root="%s" --log=/dev/null "$@"\n' "$place/root" \
    >"$programs/dpkg"
  chmod +x "$programs"/{sudo,dpkg}
  awk '/^## /{inside = $2 == "Install"} inside' "$root/README.md" |
    awk '/^```$/{exit} code; /^```sh$/{code = 1}' >"$work/commands"
  [[ $(wc -l <"$work/commands") == 3 ]] || fail "README.md: three ways to install"
  (cd "$out" && PATH=$programs:/usr/sbin:/usr/bin:/sbin:/bin HOME=$place/home \
    bash -e "$work/commands") >"$work/told"
  for name in venv root/usr home/.local; do
    [[ $(plain "$place/$name/bin/listd" --version) == "listd $version "* ]] ||
      fail "README.md: no listd in $name"
  done
}

# The extension for VS Code with the program in it, on a folder, with a fake of VS Code.
try_extension() {
  plain LISTD_VSIX="$(echo "$out"/*.vsix)" node --test "$root/Tests/clients/node/extension.test.js" >"$work/told" ||
    fail "the extension: $(<"$work/told")"
  tried+=("extension,")
}

# The package for npm, installed by unpacking it, with the program that LISTD names.
try_npm() {
  local place=$work/npm/node_modules
  mkdir -p "$place"
  tar -xzf "$out/listd-$version-npm.tgz" -C "$place" && mv "$place/package" "$place/listd"
  cat >"$work/npm/use.mjs" <<'END'
import { spawn } from "listd";
import { applyStages } from "listd/stages";
const daemon = await spawn();
const change = await daemon.list("a").apply(["x", "y"]);
console.log(change.counts.rows.inserts, typeof applyStages);
await daemon.close();
END
  [[ $(LISTD=$program plain LISTD="$program" node "$work/npm/use.mjs") == "2 function" ]] || fail "npm"
  tried+=("npm,")
}

# The recipes of package managers: their checksums, and what they install. Homebrew's and Nix's need Ruby and
# Nix, and are not tried without.
try_recipes() {
  local place=$work/aur sum tarball=listd-$version-linux-$processor.tar.gz
  mkdir -p "$place/src" "$place/pkg"
  sum=$(sha256sum "$out/$tarball" | cut -d' ' -f1)
  for name in listd.rb listd.nix PKGBUILD; do
    grep -q "$sum" "$out/listd-$version-recipes/$name" || fail "$name: another checksum"
    ! grep -q '@[A-Z_]*@' "$out/listd-$version-recipes/$name" || fail "$name: a name is not replaced"
  done
  tar -xzf "$out/$tarball" -C "$place/src"
  # As makepkg does it.
  (
    set -e
    srcdir=$place/src pkgdir=$place/pkg
    cd "$srcdir"
    source "$out/listd-$version-recipes/PKGBUILD"
    [[ $pkgname == listd && $pkgver == "$version" && ${#source[@]} == "${#sha256sums[@]}" ]]
    package
  ) || fail "PKGBUILD"
  use "AUR" "$place/pkg/usr/bin/listd" "$work/files" \
    env LISTD="$place/pkg/usr/bin/listd" PYTHONPATH="$place/pkg/usr/share/listd/python" python3
  if command -v ruby >/dev/null; then
    (cd "$place/src/listd-$version-linux-$processor" &&
      ruby "$root/Tests/release.d/formula.rb" "$out/listd-$version-recipes/listd.rb" "$work/brew") || fail "listd.rb"
    use "Homebrew" "$work/brew/bin/listd" "$work/files" \
      env LISTD="$work/brew/bin/listd" PYTHONPATH="$work/brew/share/listd/python" python3
  fi
  if command -v nix-instantiate >/dev/null; then
    # With stand-ins for the functions of nixpkgs.
    [[ $(NIX_STATE_DIR=$work/nix nix-instantiate --eval -A src.sha256 -E "import \"$out/listd-$version-recipes/listd.nix\" {
      lib.licenses.asl20 = 1; stdenvNoCC.mkDerivation = x: x; fetchurl = x: x; }" 2>"$work/told") == "\"$sum\"" ]] ||
      fail "listd.nix: $(<"$work/told")"
    tried+=("Nix,")
  fi
}

# The tarball in an empty root with only its files, without /proc.
try_tarball() {
  local place=$work/root
  mkdir "$place"
  tar -xzf "$out"/listd-"$version"-linux-"$processor".tar.gz -C "$place" --strip-components=1
  (cd "$place" && sha256sum --check --quiet share/doc/listd/SHA256SUMS)
  printf '#!/bin/sh\nexec %s "%s" /bin/listd "$@"\n' "$(command -v chroot)" "$place" >"$work/in-root"
  chmod +x "$work/in-root"
  use "tarball" "$work/in-root" "$place" \
    env LISTD="$work/in-root" PYTHONPATH="$place/share/listd/python" python3
  # The client of the same tarball finds it.
  plain PYTHONPATH="$place/share/listd/python" python3 -B "$root/Tests/release.d/session.py" \
    "$place/bin/listd" || fail "tarball: the program beside the client"
}

# The Debian package, installed by dpkg in a separate root, and removed again.
try_debian() {
  local place=$work/system-root dpkg
  mkdir -p "$place"/var/lib/dpkg/{info,updates,triggers}
  touch "$place/var/lib/dpkg/status"
  dpkg=(dpkg --root="$place" --log="$work/dpkg.log")
  "${dpkg[@]}" --install "$out"/listd_*.deb >"$work/told"
  "${dpkg[@]}" --verify listd | grep . && fail "Debian: files are not as packed"
  use "Debian" "$place/usr/bin/listd" "$work/files" \
    env PYTHONPATH="$place/usr/lib/python3/dist-packages" python3
  "${dpkg[@]}" --purge listd >"$work/told"
  [[ ! -e $place/usr/bin/listd && ! -e $place/usr/share/listd ]] || fail "Debian: files stay"
}
