/// Files that commands read, which are removed at the end.
enum TemporaryFiles {
  nonisolated(unsafe) private static var paths: [String: String] = [:]

  /// Returns the path of a file that has the given lines.
  static func write(_ lines: [String]) throws(CommandProblem) -> String {
    var text = lines.map { $0 + "\n" }.joined()
    if let path = paths[text] { return path }
    let folder = PickOptions.variable("TMPDIR") ?? "/tmp"
    var path = Array("\(folder)/listd-pick-XXXXXX".utf8CString)
    let number = path.withUnsafeMutableBufferPointer { mkstemp($0.baseAddress!) }
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let isWritten =
      number >= 0
      && text.withUTF8 { Descriptor(number: number).write(UnsafeRawBufferPointer($0)) }
    if number >= 0 { _ = System.closeFile(number) }
    guard isWritten else {
      unlink(name)
      throw CommandProblem(words: "cannot write \(name): \(Descriptor.problem)", exitCode: 2)
    }
    paths[text] = name
    return name
  }

  static func remove() {
    for path in paths.values { unlink(path) }
    paths = [:]
  }
}
