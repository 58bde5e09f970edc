/// Tracks the brackets and strings of JSON that is not stored.
package struct JSONOutline: Sendable {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  /// Creates an outline before the first byte.
  package init() {}

  /// Whether everything that was opened is closed.
  package var isClosed: Bool { depth <= 0 && !isInString }

  /// Processes the next bytes.
  package mutating func pass(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isInString = false
        }
      } else if byte == 0x22 {
        isInString = true
      } else if byte | 0x20 == 0x7B {
        depth += 1
      } else if byte | 0x20 == 0x7D {
        depth -= 1
      }
    }
  }
}
