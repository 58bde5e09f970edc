import JSONBytes
import ListProtocol

/// `listd diff OLD NEW`: the change between two files.
struct DiffCommand: Sendable {
  private var format: Format?
  private var paths: [String] = []

  private enum ExitCode {
    static let same: Int32 = 0
    static let different: Int32 = 1
    static let trouble: Int32 = 2
  }

  static let help = CommandHelp(
    name: "diff", summary: "compares two files", usage: ["diff [OPTION]... OLD NEW"],
    options: [
      .init(
        "--format", Format.allCases.map(\.rawValue).joined(separator: "|"),
        "write the operations as JSON instead of a drawing")
    ],
    notes: """
      A file is a snapshot ({"items": [...]} or {"sections": [...]}) or text, whose items are its
      lines; - is standard input. The drawing marks what was inserted (+), deleted (-), changed (~)
      and moved (>), between the old and the new line numbers. It is coloured on a terminal unless
      NO_COLOR is set.

      listd diff exits with 0 if nothing differs, with 1 if something does, and with 2 if a file
      cannot be read.
      """)

  /// Reads the words after `diff`.
  init(_ words: ArraySlice<String>) throws(Options.Problem) {
    var arguments = Arguments(words, of: Self.help)
    while let argument = try arguments.next() {
      switch argument {
      case .operand(let path): paths.append(path)
      case .value(let name, of: _): format = Format(rawValue: name)
      case .option: break
      }
    }
    guard paths.count == 2 else {
      throw Options.Problem(words: "diff takes two files, or - for standard input")
    }
  }

  /// Tells the change; returns the exit code.
  func run() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    var files: [ComparedFile] = []
    for path in paths {
      if path == "-", let place = paths.firstIndex(of: "-"), place < files.count {
        files.append(files[place])
        continue
      }
      guard let content = read(path) else {
        Descriptor.report("\(path): \(Descriptor.problem)")
        return ExitCode.trouble
      }
      files.append(ComparedFile(name: path, content: content))
    }
    var comparison = Comparison(files[0], files[1])
    var out = ByteBuffer()
    do throws(ComparisonFailure) {
      var isRead = true
      func flush(_ buffer: inout ByteBuffer) {
        if isRead, !buffer.withUnsafeBytes({ Descriptor.output.write($0) }) {
          isRead = false
          if let problem = Descriptor.outputProblem { Descriptor.report(problem.words) }
        }
        buffer.removeAll()
      }
      let isSame = try comparison.append(
        format, isColoured: Self.isColoured, to: &out, flush: flush)
      flush(&out)
      guard isRead else { return ExitCode.trouble }
      return isSame ? ExitCode.same : ExitCode.different
    } catch {
      Descriptor.report(error.words)
      return ExitCode.trouble
    }
  }

  private func read(_ path: String) -> SharedBytes? {
    guard path != "-" else { return Descriptor.input.readAll() }
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    defer { close(number) }
    return Descriptor(number: number).readAll()
  }

  /// Whether people see the output and have not asked for it to be plain.
  private static var isColoured: Bool {
    guard isatty(1) == 1 else { return false }
    if let wish = getenv("NO_COLOR"), wish.pointee != 0 { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? true
  }
}

extension Descriptor {
  /// Reads to the end; `nil` where that is not possible, and `errno` says why.
  func readAll() -> SharedBytes? {
    var status = stat()
    let size = fstat(number, &status) == 0 ? Int(status.st_size) : 0
    // Room for the read that finds the end, so that a file is not copied for it.
    var buffer = ByteBuffer(capacity: size + Self.chunk)
    while true {
      var isFailed = false
      let count = buffer.withTail(minimum: Self.chunk) { tail in
        let count = read(into: tail)
        isFailed = count < 0
        return max(0, count)
      }
      if isFailed { return nil }
      if count == 0 { return buffer.shared() }
    }
  }

  private static let chunk = 1 << 12
}
