import ByteBuffers
import JSONBytes

/// A command whose rows `listd watch NAME` and `listd pick NAME` show: a file `recipes/NAME.json` of the
/// user or of the package.
struct Recipe: Sendable {
  /// What the rows are, and what its keys do.
  private(set) var summary = ""

  /// The command of a shell that prints the rows.
  private(set) var command = ""

  /// The time between two runs, in seconds.
  private(set) var interval: Double?

  /// The columns of text that identify a row, counted from 1, with commas between them.
  private(set) var key: String?

  /// The columns that `listd watch` shows, with commas between them; nil for all.
  private(set) var columns: String?

  /// The number of lines before the rows.
  private(set) var headerLines = 0

  /// The fields that `listd pick` prints of a row; nil for all of it.
  private(set) var printed: String?

  /// What keys do, as `--bind` has it.
  private(set) var actions: [(key: String, actions: String)] = []

  /// Returns the recipe with a name; nil if there is none.
  ///
  /// - Throws: If it is not a recipe.
  static func named(_ name: String) throws(CommandProblem) -> Recipe? {
    guard !name.isEmpty, name.first != ".", !name.utf8.contains(0x2F) else { return nil }
    let paths = folders.map { "\($0)/\(name).json" }
    guard let path = paths.first(where: { access($0, R_OK) == 0 }) else { return nil }
    return try Recipe(path)
  }

  /// The names of all recipes, in order.
  static var names: [String] {
    var names: Set<String> = []
    for path in folders {
      guard let folder = opendir(path) else { continue }
      defer { closedir(folder) }
      while let entry = readdir(folder) {
        let bytes = withUnsafeMutableBytes(of: &entry.pointee.d_name) { name in
          Array(name.prefix { $0 != 0 })
        }
        let name = String(decoding: bytes, as: UTF8.self)
        if name.hasSuffix(".json"), name.first != "." { names.insert(String(name.dropLast(5))) }
      }
    }
    return names.sorted()
  }

  /// What follows the statement that there is no recipe with a name.
  static func hint(for name: String) -> String {
    name.nearest(among: names).map { "; did you mean \($0)?" } ?? ""
  }

  /// The folders of recipes: the user's own is the first.
  private static var folders: [String] {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let own = variable("XDG_CONFIG_HOME") ?? variable("HOME").map { $0 + "/.config" }
    return (own.map { ["\($0)/listd/recipes"] } ?? [])
      + (System.sharedPath("recipes").map { [$0] } ?? [])
  }

  private init(_ path: String) throws(CommandProblem) {
    let content = try FileContents.read(path)
    func problem(_ words: String) -> CommandProblem {
      CommandProblem(words: "\(path): \(words)", isOfCommandLine: false)
    }
    let failure = content.withBytes { bytes -> String? in
      var reader = JSONReader(bytes)
      do throws(JSONError) {
        guard try reader.peek() == .object else { return "a recipe is a JSON object" }
        _ = try reader.skip()
        try reader.end()
        return nil
      } catch { return "byte \(error.offset + 1) is not JSON" }
    }
    if let failure { throw problem(failure) }
    for (name, value) in MessagePart(content, 0..<content.count).members {
      switch name {
      case "summary": summary = value.plain
      case "command": command = value.plain
      case "interval":
        guard let seconds = Double(value.plain), seconds >= 0.1, seconds <= 1e6 else {
          throw problem("\"interval\" is a number of seconds from 0.1, not \(value.json)")
        }
        interval = seconds
      case "key": key = value.plain
      case "columns": columns = value.plain
      case "header":
        guard let lines = Int(value.plain), lines >= 0 else {
          throw problem("\"header\" is a number of lines, not \(value.json)")
        }
        headerLines = lines
      case "print": printed = value.plain
      case "actions": actions = value.members.map { ($0.name, $0.value.plain) }
      default:
        let known = [
          "summary", "command", "interval", "key", "columns", "header", "print", "actions",
        ]
        let hint = name.nearest(among: known).map { "; did you mean \"\($0)\"?" } ?? ""
        throw problem("a recipe has no member \"\(name)\"\(hint)")
      }
    }
    guard !command.isEmpty else { throw problem("a recipe needs a member \"command\"") }
  }
}
