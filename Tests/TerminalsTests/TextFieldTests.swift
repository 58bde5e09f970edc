import Terminals
import Testing

/// A line of text is edited with the keys of shells.
@Suite struct TextFieldTests {
  @Test(
    arguments: [
      ([.key(.character("x"))], "one two.threex", 14),
      ([.key(.backspace)], "one two.thre", 12), ([.key(.backspace, .alt)], "one two.", 8),
      ([.key(.character("w"), .control)], "one ", 4),
      ([.key(.character("w"), .control), .key(.character("w"), .control)], "", 0),
      ([.key(.home), .key(.character("d"), .alt)], " two.three", 0),
      ([.key(.character("u"), .control), .key(.backspace)], "", 0),
      ([.key(.home), .key(.delete), .key(.left)], "ne two.three", 0),
      ([.key(.character("b"), .alt), .key(.character("k"), .control)], "one two.", 8),
      ([.key(.home), .key(.right, .control), .key(.character("日"))], "one日 two.three", 4),
      (
        [.key(.home), .key(.right, .control), .key(.right, .alt), .key(.right)], "one two.three", 8
      ),
      ([.key(.character("a"), .control), .paste("a\nb\r\nc")], "abcone two.three", 3),
      ([.key(.end), .key(.right), .key(.delete)], "one two.three", 13),
      ([.key(.character("\u{301}")), .key(.backspace)], "one two.thre", 12),
    ] as [([InputEvent], String, Int)])
  func keysEdit(_ events: [InputEvent], _ text: String, _ position: Int) {
    var field = TextField("one two.three")
    for event in events {
      let isHandled = field.handle(event)
      #expect(isHandled)
    }
    #expect(field.text == text && field.position == position)
  }

  @Test func otherKeysAreNotForIt() {
    var field = TextField("a")
    for event in [.key(.up), .key(.enter), .key(.escape), .key(.character("x"), .alt)]
      as [InputEvent]
    {
      let isHandled = field.handle(event)
      #expect(!isHandled)
    }
    #expect(field.text == "a")
  }
}
