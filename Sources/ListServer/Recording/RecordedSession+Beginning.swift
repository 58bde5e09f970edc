import ByteBuffers
import ListProtocol

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
    let members = Value(line).members ?? []
    return members.allSatisfy { ["title", "options", "journal"].contains($0.name) }
  }
}
