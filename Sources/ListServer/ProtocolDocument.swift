import EmbeddedTexts

/// The OpenRPC document that describes the protocol, and its shapes as TypeScript.
package enum ProtocolDocument {
  /// The document as UTF-8 text, with a line end after it.
  package static var text: [UInt8] { Array(protocolText().bytes) }

  /// The document on one line, without indentation. JSON strings have no line ends.
  static var line: [UInt8] {
    text.split(separator: 0x0A).flatMap { line in line.drop { $0 == 0x20 } }
  }

  /// The names that have a shape: methods, types, groups of parameters, and reasons of errors.
  package static var names: [String] { shapes().map { $0.names[0] } }

  /// Returns the declarations of a name and of all types that it refers to, each after a blank line;
  /// `nil` if there is no such name.
  package static func declarations(of name: String) -> String? {
    let shapes = shapes()
    guard var next = shapes.firstIndex(where: { $0.names[0] == name }) else { return nil }
    var printed = [next]
    var text = ""
    for position in 0... {
      text += (position == 0 ? "" : "\n") + shapes[next].code
      for other in shapes[next].names.dropFirst() {
        guard let index = shapes.firstIndex(where: { $0.names[0] == other }) else { continue }
        if !printed.contains(index) { printed.append(index) }
      }
      guard position + 1 < printed.count else { break }
      next = printed[position + 1]
    }
    return text
  }

  /// The blocks of `shapes.txt`. The first line of each is `=`, its name, and the names of those that
  /// it refers to.
  private static func shapes() -> [(names: [String], code: String)] {
    var shapes: [(names: [String], code: String)] = []
    let text = String(decoding: shapesText().bytes, as: UTF8.self)
    for line in text.split(separator: "\n") {
      if line.hasPrefix("= ") {
        shapes.append((line.dropFirst(2).split(separator: " ").map(String.init), ""))
      } else {
        shapes[shapes.count - 1].code += line + "\n"
      }
    }
    return shapes
  }
}

extension EmbeddedText {
  /// The bytes, which exist as long as the process.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
}
