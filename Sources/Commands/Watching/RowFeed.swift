import ByteBuffers
import ListCompare

/// Where `listd watch` reads rows, again and again.
class RowFeed {
  /// What was read.
  struct Reading {
    var file: ComparedFile

    /// Whether there will be more of the same reading, which then replaces this one.
    var isPart = false

    /// What the reading is, for people: a revision, or nothing.
    var words = ""

    /// Why reading has failed, or what failed meanwhile; nil if nothing has.
    var problem: String?
  }

  /// The descriptors whose input may be a new reading.
  var polled: [Int32] { [] }

  /// When `next` is to be called even if there is no input.
  var deadline: MonotonicTime? { nil }

  /// Whether there are readings at intervals, also if nothing has changed.
  var isPeriodic: Bool { false }

  /// Returns the next reading; nil if there is none yet. It does not wait.
  ///
  /// - Throws: If there will be none any more.
  func next() throws(CommandProblem) -> Reading? { nil }

  /// Ends what runs for this feed.
  func end() {}
}

/// What is at a path, which is looked at again and again.
class PathFeed: RowFeed {
  let path: String
  private let interval: Duration
  private var nextLook = MonotonicTime.now

  init(_ path: String, every interval: Duration) {
    self.path = path
    self.interval = interval
  }

  override var deadline: MonotonicTime? { nextLook }

  override func next() throws(CommandProblem) -> Reading? {
    guard nextLook <= .now else { return nil }
    nextLook = MonotonicTime.now.advanced(by: interval)
    return try look()
  }

  /// Returns the rows if they have changed.
  ///
  /// - Throws: If there will be none any more.
  func look() throws(CommandProblem) -> Reading? { nil }
}

/// A file whose rows are read again when it changes.
final class FileFeed: PathFeed {
  private var version: [Int] = []
  private var hasRead = false

  override func look() throws(CommandProblem) -> Reading? {
    var status = stat()
    let isThere = stat(path, &status) == 0
    let time = System.modificationTime(of: status)
    let found = isThere ? [Int(status.st_ino), Int(status.st_size), time.0, time.1] : []
    guard found != version || !hasRead else { return nil }
    version = found
    do throws(ComparisonFailure) {
      let file = try PairReader.read(path)
      hasRead = true
      return Reading(file: file)
    } catch {
      guard hasRead else { throw CommandProblem(words: error.words, isOfCommandLine: false) }
      return Reading(file: .missing, problem: error.words)
    }
  }
}

/// The files of a folder.
final class FolderFeed: PathFeed {
  private var last: SharedBytes?

  override func look() throws(CommandProblem) -> Reading? {
    guard let folder = opendir(path) else {
      let words = "cannot read \(path): \(Descriptor.problem)"
      guard last != nil else { throw CommandProblem(words: words, isOfCommandLine: false) }
      return Reading(file: .missing, problem: words)
    }
    defer { closedir(folder) }
    var names: [[UInt8]] = []
    while let entry = readdir(folder) {
      let name = withUnsafeMutableBytes(of: &entry.pointee.d_name) { bytes in
        Array(bytes.prefix { $0 != 0 })
      }
      if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
    }
    names.sort { $0.lexicographicallyPrecedes($1) }
    var rows = ByteBuffer()
    rows.append("{\"items\":[")
    for name in names { append(name, to: &rows) }
    rows.append("]}")
    let content = rows.shared()
    if let last, last.withBytes({ a in content.withBytes { Bytes.equal(a, $0) } }) { return nil }
    last = content
    return Reading(file: ComparedFile(name: path, content: content))
  }

  private func append(_ name: [UInt8], to rows: inout ByteBuffer) {
    var status = stat()
    let full = Array(path.utf8) + [0x2F] + name + [0]
    let isThere = full.withUnsafeBytes {
      lstat($0.baseAddress!.assumingMemoryBound(to: CChar.self), &status) == 0
    }
    // It may have been removed meanwhile.
    guard isThere else { return }
    rows.appendSeparator()
    rows.append("{\"id\":")
    // Names may be of any bytes.
    rows.append(string: String(decoding: name, as: UTF8.self))
    rows.append(member: "name", string: String(decoding: name, as: UTF8.self))
    let kind: StaticString =
      switch status.st_mode & S_IFMT {
      case S_IFDIR: "\"folder\""
      case S_IFLNK: "\"link\""
      case S_IFREG: "\"file\""
      default: "\"other\""
      }
    rows.append(member: "type")
    rows.append(kind)
    rows.append(member: "size", Int(status.st_size))
    rows.append(member: "modified", string: System.localDate(System.modificationTime(of: status).0))
    rows.append("}")
  }
}

extension System {
  /// The local time of day.
  static var localTime: String { String(localDate(time(nil)).suffix(8)) }

  /// A time as a local date and time of day.
  static func localDate(_ seconds: Int) -> String {
    var seconds = time_t(seconds)
    var parts = tm()
    localtime_r(&seconds, &parts)
    func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map { digits($0) }
    let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits($0) }
    return day.joined(separator: "-") + " " + time.joined(separator: ":")
  }
}
