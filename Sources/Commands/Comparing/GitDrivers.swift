import ByteBuffers
import ListCompare

/// The drivers that git's attributes name for files, which decide which lines name functions.
///
/// Unless a file of attributes names a driver, no process is started. Then one `git check-attr`
/// answers for all files.
final class GitDrivers {
  private var attributes: GitProcess?

  /// The patterns in git's configuration, by driver; nil before one is needed.
  private var configured: [String: LinePatterns]?

  /// Finds the driver of the file that `git difftool --extcmd` compares, if it has called this
  /// program.
  static var ofDifftool: () -> FunctionDriver? {
    guard getenv("GIT_DIFF_PATH_COUNTER") != nil, let path = variable("BASE") else {
      return { nil }
    }
    let drivers = GitDrivers()
    return { drivers.driver(of: path) }
  }

  /// Returns the driver of a file in the work tree, whose top is the present folder; nil if it has
  /// none.
  func driver(of path: String) -> FunctionDriver? {
    guard !path.hasPrefix("/"), mayHaveDriver(path), let name = attribute(of: path) else {
      return nil
    }
    if configured == nil {
      configured = mayConfigure("funcname") ? Self.configuration() : [:]
    }
    let patterns = configured?[name] ?? LinePatterns(ofDriver: name)
    return patterns.map { patterns in .lines { patterns.name(in: $0) } } ?? .named(name)
  }

  /// Asks git for the driver that a file's attributes name.
  private func attribute(of path: String) -> String? {
    if attributes == nil {
      attributes = GitProcess(["check-attr", "--stdin", "-z", "diff"], asks: true)
    }
    guard let attributes, attributes.write(path + "\0") else { return nil }
    // The path, the name and the value of the attribute.
    let fields = attributes.read(fields: 3)
    let isName = fields.count == 3 && !["unspecified", "set", "unset"].contains(fields[2])
    return isName ? fields[2] : nil
  }

  /// The patterns in git's configuration.
  private static func configuration() -> [String: LinePatterns] {
    let process = GitProcess(["config", "-z", "--get-regexp", #"^diff\..*\.x?funcname$"#])
    var result: [String: LinePatterns] = [:]
    for field in process?.read() ?? [] {
      let parts = field.split(separator: "\n", maxSplits: 1)
      guard parts.count == 2, let dot = parts[0].lastIndex(of: ".") else { continue }
      let name = parts[0][..<dot].dropFirst("diff.".count)
      result[String(name)] = LinePatterns(
        String(parts[1]), isExtended: parts[0].hasSuffix(".xfuncname"))
    }
    return result
  }

  // MARK: - What git reads

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private let home = variable("HOME") ?? ""

  /// The folder of git's files for this user.
  private lazy var userFolder = (Self.variable("XDG_CONFIG_HOME") ?? home + "/.config") + "/git"

  /// The repository, which work trees may share.
  private lazy var repository = {
    if let shared = Self.variable("GIT_COMMON_DIR") { return shared }
    guard let own = Self.variable("GIT_DIR") else { return ".git" }
    guard let shared = try? FileContents.read(own + "/commondir") else { return own }
    let path = shared.withBytes { String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self) }
    return path.hasPrefix("/") ? path : "\(own)/\(path)"
  }()

  /// Whether a file of attributes that git reads for a path may name a driver.
  private func mayHaveDriver(_ path: String) -> Bool {
    var folder = ""
    if Self.has("diff=", in: ".gitattributes") { return true }
    for part in path.split(separator: "/").dropLast() {
      folder += part + "/"
      if Self.has("diff=", in: folder + ".gitattributes") { return true }
    }
    return Self.has("diff=", in: repository + "/info/attributes")
      || Self.has("diff=", in: userFolder + "/attributes")
      || Self.has("diff=", in: "/etc/gitattributes") || mayConfigure("attributesfile")
  }

  /// Whether git's configuration may have a variable with a word in its name.
  private func mayConfigure(_ word: String) -> Bool {
    if Self.variable("GIT_CONFIG_COUNT") != nil { return true }
    if var given = Self.variable("GIT_CONFIG_PARAMETERS"),
      given.withUTF8({ Self.has(word, UnsafeRawBufferPointer($0)) })
    {
      return true
    }
    return Self.has(word, "include", in: Self.variable("GIT_CONFIG_SYSTEM") ?? "/etc/gitconfig")
      || Self.has(word, "include", in: Self.variable("GIT_CONFIG_GLOBAL") ?? home + "/.gitconfig")
      || Self.has(word, "include", in: userFolder + "/config")
      || Self.has(word, "include", in: repository + "/config")
  }

  /// Whether a file contains one of some words, in small or capital letters.
  private static func has(_ words: String..., in path: String) -> Bool {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return false }
    defer { close(number) }
    var text = ByteBuffer()
    let descriptor = Descriptor(number: number)
    while text.withTail(minimum: 1 << 12, { max(0, descriptor.read(into: $0)) }) > 0 {}
    return text.withUnsafeBytes { text in words.contains { has($0, text) } }
  }

  private static func has(_ word: String, _ text: UnsafeRawBufferPointer) -> Bool {
    let word = Array(word.utf8)
    return text.indices.dropLast(word.count - 1).contains { start in
      text[start] | 0x20 == word[0]
        && word.indices.allSatisfy { text[start + $0] | 0x20 == word[$0] }
    }
  }
}
