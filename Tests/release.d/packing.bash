# Packs a program into the files of a release. Sourced by Tests/release.

# pack PROGRAM FOLDER: all files, and their checksums, in an empty folder.
pack() {
  local program=$1 folder=$2 name=listd-$version-linux-$processor tags
  local tree=$folder/tree
  python3 -B "$root/clients/install.d/stage.py" "$program" "$tree"
  python3 -B "$root/clients/install.d/archive.py" "$tree" "$name" "$folder/$name.tar.gz"
  tags=manylinux_2_17_$processor.musllinux_1_1_$processor
  LISTD=$program LISTD_PLATFORM=$tags python3 -B "$root/clients/python/backend/listd_backend.py" \
    "$folder" >/dev/null
  # The same archive, smaller.
  advzip --recompress --shrink-normal --quiet "$folder"/*.whl
  python3 -B "$root/clients/install.d/vsix.py" "$folder/$name.vsix" "$tree/bin/listd"
  python3 -B "$root/clients/install.d/npm.py" "$folder/listd-$version-npm.tgz"
  pack_recipes "$folder" "$name.tar.gz"
  cp "$tree/share/doc/listd/llms.txt" "$folder/listd-$version-llms.txt"
  pack_debian "$tree" "$folder"
  rm -rf "$tree"
  (cd "$folder" && find listd* -type f | sort | xargs sha256sum >SHA256SUMS)
}

# pack_recipes FOLDER TARBALL: the recipes of Homebrew, Nix and the AUR, with the checksum of the tarball.
# LISTD_RELEASES is the address below which the files of a release are published, in a folder vVERSION.
pack_recipes() {
  local recipe sum address=${LISTD_RELEASES:-https://listd.invalid/releases}/v$version
  sum=$(sha256sum "$1/$2" | cut -d' ' -f1)
  mkdir "$1/listd-$version-recipes"
  for recipe in "$root"/Tests/release.d/recipes/*; do
    sed -e "s|@VERSION@|$version|g; s|@ADDRESS@|$address|g; s|@TARBALL@|$2|g; s|@SHA256@|$sum|g" \
      -e "s|@PROCESSOR@|$processor|g" "$recipe" >"$1/listd-$version-recipes/${recipe##*/}"
  done
}

# pack_debian TREE FOLDER: the tree as a Debian package, with the Python client for the system's Python.
pack_debian() {
  local tree=$2/debian share architecture
  architecture=$(dpkg --print-architecture)
  share=$tree/usr/share
  mkdir -p "$tree/DEBIAN" "$tree/usr/lib/python3/dist-packages" "$share/zsh"
  cp -R "$1/." "$tree/usr"
  # The package has its own checksums, and Debian its own folders.
  rm "$share/doc/listd/SHA256SUMS"
  mv "$share/doc/listd/LICENSE" "$share/doc/listd/copyright"
  mv "$share/doc/listd/CHANGELOG.md" "$share/doc/listd/changelog"
  mv "$share/zsh/site-functions" "$share/zsh/vendor-completions"
  ln -s ../../../share/listd/python/listd "$tree/usr/lib/python3/dist-packages/listd"
  gzip -9n "$share"/man/man*/* "$share/doc/listd/changelog"
  cat >"$tree/DEBIAN/control" <<END
Package: listd
Version: $version
Architecture: $architecture
Maintainer: The listd authors <listd@listd.invalid>
Installed-Size: $(du -sk --apparent-size "$tree/usr" | cut -f1)
Suggests: python3 (>= 3.9), jq
Section: utils
Priority: optional
Description: keeps named lists and computes what changed in them
 A daemon that keeps lists for the programs that show them and answers with
 the fewest inserts, deletes, moves and updates, as JSON-RPC 2.0 over pipes;
 a command that compares two files and shows what moved; clients for Python,
 bash, Neovim, Vim and Emacs.
END
  (cd "$tree" && find usr -type f -printf '%P\0' | sort -z |
    xargs -0 -I{} md5sum usr/{} >DEBIAN/md5sums)
  find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group -Zxz -z1 --build "$tree" \
    "$2/listd_${version}_$architecture.deb" >/dev/null
  rm -rf "$tree"
}
