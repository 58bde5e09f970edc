import JSONBytes
import Testing

/// Objects that are read with a guess about their shape are those that are read without.
///
/// Promise: Objects are read the same with a guess about their shape as without. Also
///   `Sources/listd-fuzz/JSON`.
@Suite struct ObjectShapeTests {
  private static let keys = MemberKeys("id", "template", "parts")

  /// What is known about an object after it was read.
  private struct Known: Equatable {
    var range: Range<Int>
    var members: [Range<Int>?]
    var strings: [Range<Int>?]
    var hasDollar: Bool

    init(_ range: Range<Int>, _ found: MemberRanges) {
      self.range = range
      members = (0..<3).map { found[$0] }
      strings = (0..<3).map { found.plainString($0) }
      hasDollar = found.hasDollar
    }
  }

  /// The objects of an array up to its end or the first error.
  private struct Objects: Equatable {
    var objects: [Known] = []
    var error: JSONError?
  }

  /// Reads an array of objects without a guess.
  private func plainly(_ bytes: UnsafeRawBufferPointer, depth: Int) -> Objects {
    var result = Objects()
    var found = MemberRanges()
    var reader = JSONReader(bytes, depth: depth)
    do throws(JSONError) {
      try reader.openArray()
      while try reader.nextElement() {
        let range = try reader.object(seeking: Self.keys, into: &found)
        result.objects.append(Known(range, found))
      }
    } catch { result.error = error }
    return result
  }

  /// Reads an array of objects with a guess, together if `together`, each alone if not. Counts those
  /// that were read together.
  private func guessing(
    _ bytes: UnsafeRawBufferPointer, depth: Int, together: Bool, _ count: inout Int
  ) -> Objects {
    var result = Objects()
    var found = MemberRanges()
    var shape = ObjectShape()
    var run = ObjectRun()
    var reader = JSONReader(bytes, depth: depth)
    do throws(JSONError) {
      try reader.openArray()
      var hasNext = try reader.nextElement()
      while hasNext {
        if together { run.read(&shape, &reader, member: 0, before: bytes.count) }
        for (object, string) in zip(run.objects, run.strings) {
          var members = MemberRanges()
          members.set(0, string.lowerBound - 1..<string.upperBound + 1, isPlain: true)
          result.objects.append(Known(object, members))
          count += 1
        }
        if run.objects.isEmpty {
          let range = try reader.object(seeking: Self.keys, like: &shape, into: &found)
          result.objects.append(Known(range, found))
          hasNext = try reader.nextElement()
        }
      }
    } catch { result.error = error }
    return result
  }

  /// Returns how many of the objects were read together.
  @discardableResult
  private func check(_ text: [UInt8], depth: Int = 0) -> Int {
    var count = 0
    for filler: UInt8 in [0, 0x22, 0x7D, 0x5D] {
      withBytes(text, filler: filler) { bytes in
        let expected = plainly(bytes, depth: depth)
        for together in [false, true] {
          let actual = guessing(bytes, depth: depth, together: together, &count)
          if actual != expected {
            Issue.record("\(String(decoding: text, as: UTF8.self))\n\(actual)\n\(expected)")
          }
        }
      }
    }
    return count / 4
  }

  @Test func objectsOfOneShapeAreReadTogether() {
    let objects = (0..<300).map {
      #"{"id":"item-\#($0)","text":"Message number \#($0 * $0) — hello","n":[\#($0),{"a":null}]}"#
    }
    #expect(check(Array("[\(objects.joined(separator: ","))]".utf8)) == 293)
    #expect(check(Array("[\n  \(objects.joined(separator: " ,\n  "))\n]".utf8)) == 293)
  }

  @Test func arraysAtTheDepthLimit() {
    for depth in JSONReader.maximumDepth - 4...JSONReader.maximumDepth {
      let objects = (0..<20).map { #"{"id":"\#($0)","n":\#($0 < 12 ? "1" : "[[]]")}"# }
      check(Array("[\(objects.joined(separator: ","))]".utf8), depth: depth)
    }
  }

  @Test func randomObjects() {
    var random = SeededGenerator(seed: 3)
    let names = [
      "id", "id", "template", "parts", "text", "$a", "\\u0069d", "a name of many characters", "",
    ]
    let values = [
      #""""#, #""x""#, #""Message — 12""#, #""\u00e9\n""#, #""éé""#, "1", "-0.5e3", "null", "true",
      "[]", #"[{"id":"y"},2]"#, #"{"id":{}}"#, #""0123456789abcdef0123456789abcdef""#,
    ]
    let spaces = ["", "", "", " ", "\n    ", "\t"]
    for _ in 0..<400 {
      let separator = spaces.randomElement(using: &random)!
      let space = spaces.randomElement(using: &random)!
      var shapes = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        names.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
      }
      if Bool.random(using: &random) { shapes = [["id", "text", "n"]] }
      let objects = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        let members = shapes.randomElement(using: &random)!.map { name in
          // Mostly strings, as in most items.
          let value =
            Int.random(in: 0..<4, using: &random) > 0
            ? #""\#(UInt16.random(in: 0...999, using: &random))""#
            : values.randomElement(using: &random)!
          return #""\#(name)":\#(space)\#(value)"#
        }
        return "\(space){\(members.joined(separator: "\(space),"))\(space)}"
      }
      var text = Array("[\(objects.joined(separator: ",\(separator)"))]".utf8)
      check(text)
      guard let index = text.indices.randomElement(using: &random) else { continue }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: text[index] = UInt8.random(in: 0...255, using: &random)
      case 1: text[index] = #"{}[]:,"\ 0"#.utf8.randomElement(using: &random)!
      case 2: text.removeSubrange(index...)
      default: text.remove(at: index)
      }
      check(text)
    }
  }
}
