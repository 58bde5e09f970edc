import ByteBuffers
import Testing

@testable import ListViews

@Suite struct OrderTests {
  /// The bytes that a value, or a missing one, is sorted by.
  private func key(_ json: String?, isNatural: Bool = false) -> [UInt8] {
    var encoder = ValueEncoder()
    var key = ByteBuffer()
    if let json {
      SharedBytes(copying: Array(json.utf8)).withBytes {
        encoder.append(sortable: $0, isNatural: isNatural, to: &key)
      }
    } else {
      encoder.append(sortable: nil, to: &key)
    }
    return key.withUnsafeBytes { Array($0) }
  }

  /// Each group is equal values, and sorted before the next one.
  private func expectOrder(_ groups: [[String?]], isNatural: Bool = false) {
    let keys = groups.map { $0.map { key($0, isNatural: isNatural) } }
    for (place, group) in keys.enumerated() {
      for (value, one) in zip(groups[place], group) {
        #expect(one == group[0], "\(value ?? "missing")")
        for (later, others) in zip(groups, keys).dropFirst(place + 1) {
          for (other, key) in zip(later, others) {
            #expect(
              one.lexicographicallyPrecedes(key) && !key.starts(with: one),
              "\(value ?? "missing") before \(other ?? "missing")")
          }
        }
      }
    }
  }

  @Test func valuesAreSortedByKindAndThenByValue() {
    expectOrder([
      [nil, "null"], ["false"], ["true"],
      ["-1e999999999999999999999"], ["-1e99"], ["-1e61"], ["-10", "-1e1"], ["-9.99"], ["-0.001"],
      ["-1e-99"], ["0", "-0", "0e9", "0.00"], ["1e-999999999999999999999"], ["1e-99"], ["0.001"],
      ["0.1"], ["0.12", "12e-2"], ["0.123"], ["1", "1.0", "10e-1"], ["1.5"], ["2"], ["10"], ["100"],
      ["123456789012345678901234567890"], ["123456789012345678901234567891"], ["1e60"], ["1e61"],
      ["1e99"], ["12e999999999999999999998", "1.2e999999999999999999999"],
      ["13e999999999999999999998"], ["1e1000000000000000000000"],
      [#""""#], [#""\u0000""#], [#""\u0000a""#], [#""a""#, #""\u0061""#], [#""a\u0000""#],
      [#""ab""#],
      [#""b""#], [#""ä""#], [#""\ud800""#], [#""\uffff""#], [#""💥""#],
      ["[]", "{}", "[1]", #"{"a":1}"#],
    ])
  }

  @Test func theNaturalOrderIsThatOfPeople() {
    expectOrder(
      [
        ["9"], [#""""#], [#""/""#], [#""0""#], [#""00""#], [#""1""#], [#""01a""#], [#""1a""#],
        [#""2""#],
        [#""9""#], [#""10""#], [#""\#(String(repeating: "9", count: 300))""#],
        [#""1\#(String(repeating: "0", count: 300))""#], [#"":""#],
        [#""FILE9""#], [#""File9""#], [#""file9""#], [#""file10""#], [#""fileA""#], [#""ss""#],
        [#""ß""#, #""\u00df""#], [#""ẞ""#], [#""ẞa""#], [#""ßb""#], [#""Ä""#], [#""ä""#],
      ], isNatural: true)
  }

  @Test func aSubstringIsFoundInLinearTime() {
    let letters = Array("ab".utf8)
    var texts: [[UInt8]] = [[]]
    for length in 1...8 {
      texts += (0..<1 << length).map { bits in (0..<length).map { letters[bits >> $0 & 1] } }
    }
    for needle in texts where needle.count <= 4 {
      let substring = Substring(needle)
      for text in texts {
        let isThere = (0...text.count).contains { text[$0...].starts(with: needle) }
        #expect(SharedBytes(copying: text).withBytes { substring.isFound(in: $0) } == isThere)
      }
    }
  }
}
