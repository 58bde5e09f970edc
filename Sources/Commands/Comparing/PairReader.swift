import ByteBuffers
import ListCompare

/// Reads two files for a comparison.
enum PairReader {
  private static let chunk = 1 << 18

  /// Files below this size are read whole, because the names of functions may be in lines that both
  /// begin with.
  private static let smallSize = 1 << 22

  /// What a comparison needs of two files.
  enum Need {
    /// The lines that differ, with so many lines of context.
    case lines(context: Int)
    /// All rows of files that differ.
    case rows
    /// All rows, also of equal files.
    case equalRows

    var includesEqual: Bool { if case .equalRows = self { true } else { false } }
  }

  /// Returns the contents of two files; nil if they are equal, unless equal files are needed, too.
  ///
  /// Lines that both files begin with may be left out if they are not needed. `-` is standard input.
  ///
  /// - Throws: If a file cannot be read, or changes meanwhile.
  static func read(
    _ oldPath: String, _ newPath: String, _ need: Need
  ) throws(ComparisonFailure) -> (ComparedFile, ComparedFile)? {
    let old = try OpenFile(oldPath)
    defer { old.end() }
    var start = CommonStart()
    let (before, after): (SharedBytes, SharedBytes)
    if oldPath == "-", newPath == "-" {
      before = try old.read(from: 0)
      after = before
    } else {
      let new = try OpenFile(newPath)
      defer { new.end() }
      if let oldSize = old.size, let newSize = new.size, max(oldSize, newSize) >= smallSize,
        !need.includesEqual
      {
        var isBinary = try old.beginsWithNUL()
        if try new.beginsWithNUL() { isBinary = true }
        var context: Int?
        if case .lines(let count) = need, try !old.mayHaveRecords() {
          context = count + ComparedFile.mostShiftedLines
        }
        if context != nil && !isBinary || oldSize == newSize {
          let common = try CommonStart(old, oldSize, new, newSize, context: context ?? 0)
          if common.isAll { return nil }
          isBinary = isBinary || !common.isText
          if context != nil { start = common }
        }
        if isBinary { return (ComparedFile(binary: oldPath), ComparedFile(binary: newPath)) }
      }
      before = try old.read(from: start.offset)
      after = try new.read(from: start.offset)
    }
    if !need.includesEqual, before.withBytes({ a in after.withBytes { Bytes.equal(a, $0) } }) {
      return nil
    }
    return (
      ComparedFile(name: oldPath, content: before, linesBefore: start.lines),
      ComparedFile(name: newPath, content: after, linesBefore: start.lines)
    )
  }

  /// Returns the content of a file.
  static func read(_ path: String) throws(ComparisonFailure) -> ComparedFile {
    let file = try OpenFile(path)
    defer { file.end() }
    return ComparedFile(name: file.name, content: try file.read(from: 0))
  }

  /// The lines that two files begin with.
  private struct CommonStart {
    /// The offset to read from, and the number of lines before it.
    var offset = 0
    var lines = 0

    /// Whether the files are equal.
    var isAll = false

    /// Whether the common part has no NUL.
    var isText = true

    init() {}

    init(
      _ old: OpenFile, _ oldSize: Int, _ new: OpenFile, _ newSize: Int, context: Int
    ) throws(ComparisonFailure) {
      var left = ByteBuffer(capacity: PairReader.chunk)
      var right = ByteBuffer(capacity: PairReader.chunk)
      var position = 0
      while true {
        let count = min(PairReader.chunk, oldSize - position, newSize - position)
        try old.read(count, at: position, into: &left)
        try new.read(count, at: position, into: &right)
        let shared = left.withUnsafeBytes { a in
          let shared = right.withUnsafeBytes { Bytes.commonPrefix(a, $0) }
          let part = UnsafeRawBufferPointer(rebasing: a[..<shared])
          if isText { isText = Bytes.firstIndex(of: 0, in: part, from: 0) == nil }
          if let feed = Bytes.lastIndex(of: 0x0A, in: part, before: shared) {
            offset = position + feed + 1
            lines += Bytes.count(of: 0x0A, in: part, before: shared)
          }
          return shared
        }
        position += shared
        if shared < PairReader.chunk { break }
      }
      isAll = position == oldSize && position == newSize
      if isAll {
        try old.checkUnchanged()
        try new.checkUnchanged()
      } else if isText {
        try goBack(context, in: old)
      }
    }

    /// Moves the start back by `count` lines, which are shown as context.
    private mutating func goBack(_ count: Int, in file: OpenFile) throws(ComparisonFailure) {
      guard count > 0, lines > 0 else { return }
      var size = 1 << 12
      var buffer = ByteBuffer()
      while true {
        let start = max(0, offset - size)
        try file.read(offset - start, at: start, into: &buffer)
        let found = buffer.withUnsafeBytes { bytes -> (Int, Int)? in
          var position = bytes.count
          for taken in 0..<min(count, lines) {
            guard let feed = Bytes.lastIndex(of: 0x0A, in: bytes, before: position - 1) else {
              return start == 0 ? (0, taken + 1) : nil
            }
            position = feed + 1
          }
          return (position, min(count, lines))
        }
        if let (position, taken) = found {
          offset = start + position
          lines -= taken
          return
        }
        size *= 4
      }
    }
  }
}

/// An open file.
struct OpenFile {
  let name: String
  private let descriptor: Descriptor
  private let status: stat

  /// The size of a regular file in bytes; nil for other files, such as pipes.
  let size: Int?

  init(_ path: String) throws(ComparisonFailure) {
    name = path == "-" ? "standard input" : path
    if path == "-", Descriptor.wasClosed(.input) { throw ComparisonFailure("\(name) is closed") }
    let number = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw ComparisonFailure("\(path): \(Descriptor.problem)") }
    descriptor = Descriptor(number: number)
    var status = stat()
    guard fstat(number, &status) == 0 else {
      throw ComparisonFailure("\(path): \(Descriptor.problem)")
    }
    self.status = status
    let kind = status.st_mode & S_IFMT
    if kind == S_IFDIR {
      throw ComparisonFailure("\(path) is a directory")
    }
    size = kind == S_IFREG && path != "-" ? Int(status.st_size) : nil
  }

  func end() {
    if descriptor.number > 0 { close(descriptor.number) }
  }

  /// Whether the file may be something other than text, by its name or the first byte that is not
  /// white space.
  func mayHaveRecords() throws(ComparisonFailure) -> Bool {
    if ComparisonOptions.Input(fileName: name) != nil { return true }
    var buffer = ByteBuffer()
    try read(min(size ?? 0, 4096), at: 0, into: &buffer)
    return buffer.withUnsafeBytes { bytes in
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      let first = bytes[start...].first { $0 > 0x20 }
      return first == 0x7B || first == 0x5B
    }
  }

  /// Whether the beginning of a regular file has a NUL.
  func beginsWithNUL() throws(ComparisonFailure) -> Bool {
    var buffer = ByteBuffer()
    try read(min(size ?? 0, 1 << 15), at: 0, into: &buffer)
    return buffer.withUnsafeBytes { Bytes.firstIndex(of: 0, in: $0, from: 0) != nil }
  }

  /// Reads a range of a regular file into an empty buffer.
  func read(
    _ count: Int, at offset: Int, into buffer: inout ByteBuffer
  ) throws(ComparisonFailure) {
    buffer.removeAll()
    while buffer.count < count {
      let rest = count - buffer.count
      let start = offset + buffer.count
      let done = buffer.withTail(minimum: rest) { tail in
        let part = UnsafeMutableRawBufferPointer(rebasing: tail[..<rest])
        return Swift.max(0, descriptor.read(into: part, at: start))
      }
      if done == 0 { throw changed }
    }
  }

  /// Reads the file from an offset to its end, and checks that it did not change.
  func read(from offset: Int) throws(ComparisonFailure) -> SharedBytes {
    if let size {
      if size - offset > ComparedFile.largestSize { throw tooLarge }
      let count = size - offset
      var buffer = ByteBuffer(capacity: count)
      _ = buffer.withTail(minimum: count) { tail in
        System.useLargePages(UnsafeMutableRawBufferPointer(rebasing: tail[..<count]))
        return 0
      }
      try read(count, at: offset, into: &buffer)
      try checkUnchanged()
      return buffer.shared()
    }
    var buffer = ByteBuffer()
    while true {
      var problem: String?
      let count = buffer.withTail(minimum: 1 << 16) { tail in
        let count = descriptor.read(into: tail)
        if count < 0 { problem = Descriptor.problem }
        return max(0, count)
      }
      if let problem { throw ComparisonFailure("\(name): \(problem)") }
      // Endless input of a device is usually full of NULs and is rejected early.
      if status.st_mode & S_IFMT == S_IFCHR {
        try checkForNUL(in: buffer, from: buffer.count - count)
      }
      if buffer.count > ComparedFile.largestSize { throw tooLarge }
      if count == 0 { return buffer.shared() }
    }
  }

  private func checkForNUL(
    in buffer: borrowing ByteBuffer, from start: Int
  ) throws(ComparisonFailure) {
    let found = buffer.withUnsafeBytes { Bytes.firstIndex(of: 0, in: $0, from: start) }
    if let found { throw ComparedFile.binary(name, at: found) }
  }

  private var changed: ComparisonFailure { ComparisonFailure("\(name) changed while it was read") }
  private var tooLarge: ComparisonFailure {
    ComparisonFailure("\(name) is too large: files of up to 2 GiB are compared")
  }

  func checkUnchanged() throws(ComparisonFailure) {
    var now = stat()
    guard fstat(descriptor.number, &now) == 0, now.st_size == status.st_size,
      System.modificationTime(of: now) == System.modificationTime(of: status)
    else { throw changed }
  }
}
