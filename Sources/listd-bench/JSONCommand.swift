import Foundation
import JSONBytes

/// `listd-bench json`: how fast the text of a snapshot is read, beside Foundation.
struct JSONCommand {
  private var rows = 100_000

  /// Reads the options; `nil` where one is unknown.
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
    tell("all of it checked", text) { precondition(isJSON(text)) }
    tell("items and ids found, too", text) { precondition(itemCount(of: text) == rows) }
    let data = Data(body)
    tell("Foundation's JSONSerialization", text) {
      precondition((try? JSONSerialization.jsonObject(with: data)) != nil)
    }
  }

  private func tell(_ name: String, _ text: SharedBytes, _ body: () -> Void) {
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

  private static let id = SoughtMembers("id")

  /// The number of items with an identifier, `nil` for what is no snapshot.
  private func itemCount(of text: SharedBytes) -> Int? {
    text.withBytes { bytes in
      var reader = JSONReader(bytes)
      var count = 0
      do throws(JSONError) {
        try reader.openObject()
        try passMember("params", &reader)
        try reader.openObject()
        try passMember("sections", &reader)
        try reader.openArray()
        guard try reader.nextElement() else { return nil }
        try reader.openObject()
        try passMember("items", &reader)
        try reader.openArray()
        var found = FoundMembers()
        while try reader.nextElement() {
          _ = try reader.object(seeking: Self.id, into: &found)
          if found.plainString(0) != nil { count += 1 }
        }
        return count
      } catch { return nil }
    }
  }

  /// Passes members up to the value of one.
  private func passMember(
    _ name: StaticString, _ reader: inout JSONReader
  ) throws(JSONError) {
    while let member = try reader.nextMember(), !reader.matches(member, name) {
      _ = try reader.skip()
    }
  }
}
