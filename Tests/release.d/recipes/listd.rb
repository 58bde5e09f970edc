# For a tap of Homebrew on Linux: the program and the clients as they are in the tarball of the release.
class Listd < Formula
  desc "Keeps named lists and computes what changed in them"
  homepage "@ADDRESS@"
  url "@ADDRESS@/@TARBALL@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on :linux

  def install
    bin.install "bin/listd"
    man1.install Dir["share/man/man1/*"]
    man7.install Dir["share/man/man7/*"]
    bash_completion.install "share/bash-completion/completions/listd"
    zsh_completion.install "share/zsh/site-functions/_listd"
    fish_completion.install "share/fish/vendor_completions.d/listd.fish"
    pkgshare.install Dir["share/listd/*"]
    doc.install Dir["share/doc/listd/*"]
  end

  test do
    (testpath/"old").write "apple\nbanana\n"
    (testpath/"new").write "banana\napple\n"
    assert_match "1 moved", shell_output("#{bin}/listd diff old new", 1)
  end
end
