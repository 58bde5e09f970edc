import ByteBuffers
import ListCompare

/// `listd git-merge`: the program that git calls to merge two versions of a file with rows.
package struct GitMergeCommand: Sendable {
  private var options = DiffOptions()
  private var words: [String] = []
  private var prints = false

  /// The exit codes from which git concludes that there are conflicts, or that merging failed.
  private static let conflicts: Int32 = 1
  private static let trouble: Int32 = 129

  private static let prints = CommandHelp.Option(
    "--print", "write the merged file to standard output, not over OURS")

  package static let help = CommandHelp(
    name: "git-merge", summary: "merges two versions of a file with rows for git",
    usage: ["git-merge [OPTION]... BASE OURS THEIRS [MARKER-SIZE [PATH [NAME NAME]]]"],
    options: DiffOptions.help("--key", "--rows", "--separator", "--input") + [prints],
    notes: """
      git calls it as a merge driver for CSV, TSV, JSON and NDJSON:

        git config merge.csv.driver 'listd git-merge --key id %O %A %B %L %P'
        echo '*.csv merge=csv' >> .gitattributes

      Rows are identified by the key, as by listd diff. Changes of different rows, and of different
      members of one row, are merged. Changes of one member to different values, and of a row that the
      other side deleted, are conflicts, and marked as git marks them. The order is that of the side
      that changed it, or of OURS; what the other side inserts follows what it follows there.
      Members inside of rows, elements of arrays with a key, and columns are merged likewise. Text
      that did not change is kept byte by byte. Files without rows or without a key are merged by
      git merge-file.

      listd git-merge exits with 0 if there are no conflicts, with 1 if there are, with 129 if the files
      cannot be merged, and with 2 if the command line is wrong.
      """)

  /// Reads the words after `git-merge`.
  package init(_ words: ArraySlice<String>) throws(CommandProblem) {
    var arguments = Arguments(ShortOptions.expanded(words), of: Self.help)
    while let argument = try arguments.next() {
      switch argument {
      case .operand(let word): self.words.append(word)
      case .option(Self.prints.name): prints = true
      default: try options.read(argument)
      }
    }
    guard [3, 4, 5, 7].contains(self.words.count) else {
      throw CommandProblem(words: "git-merge takes the three files that git gives it")
    }
    guard self.words.count < 4 || Int(self.words[3]).map({ $0 > 0 && $0 < 1000 }) == true else {
      throw CommandProblem(words: "the size of marks is a number, not \(self.words[3])")
    }
  }

  /// Writes the merged file; returns the exit code.
  package func run() -> Int32 {
    var marks = RecordMerge.Marks()
    if words.count > 3 { marks.size = Int(words[3])! }
    if words.count > 6 { (marks.ours, marks.theirs) = (words[5], words[6]) }
    do throws(ComparisonFailure) {
      var files: [ComparedFile] = []
      for path in words[..<3] { files.append(try PairReader.read(path)) }
      var comparison = options.comparison
      if words.count > 4, comparison.input == .auto {
        comparison.input = ComparisonOptions.Input(fileName: words[4]) ?? .auto
      }
      let merge: RecordMerge
      do throws(ComparisonFailure) {
        merge = try RecordMerge(
          base: files[0], ours: files[1], theirs: files[2], comparison
        ) {
          marks.showsBase = Self.showsBase
          return marks
        }
      } catch {
        Descriptor.report("merged as text: \(error.words)")
        return mergeText(marks)
      }
      guard write(merge.text) else { throw ComparisonFailure("\(words[1]): \(Descriptor.problem)") }
      return merge.conflicts > 0 ? Self.conflicts : 0
    } catch {
      Descriptor.report(error.words)
      return Self.trouble
    }
  }

  /// Whether git's configuration says that conflicts include the text of the base.
  private static var showsBase: Bool {
    let style = GitProcess(["config", "-z", "--get", "merge.conflictStyle"])?.read().first
    return style == "diff3" || style == "zdiff3"
  }

  private func write(_ text: [UInt8]) -> Bool {
    text.withUnsafeBytes { bytes in
      if prints { return Descriptor.output.write(bytes) }
      let number = System.openFile(words[1], O_WRONLY | O_TRUNC | O_CLOEXEC)
      guard number >= 0 else { return false }
      return Descriptor(number: number).write(bytes) && close(number) == 0
    }
  }

  /// Merges the files as text, as git does. Returns the exit code.
  private func mergeText(_ marks: RecordMerge.Marks) -> Int32 {
    var command = ["git", "merge-file", "-q", "--marker-size=\(marks.size)"]
    for name in [marks.ours, "base", marks.theirs] { command += ["-L", name] }
    if prints { command.append("-p") }
    command += ["--", words[1], words[0], words[2]]
    let process = System.start(
      command, output: Descriptor.output.number, errors: nil, inOwnSession: false)
    var status: Int32 = 0
    guard let process else {
      Descriptor.report("cannot run git: \(Descriptor.problem)")
      return Self.trouble
    }
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let code = status >> 8 & 0xFF
    guard status & 0x7F == 0, code < 128 else { return Self.trouble }
    return code == 0 ? 0 : Self.conflicts
  }
}
