/// What a user does at a terminal.
package enum InputEvent: Hashable, Sendable {
  case key(Key, KeyModifiers = [])
  case mouse(MouseAction, x: Int, y: Int, KeyModifiers = [])

  /// Text that was pasted at once.
  case paste(String)

  /// The position of the terminal's cursor, which was asked for.
  case cursor(x: Int, y: Int)
}

/// A key of a keyboard.
package enum Key: Hashable, Sendable {
  case character(Character)
  case up, down, left, right, home, end, pageUp, pageDown, insert, delete
  case enter, tab, backspace, escape
  case function(Int)
}

/// Keys that are held while another one is pressed. Shift is part of a character.
package struct KeyModifiers: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let shift = KeyModifiers(rawValue: 1)
  package static let alt = KeyModifiers(rawValue: 2)
  package static let control = KeyModifiers(rawValue: 4)
}

/// What a mouse does. Positions count from 0.
package enum MouseAction: Hashable, Sendable {
  case press(button: Int)
  case release(button: Int)
  case drag(button: Int)
  case wheelUp
  case wheelDown
}
