import ByteBuffers
import ListCompare

/// The comparison of all files in two folders.
struct FolderDiff: ~Copyable {
  private let options: DiffOptions
  private var sink: OutputSink
  private var counts = ChangeCounts()
  private var files = 0
  private var exitCode = DiffCommand.ExitCode.same

  /// The drawing of all files on a page, whose head is written before it.
  private var page = PageCanvas()

  /// What was written last.
  private var last = Part.nothing

  private enum Part {
    case nothing, line, drawing
  }

  /// The paths of both folders, and the names that replace them in the output.
  private var paths = (old: "", new: "")
  private var names = (old: "", new: "")

  /// The drivers of files that git has put into both folders.
  private let drivers = getenv("GIT_DIFFTOOL_DIRDIFF") == nil ? nil : GitDrivers()

  /// The folders that the present one is in, by which links to them are found.
  private var ancestors: [(device: dev_t, number: ino_t)] = []

  init(_ options: DiffOptions) {
    self.options = options
    sink = OutputSink(mayPage: options.usesPager, finds: "^--- ")
  }

  /// Whether a path is that of a folder.
  static func isFolder(_ path: String) -> Bool {
    if case .folder = FileKind(path) { true } else { false }
  }

  /// Draws what differs in two folders, file by file, and returns the exit code.
  mutating func run(_ old: String, _ new: String) -> Int32 {
    switch options.output {
    case .operations, .changes:
      fail("--format json, ndjson, csv and those of lists are for two files")
      return exitCode
    case .drawing, .counts, .nothing, .brief, .unified, .page: break
    }
    paths = (Self.withoutSlash(old), Self.withoutSlash(new))
    names = options.names(paths.old, paths.new)
    compare(folder: paths.old, with: paths.new)
    let total = "\(files) files differ: \(counts.description)"
    if files > 1, case .drawing = options.output {
      begin(.drawing)
      var canvas = options.canvas(digits: 0)
      canvas.draw(line: total, "1")
      sink.take(&canvas.output)
    }
    if case .page = options.output, !page.output.isEmpty {
      var head = PageCanvas.head(
        names.old, names.new, summary: files > 1 ? total : "", files: page.files)
      sink.take(&head)
      sink.take(&page.output)
      sink.write(PageCanvas.tail)
    }
    sink.end()
    if let problem = sink.problem { fail(problem) }
    return exitCode
  }

  /// The name of a path in the output.
  private func name(ofOld path: String) -> String { names.old + path.dropFirst(paths.old.count) }
  private func name(ofNew path: String) -> String { names.new + path.dropFirst(paths.new.count) }

  private mutating func fail(_ words: String) {
    Descriptor.report(words)
    exitCode = DiffCommand.ExitCode.trouble
  }

  private mutating func differ() {
    exitCode = max(exitCode, DiffCommand.ExitCode.different)
  }

  /// Writes a line about names.
  private mutating func write(_ line: String) {
    differ()
    switch options.output {
    case .nothing: break
    case .page: page.draw(difference: line)
    default:
      begin(.line)
      sink.write(line.printable + "\n")
    }
  }

  private mutating func compare(folder old: String, with new: String) {
    guard let left = entries(of: old), let right = entries(of: new) else { return }
    let status = FileKind.status(of: old) ?? FileKind.status(of: new)
    let place = status.map { (device: $0.st_dev, number: $0.st_ino) }
    if let place, ancestors.contains(where: { $0 == place }) {
      return fail("\(old) is a link to a folder that it is in")
    }
    if let place { ancestors.append(place) }
    defer { if place != nil { ancestors.removeLast() } }
    for name in left.union(right).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      if options.comparesAbsent || left.contains(name) && right.contains(name) {
        compare(Self.path(old, name), with: Self.path(new, name))
      } else {
        let folder = left.contains(name) ? self.name(ofOld: old) : self.name(ofNew: new)
        write("Only in \(folder): \(name)")
      }
    }
  }

  private static func path(_ folder: String, _ name: String) -> String {
    folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }

  private static func withoutSlash(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }

  private mutating func compare(_ old: String, with new: String) {
    let (left, right) = (FileKind(old), FileKind(new))
    let names = (old: name(ofOld: old), new: name(ofNew: new))
    switch (left, right) {
    case (.folder, .folder), (.folder, .none), (.none, .folder): compare(folder: old, with: new)
    case (.file, .file), (.file, .none), (.none, .file): compare(file: old, with: new)
    case (.link(let a), .link(let b)):
      if a != b { write("Symbolic links \(names.old) and \(names.new) differ") }
    default:
      write("File \(names.old) is a \(left.words) while file \(names.new) is a \(right.words)")
    }
  }

  private mutating func compare(file old: String, with new: String) {
    let (oldPath, newPath) = (options.path(old), options.path(new))
    do throws(ComparisonFailure) {
      guard var (before, after) = try PairReader.read(oldPath, newPath, options.need)
      else { return }
      // Programs that apply patches know this name.
      before.name = oldPath == old ? name(ofOld: old) : oldPath
      after.name = newPath == new ? name(ofNew: new) : newPath
      let comparison = try options.comparisonOrLines(before, after)
      let name = newPath == new ? after.name : before.name
      for note in comparison.notes { Descriptor.report("note: \(name): \(note)") }
      if comparison.isSame { return }
      let path = String(old.dropFirst(paths.old.count + 1))
      draw(comparison, (before.name, after.name), name, path: path)
    } catch { fail(error.words) }
  }

  /// Begins the drawing of another file, or a line, which a blank line separates from what was
  /// drawn before.
  private mutating func begin(_ part: Part) {
    guard case .drawing = options.output else { return }
    if last == .drawing || last == .line && part == .drawing { sink.write("\n") }
    last = part
  }

  /// Draws the changes of a file. `name` is that of the file in the folder that has it, and `path`
  /// is its path in the folders.
  private mutating func draw(
    _ comparison: Comparison, _ names: (old: String, new: String), _ name: String, path: String
  ) {
    begin(comparison.isBinary ? .line : .drawing)
    differ()
    files += 1
    counts.add(comparison.counts)
    let drivers = drivers
    let driver = { drivers?.driver(of: path) }
    switch options.output {
    case .nothing, .operations, .changes: break
    case .page:
      if !comparison.isBinary { page.draw(file: name, summary: comparison.summary) }
      comparison.draw(on: &page, named: nil, driver: driver) { _ in }
    case .brief: sink.write("Files \(names.old) and \(names.new) differ\n")
    case .counts: sink.write("\(name): \(comparison.summary)\n")
    case .unified:
      var buffer = ByteBuffer()
      comparison.appendUnified(to: &buffer) { sink.takeLarge(&$0) }
      sink.take(&buffer)
    case .drawing:
      var canvas = options.pagedCanvas(for: comparison, minimalDigits: DiffOptions.commonDigits)
      comparison.draw(on: &canvas, named: names, driver: driver) {
        sink.takeLarge(&$0.output)
      }
      sink.take(&canvas.output)
    }
  }

  /// The names in a folder; nil, and reported, if it cannot be read.
  private mutating func entries(of folder: String) -> Set<String>? {
    guard let stream = opendir(folder) else {
      if options.comparesAbsent, errno == ENOENT { return [] }
      fail("\(folder): \(Descriptor.problem)")
      return nil
    }
    defer { closedir(stream) }
    var names: Set<String> = []
    while let entry = readdir(stream) {
      let name = withUnsafeMutableBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let name else {
        fail("\(folder) has a name that is not UTF-8")
        continue
      }
      if name != ".", name != ".." { names.insert(name) }
    }
    return names
  }
}

/// The kind of a file. Links are what they lead to, if that exists.
private enum FileKind {
  case file
  case folder
  case link(String)
  case other(String)
  case none

  init(_ path: String) {
    guard let status = Self.status(of: path) else {
      var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = target.withUnsafeMutableBytes { buffer in
        readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
      }
      self = count < 0 ? .none : .link(String(decoding: target.prefix(count), as: UTF8.self))
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFIFO: self = .other("fifo")
    case S_IFSOCK: self = .other("socket")
    default: self = .other("device")
    }
  }

  static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  var words: String {
    switch self {
    case .file: "regular file"
    case .folder: "directory"
    case .link: "broken link"
    case .other(let name): name
    case .none: "missing file"
    }
  }
}
