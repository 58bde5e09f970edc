import Foundation

/// `listd-bench compare`: compares `listd diff` with GNU diff, git and cmp on generated files.
struct CompareCommand {
  private var rows = 1_000_000
  private var rounds = 5
  private var daemon = ".build/release/listd"

  /// The folder to write the files to, without comparing them.
  private var target: String?

  /// Reads the options; `nil` if one is unknown.
  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch option {
      case "--size":
        guard let rows = Int(value), rows >= 1000 else { return nil }
        self.rows = rows
      case "--rounds":
        guard let rounds = Int(value), rounds > 0 else { return nil }
        self.rounds = rounds
      case "--daemon": daemon = value
      case "--write": target = value
      default: return nil
      }
    }
  }

  /// A pair of files and the programs that compare them.
  private typealias Contest = (
    name: String, old: String, new: String, programs: [(name: String, words: [String])]
  )

  /// Writes the files, and prints the medians of processor time and the largest memory sizes.
  func run() throws {
    if let target { return try writeFiles(to: target) }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "listd-bench-compare-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    print("\(rows) rows, medians of \(rounds): processor time in ms, largest memory in MiB")
    // Linux counts the largest memory size of a process from before it replaced the program that
    // started it, which therefore must be small.
    let size = ["--size", String(rows), "--write", folder.path]
    _ = try Self.usage(of: [CommandLine.arguments[0], "compare"] + size)
    for contest in contests {
      var times = [[Double]](repeating: [], count: contest.programs.count)
      var memory = [Int](repeating: 0, count: contest.programs.count)
      // The programs alternate in each round, so that other load on the machine affects all of
      // them.
      for _ in 0..<rounds {
        for (index, program) in contest.programs.enumerated() {
          let files = [contest.old, contest.new].map { "\(folder.path)/\($0)" }
          let usage = try Self.usage(of: program.words + files)
          times[index].append(usage.milliseconds)
          memory[index] = max(memory[index], usage.mebibytes)
        }
      }
      let medians = times.map { $0.sorted()[rounds / 2] }
      for (index, program) in contest.programs.enumerated() {
        let ratio = String(format: "%.2f", medians[0] / medians[index])
        print(
          contest.name.padding(toLength: 14, withPad: " ", startingAt: 0)
            + program.name.padding(toLength: 12, withPad: " ", startingAt: 0)
            + String(format: "%8.0f ms %6d MiB", medians[index], memory[index])
            + (index > 0 ? "   listd \(ratio)" : ""))
      }
    }
  }

  private var contests: [Contest] {
    let listd = [("listd", [daemon, "diff"])]
    let diff = [("diff", ["diff"])]
    let git = [("git", ["git", "diff", "--no-index", "--no-color", "--no-ext-diff"])]
    let keyed = [("listd --key", [daemon, "diff", "--key", "id"])] + diff
    return [
      ("same", "old", "same", listd + [("cmp", ["cmp"])]),
      ("ten lines", "old", "ten", listd + diff + git),
      ("4 %", "old", "four", listd + diff + git),
      ("all lines", "old", "all", listd + diff + git),
      ("shuffled", "old", "shuffled", listd + diff + git),
      ("CSV", "old.csv", "new.csv", keyed),
      ("JSON", "old.json", "new.json", keyed),
    ]
  }

  private func writeFiles(to folder: String) throws {
    var random = SplitMix(seed: 1)
    let lines = (0..<rows).map { "row \($0) with some text \(random.next() % 1_000_000_007) end" }
    func write(_ name: String, _ lines: [String]) throws {
      try (lines.joined(separator: "\n") + "\n").write(
        toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }
    try write("old", lines)
    try write("same", lines)
    var ten = lines
    for _ in 0..<10 { ten[Int(random.next() % UInt64(rows))] = "changed" }
    try write("ten", ten)
    var four: [String] = []
    for line in lines {
      let chance = random.next() % 100
      if chance == 1 { four.append("new \(random.next())") }
      if chance != 0 { four.append(chance < 4 ? line + " changed" : line) }
    }
    try write("four", four)
    try write("all", lines.map { "re" + $0 })
    try writeKeyed(&random, write)
    try write("shuffled", lines.shuffled(using: &random))
  }

  /// A tenth of the rows as CSV and JSON; 4 % of them change and some move.
  private func writeKeyed(
    _ random: inout SplitMix, _ write: (String, [String]) throws -> Void
  ) throws {
    let count = rows / 10
    let old = (0..<count).map { ($0, "name \(random.next() % 1000)", random.next() % 100) }
    var new = old.filter { _ in random.next() % 100 > 0 }
    for index in new.indices where random.next() % 100 < 2 { new[index].2 += 1 }
    for _ in 0..<count / 400 {
      let row = new.remove(at: Int(random.next() % UInt64(new.count)))
      new.insert(row, at: Int(random.next() % UInt64(new.count)))
    }
    func csv(_ rows: [(Int, String, UInt64)]) -> [String] {
      ["id,name,value"] + rows.map { "\($0.0),\($0.1),\($0.2)" }
    }
    func json(_ rows: [(Int, String, UInt64)]) -> [String] {
      ["["]
        + rows.enumerated().map { index, row in
          #"{"id":\#(row.0),"name":"\#(row.1)","value":\#(row.2)}"#
            + (index + 1 < rows.count ? "," : "")
        } + ["]"]
    }
    try write("old.csv", csv(old))
    try write("new.csv", csv(new))
    try write("old.json", json(old))
    try write("new.json", json(new))
  }

  /// Runs a program, discards its output, and returns its resource usage.
  private static func usage(
    of words: [String]
  ) throws -> (milliseconds: Double, mebibytes: Int) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, words[0], &actions, nil, &arguments, environ) == 0 else {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: words[0]])
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
    func milliseconds(_ time: timeval) -> Double {
      Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000
    }
    return (milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime), usage.ru_maxrss / 1024)
  }
}
