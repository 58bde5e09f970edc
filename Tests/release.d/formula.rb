# Installs by a formula of Homebrew into a folder: `formula.rb FORMULA PREFIX`, in the unpacked tarball.
#
# The formula is checked like a class of Homebrew: an unknown word of it is an error.

require "fileutils"

class Place
  def initialize(path) = @path = path

  def install(*sources)
    FileUtils.mkdir_p(@path)
    sources.flatten.each do |source|
      raise "#{source} does not exist" unless File.exist?(source)

      FileUtils.cp_r(source, @path)
    end
  end
end

class Formula
  WORDS = %i[desc homepage url version sha256 license depends_on].freeze
  PLACES = {
    bin: "bin", man1: "share/man/man1", man7: "share/man/man7", doc: "share/doc/listd", pkgshare: "share/listd",
    bash_completion: "etc/bash_completion.d", zsh_completion: "share/zsh/site-functions",
    fish_completion: "share/fish/vendor_completions.d"
  }.freeze

  class << self
    attr_reader :about

    WORDS.each { |word| define_method(word) { |value| (@about ||= {})[word] = value } }

    def test(&block) = block
  end

  PLACES.each { |name, path| define_method(name) { Place.new(File.join(ARGV[1], path)) } }
end

load ARGV[0]
missing = Formula::WORDS - Listd.about.keys
raise "the formula lacks #{missing}" unless missing.empty?

Listd.new.install
