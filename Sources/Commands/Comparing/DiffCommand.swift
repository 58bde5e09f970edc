import ByteBuffers
import ListCompare

/// `listd diff OLD NEW`: compares two files.
package struct DiffCommand: Sendable {
  private var options = DiffOptions()
  private var paths: [String] = []

  enum ExitCode {
    static let same: Int32 = 0
    static let different: Int32 = 1
    static let trouble: Int32 = 2
  }

  package static let help = CommandHelp(
    name: "diff", summary: "compares two files or folders", usage: ["diff [OPTION]... OLD NEW"],
    options: DiffOptions.help,
    notes: """
      A file is a snapshot ({"items": [...]} or {"sections": [...]}) or text, whose rows are its
      lines; - is standard input. With --key, rows are the records of CSV or TSV, or the items of
      JSON: an array, a list with other members around it, an object of objects, or NDJSON. Without
      it, a member such as id or name that identifies the rows of both files is the key; --key none
      compares lines.

      The drawing marks what was deleted (-), inserted (+) and changed (~), and what moved where it
      was (<) and where it is (>). On a terminal it is coloured unless NO_COLOR is set. Lines are cut to
      the width, but not where they differ. If the drawing is longer than the screen, it is shown by
      $LISTD_PAGER, $PAGER or less, and rows that changed are not cut.

        listd diff old.csv new.csv --key id
        listd diff old.json new.json --key metadata.name --ignore metadata.resourceVersion,status.*
        listd diff --key-field 2 before.txt after.txt
        listd diff -u old new | patch -p0

      -d, -u, -U N, -q, -w, -b, -i, -N and -r mean what they mean to other programs: --separator,
      --format unified, that with --context N, --brief, --ignore-space, --ignore-space-change,
      --ignore-case, --new-file, and folders with all that is in them.

      Without --key, the rows of CSV, TSV and JSON are identified by the first of id, key, name,
      metadata.name and some others that all of them have, that no two share, and that some rows of
      both files share; it is reported on standard error. --format unified, the formats of lists and
      listd git-diff find none. Without a key, a row is identified by its whole content. Rows whose
      key is repeated are paired as lines are, and the key is reported once. A row of JSON without
      the key is an error; a record of CSV without it is identified by its text, and one with other
      fields than the first is reported once. What is around the rows of a document is compared,
      too: (document). Inside of a row, elements of an array of objects are paired by id, key, name,
      metadata.name or uid, as containers[web].image, if that is a key of both arrays; containers[]
      is the order of their keys. Others are paired by position: args[0].

      Values are compared as JSON and CSV values, whatever their spelling; lines byte by byte, with
      their line ends. A hunk of text names the function or chapter that it is in, as git's drivers
      do. As many rows as possible neither change nor move, but lines without letters, and lines that
      occur often, are deleted and inserted instead of moved. With --unordered, no neighbours are
      drawn, and files that differ in order alone are equal. A member of --ignore that matches
      nothing is reported. Bytes that are not UTF-8 are compared as they are, and shown as \\xe9; JSON
      must be UTF-8. Of files with a NUL, only that they differ is reported. Files are below 2 GiB.
      Folders are compared file by file, as by diff -r. In less, n and N go to the next and the
      previous file; in the page of --format html also n and p to the next and the previous change.

      --format ndjson writes a JSON object for each change, --format json one document with "old",
      "new", "counts" and "changes":

        {"op":"move","key":["3"],"from":4,"to":2}
        {"op":"change","key":["1"],"from":2,"to":3,"fields":{"name":["Ann","Anna"]}}
        {"op":"delete","key":["2"],"from":3,"old":{"id":"2","name":"Bob"}}
        {"op":"insert","key":["4"],"to":4,"new":{"id":"4","name":"Dan"}}

      Without a key, a move has the row as "new". Numbers of rows are those of the drawing. A member
      that is absent is null. A changed row that moved has "moved": true; rows of snapshots have
      "fromSection" and "toSection"; what is not a row has "part": "document", "columns" or
      "section". Rows of CSV are objects of strings; text that is not UTF-8 is {"text", "bytes"} with
      the bytes in Base64. --format csv has the columns op,key,from,to,field,old,new. The formats
      stages, ops, jsonPatch and textEdits are those of listd-protocol(7), of snapshots and lines.

      listd diff exits with 0 if nothing differs, with 1 if something does, and with 2 if files
      cannot be compared.
      """)

  /// Reads the words after `diff`.
  package init(_ words: ArraySlice<String>) throws(CommandProblem) {
    var arguments = Arguments(ShortOptions.expanded(words), of: Self.help)
    while let argument = try arguments.next() {
      if case .operand(let path) = argument { paths.append(path) }
      try options.read(argument)
    }
    guard paths.count == 2 else {
      throw CommandProblem(words: "diff takes two files or folders, or - for standard input")
    }
    try options.complete()
  }

  /// Creates a command that writes what differs between files that were read already.
  init(_ options: DiffOptions) { self.options = options }

  /// Writes the change; returns the exit code.
  package func run() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    if FolderDiff.isFolder(paths[0]), FolderDiff.isFolder(paths[1]) {
      var folders = FolderDiff(options)
      return folders.run(paths[0], paths[1])
    }
    do throws(ComparisonFailure) {
      let (oldPath, newPath) = (options.path(paths[0]), options.path(paths[1]))
      let names = options.names(oldPath, newPath)
      guard var (old, new) = try PairReader.read(oldPath, newPath, options.need) else {
        return try write(.ofEqualFiles, names)
      }
      (old.name, new.name) = names
      return try write(old, new)
    } catch {
      Descriptor.report(error.words)
      return ExitCode.trouble
    }
  }

  /// Writes the change of two files that were read already; returns the exit code.
  func write(_ old: ComparedFile, _ new: ComparedFile) throws(ComparisonFailure) -> Int32 {
    if case .operations(let format) = options.output { return try write(format, old, new) }
    let isPatch = if case .unified = options.output { true } else { false }
    let comparison = try Comparison(old, new, isPatch ? options.lineComparison : options.comparison)
    return try write(comparison, (old.name, new.name))
  }

  /// Writes the operations that change one file into the other.
  private func write(
    _ format: String, _ old: ComparedFile, _ new: ComparedFile
  ) throws(ComparisonFailure) -> Int32 {
    var sink = OutputSink(mayPage: options.usesPager)
    let (array, isSame) = try Comparison.operations(
      old, new, options.comparison, format,
      by: OwnDaemon.shared.compare)
    array.withBytes { sink.write($0) }
    sink.write("\n")
    return try end(&sink, isSame)
  }

  private func write(
    _ comparison: Comparison, _ names: (old: String, new: String)
  ) throws(ComparisonFailure) -> Int32 {
    var sink = OutputSink(mayPage: options.usesPager)
    for note in comparison.notes { Descriptor.report("note: \(note)") }
    let isSame = comparison.isSame
    switch options.output {
    case .unified:
      var buffer = ByteBuffer()
      comparison.appendUnified(to: &buffer) { sink.takeLarge(&$0) }
      sink.take(&buffer)
    case .page:
      if isSame { break }
      var head = PageCanvas.head(
        names.old, names.new, summary: comparison.isBinary ? "" : comparison.summary)
      sink.take(&head)
      var canvas = PageCanvas()
      comparison.draw(on: &canvas, named: nil, driver: GitDrivers.ofDifftool) {
        sink.takeLarge(&$0.output)
      }
      sink.take(&canvas.output)
      sink.write(PageCanvas.tail)
    case .changes(let format):
      var buffer = ByteBuffer()
      comparison.append(format, named: names, to: &buffer) { sink.takeLarge(&$0) }
      sink.take(&buffer)
    case .brief where !isSame: sink.write("Files \(names.old) and \(names.new) differ\n")
    case .counts where !isSame: sink.write(comparison.summary + "\n")
    case .drawing where !isSame: draw(comparison, names, &sink)
    case .nothing, .brief, .counts, .drawing, .operations: break
    }
    return try end(&sink, isSame)
  }

  /// Ends the output and returns the exit code.
  private func end(_ sink: inout OutputSink, _ isSame: Bool) throws(ComparisonFailure) -> Int32 {
    sink.end()
    if let problem = sink.problem { throw ComparisonFailure(problem) }
    return isSame ? ExitCode.same : ExitCode.different
  }

  private func draw(
    _ comparison: Comparison, _ names: (old: String, new: String), _ sink: inout OutputSink
  ) {
    let driver = GitDrivers.ofDifftool
    if options.usesPager {
      var screen = options.canvas(for: comparison, lineLimit: Terminal.rows)
      comparison.draw(on: &screen, named: names, driver: driver) { _ in }
      if !screen.isFull { return sink.take(&screen.output) }
    }
    var canvas =
      options.usesPager
      ? options.pagedCanvas(for: comparison) : options.canvas(for: comparison)
    comparison.draw(on: &canvas, named: names, driver: driver) { sink.takeLarge(&$0.output) }
    sink.take(&canvas.output)
  }
}
