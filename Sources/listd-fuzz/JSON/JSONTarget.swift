import JSONBytes

/// What is JSON for a plain parser and for Foundation is JSON, and nothing else is; both read the
/// same values, and what is written can be read.
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

  /// Of two texts, a line and what comes behind it, the values are the same or not for everybody.
  private static func compare(_ first: SharedBytes, _ second: SharedBytes) {
    first.withBytes { a in
      second.withBytes { b in
        guard PlainJSON.accepts(a), PlainJSON.accepts(b) else { return }
        let a = value(in: a)
        let b = value(in: b)
        let isSame = JSONEquality.equal(a, b)
        precondition(JSONEquality.equal(b, a) == isSame, "an order of equal values")
        precondition((canonical(a) == canonical(b)) == isSame, "a canonical form too many")
        let known = PlainValue(a).isSame(as: PlainValue(b))
        precondition(known == nil || known == isSame, "values that are the same and not")
        if JSONDifference.between(a, b) == nil { precondition(isSame, "no difference") }
      }
    }
  }

  private static func value(in text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var reader = JSONReader(text)
    guard let range = try? reader.skip() else { preconditionFailure("not read twice") }
    return UnsafeRawBufferPointer(rebasing: text[range])
  }

  private static func check(_ text: UnsafeRawBufferPointer) {
    let value = value(in: text)
    precondition(JSONEquality.equal(value, value), "a value that is not itself")
    precondition(JSONDifference.between(value, value) == nil)
    var line = ByteBuffer()
    line.append(json: value, singleLine: true)
    let copy = line.shared()
    copy.withBytes { copy in
      precondition(!copy.contains(0x0A) && JSONEquality.equal(value, copy), "another line")
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

  /// Text that is written as a string is that text when it is read, and so is Base64.
  private static func checkString(_ bytes: UnsafeRawBufferPointer) {
    var encoded = ByteBuffer()
    encoded.append(base64: bytes)
    let decoded = encoded.withUnsafeBytes { Base64.bytes(of: $0) }
    precondition(decoded.map { $0.elementsEqual(bytes) } == true, "Base64 that is not read back")
    _ = Base64.bytes(of: bytes)
    guard String(validating: bytes, as: UTF8.self) != nil else { return }
    var out = ByteBuffer()
    out.append(string: bytes)
    out.shared().withBytes { text in
      precondition(PlainJSON.accepts(text), "a string that is none")
      var reader = JSONReader(text)
      var back: [UInt8] = []
      guard let string = try? reader.string() else { preconditionFailure("not read back") }
      reader.decode(string, into: &back)
      precondition(back.elementsEqual(bytes), "another string")
    }
  }
}
