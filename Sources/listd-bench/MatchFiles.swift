import Foundation

/// Files of lines, and searches of them by fzf.
enum MatchFiles {
  /// A file that cannot be read or written.
  struct Problem: Error, CustomStringConvertible {
    let path: String
    var description: String { "cannot use \(path)" }
  }

  /// The lines of a file.
  static func lines(of path: String) throws(Problem) -> [String] {
    guard let data = FileManager.default.contents(atPath: path) else { throw Problem(path: path) }
    var lines = data.split(separator: 10, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Creates a file with the given lines.
  static func temporary(_ lines: [String]) throws(Problem) -> String {
    let path = NSTemporaryDirectory() + "listd-bench-\(getpid())"
    let text = lines.joined(separator: "\n") + "\n"
    guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
      throw Problem(path: path)
    }
    return path
  }

  /// The median time that `fzf --filter` takes, in milliseconds; `nil` if it is not installed.
  static func filter(_ query: String, _ path: String) -> Double? {
    var times: [Double] = []
    for _ in 0..<5 {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["fzf", "--literal", "--filter", query]
      process.standardInput = FileHandle(forReadingAtPath: path)
      process.standardOutput = FileHandle(forWritingAtPath: "/dev/null")
      process.standardError = FileHandle(forWritingAtPath: "/dev/null")
      let start = ContinuousClock.now
      guard (try? process.run()) != nil else { return nil }
      process.waitUntilExit()
      // 1 means no match and 127 that the program is missing.
      guard process.terminationStatus < 2 else { return nil }
      times.append(start.millisecondsAgo)
    }
    return times.sorted()[times.count / 2]
  }
}
