import JSONBytes
import Testing

@Suite struct NumberTests {
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
