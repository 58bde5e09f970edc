import ByteBuffers
import ListCompare

/// `listd git-diff`: the program that git calls to compare two versions of a file or to convert
/// one.
package struct GitDiffCommand: Sendable {
  private var options = DiffOptions()
  private var words: [String] = []
  private var convertsText = false

  package static let help = CommandHelp(
    name: "git-diff", summary: "compares two versions of a file for git",
    usage: [
      "git-diff [OPTION]... PATH OLD OLD-HASH OLD-MODE NEW NEW-HASH NEW-MODE [NEW-PATH NOTE]",
      "git-diff --textconv [OPTION]... FILE",
    ],
    options: [
      .init("--textconv", "write a file as lines, one for each member of a row")
    ] + DiffOptions.help,
    notes: """
      git calls it with these arguments. It draws as listd diff does and exits with 0. A file that
      is not what the options say is compared as text. Every file, or those that an attribute names:

        git -c diff.external='listd git-diff' diff
        git config diff.csv.command 'listd git-diff --key id'
        echo '*.csv diff=csv' >> .gitattributes

      As a text conversion, for git log -p and git blame, too:

        git config diff.json.textconv 'listd git-diff --textconv --key id'

      All files together, with a total, as git listd-diff:

        git config --global alias.listd-diff 'difftool -d -t listd'
        git config --global difftool.listd.cmd \\
          'listd diff -N --label a --label b "$LOCAL" "$REMOTE"'

      git difftool -x 'listd diff' needs nothing else. Hunks of text name the function that they are
      in, by the attribute diff and diff.NAME.xfuncname of the configuration, or else by the suffix.
      """)

  /// Reads the words after `git-diff`.
  package init(_ words: ArraySlice<String>) throws(CommandProblem) {
    var arguments = Arguments(ShortOptions.expanded(words), of: Self.help)
    while let argument = try arguments.next() {
      switch argument {
      case .operand(let word): self.words.append(word)
      case .option("--textconv"): convertsText = true
      default: try options.read(argument)
      }
    }
    let isCall = convertsText ? self.words.count == 1 : [1, 7, 9].contains(self.words.count)
    guard isCall else {
      throw CommandProblem(
        words: convertsText
          ? "git-diff --textconv takes one file" : "git-diff takes the arguments that git gives it")
    }
  }

  /// Writes the change or the text; returns the exit code.
  package func run() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    var sink = OutputSink()
    if convertsText {
      do throws(ComparisonFailure) {
        let file = try PairReader.read(words[0])
        var buffer = ByteBuffer()
        try FlatText.append(file, options.comparison, to: &buffer)
        sink.take(&buffer)
      } catch {
        Descriptor.report(error.words)
        return DiffCommand.ExitCode.trouble
      }
    } else if words.count == 1 {
      sink.write("* Unmerged path \(words[0])\n")
    } else {
      compare(&sink)
    }
    if let problem = sink.problem {
      Descriptor.report(problem)
      return DiffCommand.ExitCode.trouble
    }
    return 0
  }

  private func compare(_ sink: inout OutputSink) {
    let newPath = words.count == 9 ? words[7] : words[0]
    let names = (
      old: words[1] == "/dev/null" ? words[1] : "a/" + words[0],
      new: words[4] == "/dev/null" ? words[4] : "b/" + newPath
    )
    // git numbers the files, which are drawn by a process each.
    if let counter = getenv("GIT_DIFF_PATH_COUNTER"), String(cString: counter) != "1",
      case .drawing = options.output
    {
      sink.write("\n")
    }
    if words[3] != words[6], words[1] != "/dev/null", words[4] != "/dev/null" {
      sink.write("\(newPath): mode \(words[3]) → \(words[6])\n")
    }
    if newPath != words[0] { sink.write("\(words[0]) renamed to \(newPath)\n") }
    do throws(ComparisonFailure) {
      guard var (old, new) = try PairReader.read(words[1], words[4], .rows) else { return }
      old.name = names.old
      new.name = names.new
      draw(try options.comparisonOrLines(old, new), names, &sink)
    } catch {
      sink.write("\(names.old) and \(names.new) differ: \(error.words)\n")
    }
  }

  private func draw(
    _ comparison: Comparison, _ names: (old: String, new: String), _ sink: inout OutputSink
  ) {
    if comparison.isSame { return }
    switch options.output {
    case .nothing: break
    case .brief: sink.write("Files \(names.old) and \(names.new) differ\n")
    case .counts: sink.write("\(names.new): \(comparison.summary)\n")
    default:
      var canvas = options.canvas(
        for: comparison, minimalDigits: DiffOptions.commonDigits)
      let (drivers, path) = (GitDrivers(), words[0])
      let driver = { drivers.driver(of: path) }
      comparison.draw(on: &canvas, named: names, driver: driver) { sink.takeLarge(&$0.output) }
      sink.take(&canvas.output)
    }
  }
}
