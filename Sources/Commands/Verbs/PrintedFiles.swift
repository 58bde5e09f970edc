import ByteBuffers
import JSONBytes

/// The paths of the files in the list of a folder, byte for byte.
struct PrintedFiles: ~Copyable {
  private let prefix: [UInt8]
  private let end: UInt8
  private let printsFolders: Bool
  private var out = ByteBuffer()

  /// A file whose path has, or may have, bytes that the list cannot have as text.
  private struct EscapedFile {
    /// The path as the list has it.
    var path: [UInt8]

    /// The name, if it is not UTF-8.
    var name: [UInt8]?
    var folder: [UInt8]?
    var isPrinted: Bool
  }

  /// Such files by their identifiers.
  private var escaped: [[UInt8]: EscapedFile] = [:]

  private static let row = MemberKeys("content")
  private static let members = MemberKeys("id", "path", "type", "bytes", "parent")

  init(prefix: [UInt8], end: UInt8, printsFolders: Bool) {
    (self.prefix, self.end, self.printsFolders) = (prefix, end, printsFolders)
  }

  /// Reads an array of rows. Returns their number.
  mutating func read(_ rows: UnsafeRawBufferPointer) -> Int {
    var reader = JSONReader(rows)
    var (row, found) = (MemberRanges(), MemberRanges())
    return checked { () throws(JSONError) in
      var count = 0
      try reader.openArray()
      while try reader.nextElement() {
        count += 1
        _ = try reader.object(seeking: Self.row, into: &row)
        guard let content = row[0], rows[content.lowerBound] == 0x7B else { continue }
        let item = UnsafeRawBufferPointer(rebasing: rows[content])
        var fields = JSONReader(item)
        _ = try fields.object(seeking: Self.members, into: &found)
        add(found, of: item)
      }
      return count
    }
  }

  private mutating func add(_ found: MemberRanges, of items: UnsafeRawBufferPointer) {
    let isFolder = found.plainString(2).map { items[$0].elementsEqual("folder".utf8) } ?? false
    let isPrinted = printsFolders || !isFolder
    // Bytes that are not UTF-8 are escapes in JSON.
    if let path = found.plainString(1) {
      if isPrinted { append(UnsafeRawBufferPointer(rebasing: items[path])) }
      return
    }
    func text(_ index: Int) -> [UInt8]? {
      guard let range = found[index], items[range.lowerBound] == 0x22 else { return nil }
      return UnsafeRawBufferPointer(rebasing: items[range]).decodedText.map { Array($0.utf8) }
    }
    guard let id = text(0), let path = text(1) else { return }
    escaped[id] = EscapedFile(
      path: path, name: text(3).flatMap { Base64.bytes(of: $0) }, folder: text(4),
      isPrinted: isPrinted)
  }

  private mutating func append(_ path: UnsafeRawBufferPointer) {
    out.append(contentsOf: prefix)
    out.append(path)
    out.append(end)
  }

  /// Returns the path of a file.
  private func path(of file: EscapedFile) -> [UInt8] {
    let slash = file.path.lastIndex(of: 0x2F)
    let name = file.name ?? Array(file.path[((slash ?? -1) + 1)...])
    guard let slash else { return name }
    let folder = file.folder.flatMap { escaped[$0] }
    return (folder.map { path(of: $0) } ?? Array(file.path[..<slash])) + [0x2F] + name
  }

  /// Writes the paths to standard output, at last those that depend on others. Returns false if that fails.
  mutating func write(isLast: Bool) -> Bool {
    if isLast {
      for file in escaped.values where file.isPrinted {
        path(of: file).withUnsafeBytes { append($0) }
      }
    }
    defer { out = ByteBuffer() }
    return out.withUnsafeBytes { Descriptor.output.write($0) }
  }
}
