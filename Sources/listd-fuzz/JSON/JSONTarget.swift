import ByteBuffers
import JSONBytes

/// The reader, a simple parser and Foundation must accept the same texts and read the same values,
/// and written JSON must be readable.
///
/// Promise: JSON is read as specified and as by Foundation, and both agree on equal values. Also
///   `Sources/listd-fuzz/JSON`.
enum JSONTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    let text = SharedBytes(copying: bytes)
    text.withBytes { text in
      let isJSON = PlainJSON.accepts(text)
      var reader = JSONReader(text)
      var isAccepted = true
      do throws(JSONError) {
        _ = try reader.skip()
        try reader.end()
      } catch { isAccepted = false }
      precondition(isJSON == isAccepted, "the parsers differ")
      FoundationJSON.compare(text, isJSON: isJSON)
      if isJSON { check(text) }
      checkString(text)
    }
    if let end = bytes.firstIndex(of: 0x0A) {
      compare(
        SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[..<end])),
        SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])))
    }
  }

  /// Two values, a line and the text after it, must be equal for all comparisons or for none.
  private static func compare(_ first: SharedBytes, _ second: SharedBytes) {
    first.withBytes { a in
      second.withBytes { b in
        checkShape(of: b, learnedFrom: a)
        guard PlainJSON.accepts(a), PlainJSON.accepts(b) else { return }
        let a = value(in: a)
        let b = value(in: b)
        let isSame = JSONEquality.equal(a, b)
        precondition(JSONEquality.equal(b, a) == isSame, "equality depends on the order")
        precondition(
          (canonical(a) == canonical(b)) == isSame, "canonical forms do not match equality")
        let known = PlainValue(a).isSame(as: PlainValue(b))
        precondition(known == nil || known == isSame, "equality differs from the reference")
        if JSONDifference.between(a, b) == nil { precondition(isSame, "no difference") }
      }
    }
  }

  private static let keys = MemberKeys("id", "text", "n")

  /// A text must be read as the same object, or have the same error, with the shape of another one as
  /// without.
  private static func checkShape(
    of text: UnsafeRawBufferPointer, learnedFrom other: UnsafeRawBufferPointer
  ) {
    var shape = ObjectShape()
    var found = MemberRanges()
    // A shape is learned after a few objects.
    for _ in 0..<4 {
      var reader = JSONReader(other)
      _ = try? reader.object(seeking: keys, like: &shape, into: &found)
    }
    var known = MemberRanges()
    var (reader, plain) = (JSONReader(text), JSONReader(text))
    let result: Result<Range<Int>, JSONError> = Result { () throws(JSONError) in
      try reader.object(seeking: keys, like: &shape, into: &found)
    }
    let expected: Result<Range<Int>, JSONError> = Result { () throws(JSONError) in
      try plain.object(seeking: keys, into: &known)
    }
    precondition(result == expected, "an object has another range with a shape")
    guard case .success = result else { return }
    precondition(reader.offset == plain.offset && found.hasDollar == known.hasDollar)
    for index in 0..<3 {
      precondition(
        found[index] == known[index] && found.plainString(index) == known.plainString(index),
        "a member has another range with a shape")
    }
  }

  private static func value(in text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var reader = JSONReader(text)
    guard let range = try? reader.skip() else {
      preconditionFailure("the text cannot be read again")
    }
    return UnsafeRawBufferPointer(rebasing: text[range])
  }

  private static func check(_ text: UnsafeRawBufferPointer) {
    let value = value(in: text)
    precondition(JSONEquality.equal(value, value), "a value differs from itself")
    precondition(JSONDifference.between(value, value) == nil)
    var line = ByteBuffer()
    line.append(json: value, singleLine: true)
    let copy = line.shared()
    copy.withBytes { copy in
      precondition(
        !copy.contains(0x0A) && JSONEquality.equal(value, copy), "the value on one line differs")
      precondition(JSONDifference.between(value, copy) == nil)
      precondition(canonical(value) == canonical(copy))
    }
  }

  private static func canonical(_ value: UnsafeRawBufferPointer) -> [UInt8] {
    var form = JSONCanonical()
    var out = ByteBuffer()
    form.append(value, to: &out)
    return out.withUnsafeBytes { Array($0) }
  }

  /// A text that is written as a string or as Base64 must be read back unchanged.
  private static func checkString(_ bytes: UnsafeRawBufferPointer) {
    var encoded = ByteBuffer()
    encoded.append(base64: bytes)
    let decoded = encoded.withUnsafeBytes { Base64.bytes(of: $0) }
    precondition(decoded.map { $0.elementsEqual(bytes) } == true, "Base64 is not read back")
    _ = Base64.bytes(of: bytes)
    guard String(validating: bytes, as: UTF8.self) != nil else { return }
    var out = ByteBuffer()
    out.append(string: bytes)
    out.shared().withBytes { text in
      precondition(PlainJSON.accepts(text), "the string is not JSON")
      var reader = JSONReader(text)
      var back: [UInt8] = []
      guard let string = try? reader.string() else {
        preconditionFailure("the string is not read back")
      }
      reader.decode(string, into: &back)
      precondition(back.elementsEqual(bytes), "the string differs")
    }
  }
}
