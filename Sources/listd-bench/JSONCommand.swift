import ByteBuffers
import Foundation
import JSONBytes

/// `listd-bench json`: measures how fast the JSON text of a snapshot is read, compared with
/// Foundation.
struct JSONCommand {
  private var rows = 100_000

  /// Reads the options; `nil` if one is unknown.
  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let option = rest.popFirst() {
      guard option == "--size", let rows = rest.popFirst().flatMap({ Int($0) }), rows >= 100
      else { return nil }
      self.rows = rows
    }
  }

  func run() {
    let message = SnapshotText.request(0, list: "a", Workload.k.lists(count: rows).old)
    let body = Array(message[message.firstIndex(of: 0x7B)!...])
    let text = SharedBytes(copying: body)
    print("\(text.count) bytes, MB/s")
    report("checked", text) { precondition(isJSON(text)) }
    report("checked, items and ids found", text) { precondition(itemCount(of: text) == rows) }
    let data = Data(body)
    report("Foundation's JSONSerialization", text) {
      precondition((try? JSONSerialization.jsonObject(with: data)) != nil)
    }
  }

  private func report(_ name: String, _ text: SharedBytes, _ body: () -> Void) {
    let speed = Int(Double(text.count) / 1000 / Measurement(body).milliseconds)
    let padding = String(repeating: " ", count: 40 - name.count - "\(speed)".count)
    print(name + padding + "\(speed)")
  }

  private func isJSON(_ text: SharedBytes) -> Bool {
    text.withBytes { bytes in
      var reader = JSONReader(bytes)
      return (try? reader.skip()) != nil && (try? reader.end()) != nil
    }
  }

  private static let id = MemberKeys("id")

  /// Returns the number of items with an identifier; `nil` if the text is not a snapshot.
  private func itemCount(of text: SharedBytes) -> Int? {
    text.withBytes { bytes in
      var reader = JSONReader(bytes)
      var count = 0
      do throws(JSONError) {
        try reader.openObject()
        try skip(to: "params", &reader)
        try reader.openObject()
        try skip(to: "sections", &reader)
        try reader.openArray()
        guard try reader.nextElement() else { return nil }
        try reader.openObject()
        try skip(to: "items", &reader)
        try reader.openArray()
        var found = MemberRanges()
        while try reader.nextElement() {
          _ = try reader.object(seeking: Self.id, into: &found)
          if found.plainString(0) != nil { count += 1 }
        }
        return count
      } catch { return nil }
    }
  }

  /// Skips members up to the value of a named one.
  private func skip(
    to name: StaticString, _ reader: inout JSONReader
  ) throws(JSONError) {
    while let member = try reader.nextMember(), !reader.matches(member, name) {
      _ = try reader.skip()
    }
  }
}
