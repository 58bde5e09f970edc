import ByteBuffers
import JSONBytes
import Testing

/// Promise: Values are sorted and compared as by plain functions. Also `Tests/ListViewsTests`.
@Suite struct NumberTests {
  @Test func writesNumbersInTheShortestForm() {
    func check(_ text: String, _ shortest: String, integer: String? = nil) {
      withBytes(Array(text.utf8)) {
        var buffer = ByteBuffer()
        JSONNumber($0).appendShortest(to: &buffer)
        #expect(buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } == shortest)
        buffer.removeAll()
        let isInteger = JSONNumber($0).appendInteger(upTo: 25, to: &buffer)
        #expect(isInteger == (integer != nil), "\(text)")
        #expect(buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } == integer ?? "")
      }
    }
    check("0", "0", integer: "0")
    check("-0.0e5", "0", integer: "0")
    check("1.0", "1", integer: "1")
    check("-120", "-120", integer: "-120")
    check("1.50", "1.5")
    check("12.5e-3", "0.0125")
    check("1e-6", "0.000001")
    check("1.5e-7", "1.5e-7")
    check("1e20", "100000000000000000000", integer: "100000000000000000000")
    check("1e21", "1e21", integer: "1000000000000000000000")
    check("-123e22", "-1.23e24", integer: "-1230000000000000000000000")
    check("1e25", "1e25")
    check("1e999999999999999999999", "1e999999999999999999999")
    check("0.10e-999999999999999999999", "1e-1000000000000000000000")
  }

  @Test func readsIntegers() {
    func check(_ text: String, _ integer: Int?, isInteger: Bool, digits: String? = nil) {
      withBytes(Array(text.utf8)) {
        let number = JSONNumber($0)
        #expect(number.integer == integer, "\(text)")
        #expect(number.isInteger == isInteger, "\(text)")
        #expect(String(decoding: number.integerDigits, as: UTF8.self) == digits ?? text)
      }
    }
    check("0", 0, isInteger: true)
    check("-0", 0, isInteger: true, digits: "0")
    check("42", 42, isInteger: true)
    check("-42", -42, isInteger: true)
    check("9223372036854775807", .max, isInteger: true)
    check("9223372036854775808", nil, isInteger: true)
    check("-9223372036854775808", .min, isInteger: true)
    check("-9223372036854775809", nil, isInteger: true)
    check("123456789012345678901234567890", nil, isInteger: true)
    check("1.0", nil, isInteger: false)
    check("1e0", nil, isInteger: false)
    check("-1E3", nil, isInteger: false)
  }
}
