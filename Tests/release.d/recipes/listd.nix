# For Nix on Linux: the program and the clients as they are in the tarball of the release.
#
#     nix-build -E 'with import <nixpkgs> { }; callPackage ./listd.nix { }'
{ lib, stdenvNoCC, fetchurl }:

stdenvNoCC.mkDerivation {
  pname = "listd";
  version = "@VERSION@";

  src = fetchurl {
    url = "@ADDRESS@/@TARBALL@";
    sha256 = "@SHA256@";
  };

  # The program is static, and is used as it is.
  dontBuild = true;
  dontFixup = true;

  installPhase = ''
    mkdir -p $out
    cp -R bin share $out
  '';

  meta = {
    description = "Keeps named lists and computes what changed in them";
    homepage = "@ADDRESS@";
    license = lib.licenses.asl20;
    platforms = [ "@PROCESSOR@-linux" ];
    mainProgram = "listd";
  };
}
