import ByteBuffers
import JSONBytes

extension RecordedSession {
  /// Reports whether a file that begins with these bytes may be a record. There is at least one
  /// byte.
  ///
  /// If the first line is complete, it must be a line of a record, otherwise begin as ``Recording``
  /// writes it.
  package static func canBegin(with bytes: UnsafeRawBufferPointer) -> Bool {
    guard let end = Bytes.firstIndex(of: 0x0A, in: bytes, from: 0) else {
      guard agree(bytes[...], "{\"at\":") else { return agree(bytes[...], "{\"title\":\"listd") }
      let rest = bytes.dropFirst("{\"at\":".utf8.count).drop { (0x30...0x39).contains($0) }
      return agree(rest, ",\"from\":\"client\"")
    }
    let line = SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
    guard let record = try? RecordedSession(line) else { return false }
    return !record.entries.isEmpty || hasOnlyStoryMembers(line)
  }

  /// Reports whether the shorter of both is a prefix of the other.
  private static func agree(_ bytes: Slice<UnsafeRawBufferPointer>, _ text: String) -> Bool {
    zip(bytes, text.utf8).allSatisfy(==)
  }

  /// Reports whether a line with a title has only members that the first line of a record may have.
  private static func hasOnlyStoryMembers(_ line: SharedBytes) -> Bool {
    line.withBytes { bytes in
      var reader = JSONReader(bytes, from: 0, depth: depth)
      do throws(JSONError) {
        try reader.openObject()
        while let name = try reader.nextMember() {
          guard
            reader.matches(name, "title") || reader.matches(name, "options")
              || reader.matches(name, "journal")
          else { return false }
          _ = try reader.skip()
        }
        return true
      } catch { return false }
    }
  }
}
