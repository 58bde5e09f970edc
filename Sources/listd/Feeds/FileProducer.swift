import ByteBuffers
import Commands
import ListCompare
import ListProtocol

/// The rows of a file: all of them, again after each change, or those that are appended.
final class FileProducer: FeedProducer, @unchecked Sendable {
  private let path: String
  private let follows: Bool
  private let watch: FileWatch
  private var file: OpenedFile?
  private var rows: ArrivingRows

  /// The bytes of a followed file that are not complete rows, and the offset of what follows them.
  private var pending = ByteBuffer()
  private var offset = 0

  /// An edit is not much longer than this, in bytes.
  private static let longEdit = 1 << 20

  /// A file that is open.
  private struct OpenedFile {
    var number: Int32
    var status: stat
    var isPipe: Bool { status.st_mode & S_IFMT == S_IFIFO }

    /// What identifies the file, and what changes with its content.
    var identity: [Int] { [Int(status.st_dev), Int(status.st_ino)] }
    var version: [Int] {
      let time = System.modificationTime(of: status)
      return identity + [Int(status.st_size), time.0, time.1]
    }
  }

  /// Opens the file.
  ///
  /// - Throws: If that fails.
  init(
    _ path: String, follows: Bool, _ source: FeedSource, _ link: FeedLink
  ) throws(FeedProcess.Problem) {
    self.path = path
    rows = ArrivingRows(ComparisonOptions(), name: path)
    self.follows = follows && source.format != .json
    // A change after the file was opened is notified.
    watch = FileWatch(path)
    file = try Self.open(path)
    try super.init(source, link)
    rows.options = rowOptions
  }

  deinit { finish() }

  override func finish() {
    if let file { close(file.number) }
    file = nil
  }

  private static func open(_ path: String) throws(FeedProcess.Problem) -> OpenedFile {
    // A named pipe is opened without a writer.
    let number = System.openFile(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else {
      throw FeedProcess.Problem(words: "cannot read \(path): \(Descriptor.problem)")
    }
    var file = OpenedFile(number: number, status: stat())
    let isRead = fstat(number, &file.status) == 0
    guard isRead, [S_IFREG, S_IFIFO].contains(file.status.st_mode & S_IFMT) else {
      close(number)
      let why = file.status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is not a file"
      throw FeedProcess.Problem(words: "cannot read \(path): \(why)")
    }
    return file
  }

  override func run() throws(Ended) {
    while true {
      guard let file else {
        try reopen(after: nil)
        continue
      }
      if file.isPipe {
        try readPipe(file)
        try reopen(after: nil)
      } else if follows {
        try follow(file)
      } else {
        try readAll(file)
        try reopen(after: file.version)
      }
    }
  }

  /// Opens the file again: after a change if a version of it is given, or when it exists again.
  private func reopen(after version: [Int]?) throws(Ended) {
    var (waits, version) = (version != nil, version)
    while true {
      if waits { try waitForChange(after: version) }
      do throws(FeedProcess.Problem) {
        let opened = try Self.open(path)
        finish()
        file = opened
        return
      } catch { try report(problem: error.words) }
      (waits, version) = (true, nil)
    }
  }

  /// Waits until the file has changed, and a little longer for more changes. Without a version, the file
  /// could not be opened, and is tried again meanwhile.
  private func waitForChange(after version: [Int]?) throws(Ended) {
    var isChanged = false
    while !isChanged {
      watch.renew()
      let isNotified = watch.isReliable && version != nil
      let limit = isNotified ? nil : MonotonicTime.now.advanced(by: FileWatch.interval)
      if try wait(for: [watch.number], until: limit)[0] {
        isChanged = watch.readEvents()
      } else {
        var file = OpenedFile(number: -1, status: stat())
        isChanged = stat(path, &file.status) != 0 || file.version != version
      }
    }
    let end = MonotonicTime.now.advanced(by: FileWatch.settling)
    while MonotonicTime.now < end { _ = try wait(for: [], until: end) }
    watch.renew()
    _ = watch.readEvents()
  }

  /// Reports a failure, unless it was reported.
  private func report(problem: String?) throws(Ended) {
    guard state.error != problem else { return }
    state.error = problem
    try report()
  }

  /// Reads all rows of a file.
  private func readAll(_ file: OpenedFile) throws(Ended) {
    var content = ByteBuffer(capacity: Int(file.status.st_size) + 1)
    while true {
      var count = 0
      _ = content.withTail(minimum: 1 << 16) { tail in
        count = Descriptor(number: file.number).read(into: tail)
        return max(0, count)
      }
      if count < 0 { return try report(problem: "cannot read \(path): \(Descriptor.problem)") }
      if count == 0 { break }
      if content.count > ComparedFile.largestSize {
        return try report(problem: "\(path) has more than 2 GiB")
      }
    }
    let failure = try replace(content.shared(), &rows)
    state.error = failure ?? rows.note
    try report()
  }

  /// Reads rows from a named pipe until it has no writer.
  private func readPipe(_ file: OpenedFile) throws(Ended) {
    var content = ByteBuffer()
    var sending: MonotonicTime?
    var hasRead = false
    while true {
      var count = -1
      // The end of what a writer had left before the pipe was opened is not notified.
      if try wait(for: [file.number], until: hasRead ? .now : sending)[0] || hasRead {
        _ = content.withTail(minimum: 1 << 16) { tail in
          count = System.readBytes(file.number, tail)
          return max(0, count)
        }
        hasRead = count > 0
        if follows, sending == nil { sending = .now.advanced(by: FileWatch.settling) }
      }
      let isDue = sending.map { $0 <= .now || content.count > Self.longEdit } ?? false
      if follows, isDue || count == 0 {
        sending = nil
        pending.append(contentsOf: content)
        content.removeAll()
        try sendPending(isLast: count == 0)
      }
      if count == 0 { break }
    }
    if !follows { state.error = try replace(content.shared(), &rows) ?? rows.note }
    try report()
  }

  /// Sends the rows of a file and those that are appended to it, until another file is at the path.
  private func follow(_ file: OpenedFile) throws(Ended) {
    offset = 0
    pending = ByteBuffer()
    rows = ArrivingRows(rowOptions, name: path)
    while true {
      let size = try readAppended(file)
      var now = OpenedFile(number: file.number, status: stat())
      guard stat(path, &now.status) == 0 else {
        try report(problem: "cannot read \(path): \(Descriptor.problem)")
        try waitForChange(after: nil)
        continue
      }
      if now.identity != file.identity {
        beginAgain()
        return try reopen(after: nil)
      }
      if state.error != nil, rows.note == nil { try report(problem: nil) }
      guard Int(now.status.st_size) <= size else { continue }
      try waitForChange(after: now.version)
    }
  }

  /// Reads what was appended. Returns the size of the file so far.
  private func readAppended(_ file: OpenedFile) throws(Ended) -> Int {
    var now = stat()
    if fstat(file.number, &now) == 0, Int(now.st_size) < offset {
      offset = 0
      pending = ByteBuffer()
      rows = ArrivingRows(rowOptions, name: path)
      beginAgain()
    }
    while true {
      var count = 0
      _ = pending.withTail(minimum: 1 << 16) { tail in
        count = Descriptor(number: file.number).read(into: tail, at: offset)
        return max(0, count)
      }
      offset += max(0, count)
      if count <= 0 || pending.count >= Self.longEdit { try sendPending(isLast: false) }
      if count <= 0 { return offset }
    }
  }

  /// Sends the complete rows that are pending.
  private func sendPending(isLast: Bool) throws(Ended) {
    let content = pending.withUnsafeBytes { SharedBytes(copying: $0) }
    let note = rows.note
    var items = ByteBuffer()
    let count = rows.append(rowsOf: content, isLast: isLast, to: &items)
    pending.removeAll(keepingCapacity: count < Self.longEdit)
    content.withBytes { pending.append(UnsafeRawBufferPointer(rebasing: $0[count...])) }
    try append(items, &rows)
    if rows.note != note {
      state.error = rows.note
      try report(quiet: note != nil)
    }
  }
}
