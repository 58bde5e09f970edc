import Terminals

/// What actions are bound to: a key, an action of the mouse, or an event.
enum PickKey: Hashable, Sendable {
  case key(Key, KeyModifiers)
  case mouse(String)
  case event(Event)

  /// Every so many milliseconds.
  case every(Int)

  enum Event: String, CaseIterable, Sendable {
    case start, load, resize, result, change, focus, multi, one, zero, jump
    case backwardEnd = "backward-eof"
    case resultFinal = "result-final"
    case jumpCancel = "jump-cancel"
  }

  static let mouseNames = [
    "left-click", "right-click", "double-click", "scroll-up", "scroll-down", "shift-left-click",
    "shift-right-click", "shift-scroll-up", "shift-scroll-down", "preview-scroll-up",
    "preview-scroll-down",
  ]

  private static let names: [String: Key] = [
    "enter": .enter, "return": .enter, "space": .character(" "), "bspace": .backspace,
    "bs": .backspace, "backspace": .backspace, "tab": .tab, "esc": .escape, "escape": .escape,
    "del": .delete, "delete": .delete, "up": .up, "down": .down, "left": .left, "right": .right,
    "home": .home, "end": .end, "insert": .insert, "page-up": .pageUp, "pgup": .pageUp,
    "page-down": .pageDown, "pgdn": .pageDown,
  ]

  /// Reads the name of a key or an event, as fzf has it.
  init?(_ name: String) {
    let lower = name.lowercased()
    if let event = Event(rawValue: lower) {
      self = .event(event)
      return
    }
    if lower.hasPrefix("every("), lower.hasSuffix(")") {
      guard let seconds = Double(lower.dropFirst(6).dropLast()), seconds >= 0, seconds <= 1e6 else {
        return nil
      }
      self = .every(max(10, Int(seconds * 1000)))
      return
    }
    if Self.mouseNames.contains(lower) {
      self = .mouse(lower)
      return
    }
    var modifiers: KeyModifiers = []
    var rest = name[...]
    let prefixes: [(String, KeyModifiers)] = [
      ("ctrl-", .control), ("alt-", .alt), ("shift-", .shift),
    ]
    while let (prefix, modifier) = prefixes.first(where: { prefix, _ in
      rest.count > prefix.count && rest.lowercased().hasPrefix(prefix)
    }) {
      modifiers.insert(modifier)
      rest = rest.dropFirst(prefix.count)
    }
    if let character = rest.first, rest.count == 1 {
      self = .character(character, modifiers)
      return
    }
    let word = rest.lowercased()
    if word == "btab" {
      self = .key(.tab, modifiers.union(.shift))
    } else if let key = Self.names[word] {
      self = .key(key, modifiers)
    } else if word.first == "f", let number = Int(word.dropFirst()), (1...12).contains(number) {
      self = .key(.function(number), modifiers)
    } else {
      return nil
    }
  }

  /// The key of what a user has pressed; nil for a paste.
  init?(_ event: InputEvent) {
    switch event {
    case .key(.character(let character), let modifiers): self = .character(character, modifiers)
    case .key(let key, let modifiers): self = .key(key, modifiers)
    case .mouse, .paste, .cursor: return nil
    }
  }

  /// A key that types a character. Several names, and what terminals send, are the same key.
  private static func character(_ character: Character, _ modifiers: KeyModifiers) -> PickKey {
    var (character, modifiers) = (character, modifiers)
    modifiers.remove(.shift)
    guard modifiers.contains(.control) else { return .key(.character(character), modifiers) }
    character = character.lowercased().first ?? character
    let plain = modifiers.subtracting(.control)
    switch character {
    case "m": return .key(.enter, plain)
    case "i": return .key(.tab, plain)
    case "[": return .key(.escape, plain)
    case "h" where modifiers.contains(.alt): return .key(.backspace, modifiers)
    case "/": return .key(.character("_"), modifiers)
    case "6": return .key(.character("^"), modifiers)
    default: return .key(.character(character), modifiers)
    }
  }
}
