import JSONBytes
import JSONRPC
import ListDiff
import ListState

/// A file that is to be compared: a snapshot, or plain text with an item a line.
package struct ComparedFile {
  package var name: String
  package var content: SharedBytes

  /// A file with a name for people; a byte-order mark is no part of its content.
  package init(name: String, content: SharedBytes) {
    self.name = name
    self.content = content.withBytes { bytes in
      bytes.starts(with: [0xEF, 0xBB, 0xBF])
        ? SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes.dropFirst(3))) : content
    }
  }
}

/// Why files cannot be compared, in words for people.
package struct ComparisonFailure: Error {
  package var words: String
}

/// The change between two files, told as a person or a program wants it.
package struct Comparison: ~Copyable {
  private let old: ComparedFile
  private let new: ComparedFile
  private var service = ListService(historyBytes: 0)

  /// A comparison of two files.
  package init(_ old: ComparedFile, _ new: ComparedFile) {
    self.old = old
    self.new = new
  }

  /// Appends the change in a format, or for people where it is `nil`; true where there is none.
  ///
  /// Calls `flush` for what was appended to be taken away whenever it is a good deal.
  ///
  /// - Throws: where a file is no UTF-8, is no snapshot though it looks like one, or breaks a rule of
  ///   snapshots.
  package mutating func append(
    _ format: Format?, isColoured: Bool, to out: inout ByteBuffer,
    flush: (inout ByteBuffer) -> Void
  ) throws(ComparisonFailure) -> Bool {
    try old.checkEncoding()
    try new.checkEncoding()
    let before = try SnapshotMembers(old)
    let after = try SnapshotMembers(new)
    if before == nil, after == nil, format == nil || format == Format.none {
      return try compareLines(draws: format == nil, isColoured: isColoured, to: &out, flush)
    }
    var oldLines = LineRange(old.content.bytes)
    var newLines = LineRange(new.content.bytes)
    var rowsBefore = 0
    if before == nil, after == nil, format != .textEdits || !hasReturns {
      (oldLines, newLines) = LineRange.differing(old.content.bytes, new.content.bytes)
      rowsBefore = oldLines.linesBefore
    }
    let from = try snapshot(old, before, oldLines, isBesideSnapshot: after != nil)
    let to = try snapshot(new, after, newLines, isBesideSnapshot: before != nil)
    withExtendedLifetime((old.content, new.content)) {}
    let change = service.store.compare(from, to)
    let isSame = service.store.isNothing(change, from, to)
    guard let format else {
      if !isSame {
        Drawing(DrawnSnapshots(change, from: from, to: to), isColoured: isColoured)
          .append(to: &out, flush: flush)
      }
      return isSame
    }
    if format != .none {
      // Where nothing differs, the older writing stands for both.
      let to = isSame ? from : to
      _ = service.append(
        entriesOf: change, from: from, to: to, Telling(format, rowsBefore: rowsBefore),
        format == .textEdits ? service.textChange(change, from: from, to: to) : nil, to: &out)
      out.append("\n")
    }
    return isSame
  }

  /// Whether a line may show as several lines of a list's text.
  private var hasReturns: Bool {
    [old, new].contains { file in
      file.content.withBytes { Bytes.firstIndex(of: 0x0D, in: $0, from: 0) != nil }
    }
  }

  private func compareLines(
    draws: Bool, isColoured: Bool, to out: inout ByteBuffer, _ flush: (inout ByteBuffer) -> Void
  ) throws(ComparisonFailure) -> Bool {
    let oldText = old.content
    let newText = new.content
    defer { withExtendedLifetime((oldText, newText)) {} }
    if Bytes.equal(oldText.bytes, newText.bytes) { return true }
    let lines: ComparedLines
    do throws(IDOverflow) {
      lines = try ComparedLines(
        oldText.bytes, newText.bytes, context: Drawing<DrawnLines>.context)
    } catch {
      throw ComparisonFailure(
        words: "\(old.name) and \(new.name): \(Failure.overflow(error, "").message)")
    }
    if lines.movement.rowCounts == Counts() { return true }
    if draws {
      Drawing(DrawnLines(lines), isColoured: isColoured).append(to: &out, flush: flush)
    }
    return false
  }

  /// Reads a snapshot; where a file is plain text, the given lines of it are the items.
  private mutating func snapshot(
    _ file: ComparedFile, _ members: SnapshotMembers?, _ lines: LineRange, isBesideSnapshot: Bool
  ) throws(ComparisonFailure) -> Snapshot {
    do throws(Failure) {
      if let members {
        return try SnapshotReader(file.content)
          .read(sections: members.sections, items: members.items, &service.store)
      }
      if isBesideSnapshot, file.looksLikeSnapshot {
        throw .invalidParams("", expected: "a snapshot with sections or items")
      }
      var items = ByteBuffer()
      items.append(linesAsItems: lines.bytes)
      let message = items.shared()
      var reader = JSONReader(message.bytes)
      do { _ = try reader.skip() } catch { throw .parseError(error) }
      let value = Value(message: message, range: 0..<message.count, pointer: "")
      return try SnapshotReader(message).read(sections: nil, items: value, &service.store)
    } catch {
      throw ComparisonFailure(words: "\(file.name): \(error.message)")
    }
  }
}

/// Where a snapshot in a file has its sections or its items.
private struct SnapshotMembers {
  var sections: Value?
  var items: Value?

  private static let names = SoughtMembers("sections", "items")

  /// Finds them; `nil` where the file is plain text.
  ///
  /// - Throws: where both are there, and where the file begins as a snapshot and is no JSON.
  init?(_ file: ComparedFile) throws(ComparisonFailure) {
    guard file.looksLikeSnapshot else { return nil }
    var reader = JSONReader(file.content.bytes)
    var found = FoundMembers()
    do throws(JSONError) {
      _ = try reader.object(seeking: Self.names, into: &found)
      try reader.end()
    } catch {
      if file.beginsAsSnapshot {
        throw ComparisonFailure(words: "\(file.name): a snapshot that is no JSON: \(error)")
      }
      return nil
    }
    guard found[0] != nil || found[1] != nil else { return nil }
    guard found[0] == nil || found[1] == nil else {
      throw ComparisonFailure(words: "\(file.name): a snapshot has either sections or items")
    }
    let content = file.content
    sections = found[0].map { Value(message: content, range: $0, pointer: "/sections") }
    items = found[1].map { Value(message: content, range: $0, pointer: "/items") }
  }
}

extension ComparedFile {
  /// - Throws: where the content is no UTF-8.
  fileprivate func checkEncoding() throws(ComparisonFailure) {
    let place = content.withBytes { Bytes.firstInvalidUTF8(in: $0) }
    if let place { throw ComparisonFailure(words: "\(name): no UTF-8 at byte \(place)") }
  }

  /// Whether there is a member of a snapshot before whatever else is wrong.
  fileprivate var beginsAsSnapshot: Bool {
    defer { withExtendedLifetime(content) {} }
    var reader = JSONReader(content.bytes)
    do {
      try reader.openObject()
      while let name = try reader.nextMember() {
        let isMember = reader.matches(name, "sections") || reader.matches(name, "items")
        if try isMember && reader.peek() == .array { return true }
        _ = try reader.skip()
      }
    } catch {}
    return false
  }

  /// Whether the first byte that is no white space is a brace.
  fileprivate var looksLikeSnapshot: Bool {
    content.withBytes { $0.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == 0x7B }
  }
}

extension ByteBuffer {
  /// Appends the lines of a text as a JSON array of strings; `nil` has none.
  fileprivate mutating func append(linesAsItems text: UnsafeRawBufferPointer?) {
    append(0x5B)
    var start = 0
    while let text {
      let end = Bytes.firstIndex(of: 0x0A, in: text, from: start)
      if start > 0 { append(0x2C) }
      append(string: UnsafeRawBufferPointer(rebasing: text[start..<(end ?? text.count)]))
      guard let end else { break }
      start = end + 1
    }
    append(0x5D)
  }
}
