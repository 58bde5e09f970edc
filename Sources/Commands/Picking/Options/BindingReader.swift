/// Reads the values of `--bind` and `--expect`.
enum BindingReader {
  /// Returns the keys of a list with commas between them, and their names there.
  static func keys(_ text: String) throws(CommandProblem) -> [(key: PickKey, name: String)] {
    // A comma, or the empty name beside it, is a key, too.
    let marked = text.substituting(",,,", by: ",\u{0},").substituting(",,", by: ",\u{0}")
    var keys: [(key: PickKey, name: String)] = []
    for part in marked.split(separator: ",") {
      let name = part == "\u{0}" ? "," : String(part)
      guard let key = PickKey(name) else {
        throw CommandProblem(words: "\(name) is not the name of a key")
      }
      keys.append((key, name))
    }
    return keys
  }

  typealias Binding = (keys: [PickKey], actions: [PickAction], isAdded: Bool)

  static func read(_ text: String) throws(CommandProblem) -> [Binding] {
    var bindings: [Binding] = []
    var rest = text[...]
    while !rest.isEmpty {
      var keys: [PickKey] = []
      // The keys, each ended by a comma, and the last one by a colon.
      while true {
        var name = rest.prefix(1)
        rest = rest.dropFirst()
        while let next = rest.first, next != ":", next != "," {
          name.append(next)
          rest.removeFirst()
        }
        guard let key = PickKey(String(name)) else {
          throw CommandProblem(words: "--bind: \(name) is not the name of a key or an event")
        }
        keys.append(key)
        guard let sign = rest.popFirst() else {
          throw CommandProblem(words: "--bind \(text): no action for \(name)")
        }
        if sign == ":" { break }
      }
      let isAdded = rest.first == "+"
      if isAdded { rest.removeFirst() }
      bindings.append((keys, try actions(&rest), isAdded))
    }
    return bindings
  }

  /// Reads actions with plus signs between them, up to a comma or the end.
  static func actions(_ rest: inout Substring) throws(CommandProblem) -> [PickAction] {
    var actions: [PickAction] = []
    while true {
      // The longest name that fits: names may have what separates them from an argument.
      let name = PickAction.Name.allCases
        .filter { rest.hasPrefix($0.rawValue) }.max { $0.rawValue.count < $1.rawValue.count }
      let end = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
      guard let name, end.count <= name.rawValue.count else {
        let word = end.isEmpty ? String(rest.prefix(1)) : String(end)
        let isKnown = PickHelp.refusedActions.contains(word)
        throw CommandProblem(
          words: isKnown
            ? "--bind: listd pick does not have fzf's action \(word)"
            : "--bind: listd pick has no action \(word)")
      }
      rest = rest.dropFirst(name.rawValue.count)
      let argument = name.takesArgument ? readArgument(&rest) : nil
      guard argument != nil || !name.needsArgument else {
        throw CommandProblem(words: "--bind: \(name.rawValue) needs an argument")
      }
      actions.append(PickAction(name: name, argument: argument ?? ""))
      guard let next = rest.popFirst() else { return actions }
      if next == "," { return actions }
      guard next == "+" else {
        throw CommandProblem(words: "--bind: \(next) after \(name.rawValue)")
      }
    }
  }

  /// Reads the argument of an action, which signs enclose or a colon precedes.
  private static func readArgument(_ rest: inout Substring) -> String? {
    guard let open = rest.first else { return nil }
    if open == ":" {
      defer { rest = "" }
      return String(rest.dropFirst())
    }
    let pairs: [Character: Character] = ["(": ")", "[": "]", "{": "}", "<": ">"]
    guard pairs[open] != nil || "~!@#$%^&*;/|".contains(open) else { return nil }
    let close = pairs[open] ?? open
    var index = rest.index(after: rest.startIndex)
    let start = index
    while index < rest.endIndex {
      let after = rest.index(after: index)
      if rest[index] == close, after == rest.endIndex || rest[after] == "+" || rest[after] == "," {
        defer { rest = rest[after...] }
        return String(rest[start..<index])
      }
      index = after
    }
    return nil
  }
}
