import JSONBytes

/// Snapshots of a few sections and items, each made of some of the bytes, one after the other.
enum ChangesTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    var messages: [SharedBytes] = []
    var ids: Set<UInt8> = []
    var sections: [String] = []
    var names: Set<UInt8> = []
    var items: [String] = []
    var header = ""
    func endSection() {
      guard !header.isEmpty else { return }
      sections.append("{\(header),\"items\":[\(items.joined(separator: ","))]}")
      items = []
      header = ""
    }
    func endSnapshot() {
      endSection()
      let text = sections.joined(separator: ",")
      messages.append(
        SharedBytes(
          copying:
            #"{"jsonrpc":"2.0","id":1,"method":"applySnapshot","params":{"list":"l","sections":[\#(text)]}}"#
            .utf8))
      sections = []
      ids = []
      names = []
    }
    for byte in bytes {
      let low = byte & 31
      switch byte >> 5 {
      case 0: endSnapshot()
      case 1:
        endSection()
        if names.insert(low & 7).inserted {
          header = "\"id\":\(low & 7),\"header\":\(low >> 3),\"selectionMode\":\"multiple\""
        }
      case 2: items.append("\(low & 7)")
      case 3: items.append("{\"t\":\(low & 3)}")
      case 4 where ids.insert(low).inserted:
        items.append("{\"id\":\"p\(low)\",\"parts\":[\(low & 1),{\"id\":\"a\",\"v\":\(low >> 3)}]}")
      case 5, 6, 7:
        if ids.insert(low).inserted {
          items.append(
            "{\"id\":\"i\(low)\",\"v\":\(byte >> 5)\(byte >> 5 == 7 ? ",\"template\":\"T\"" : "")}")
        }
      default: break
      }
    }
    endSnapshot()
    SessionTarget.run(messages)
  }
}
