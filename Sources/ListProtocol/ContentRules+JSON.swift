import JSONBytes
import ListState

extension ContentRules {
  /// Contents are the same where they are the same JSON value.
  static let json = ContentRules(
    isSameItem: { JSONEquality.equal($0, $1) },
    isSameSection: { a, b in
      // A header or footer that is null is one that is absent.
      JSONEquality.equal(a, b)
        || isSame(a, b) {
          $1.append(object: $0, without: "header", "footer", onlyNull: true, singleLine: false)
        }
    },
    isSameBesideParts: { a, b in
      isSame(a, b) { $1.append(object: $0, without: "parts", singleLine: false) }
    })

  /// Whether what `rewrite` makes of two values is the same value.
  private static func isSame(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer,
    rewrite: (UnsafeRawBufferPointer, inout ByteBuffer) -> Void
  ) -> Bool {
    var left = ByteBuffer()
    var right = ByteBuffer()
    rewrite(a, &left)
    rewrite(b, &right)
    let one = left.shared()
    let other = right.shared()
    return one.withBytes { one in other.withBytes { JSONEquality.equal(one, $0) } }
  }
}
