import Foundation

/// `listd-bench compare`: compares `listd diff` with GNU diff, git and cmp on generated files.
struct CompareCommand {
  private var rows = 1_000_000
  private var rounds = 5
  private var daemon = ".build/release/listd"

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
      default: return nil
      }
    }
  }

  /// A pair of files and the programs that compare them.
  private struct Contest {
    var name: String
    var old: String
    var new: String
    var programs: [(name: String, words: [String])]
  }

  /// Writes the files, and prints the medians of processor time and the largest memory sizes.
  func run() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "listd-bench-compare-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    print("\(rows) rows, medians of \(rounds): processor time in ms, largest memory in MiB")
    for contest in try contests(in: folder.path) {
      var times = [[Double]](repeating: [], count: contest.programs.count)
      var memory = [Int](repeating: 0, count: contest.programs.count)
      // The programs alternate in each round, so that other load on the machine affects all of
      // them.
      for _ in 0..<rounds {
        for (index, program) in contest.programs.enumerated() {
          let usage = try Self.usage(of: program.words + [contest.old, contest.new])
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

  private func contests(in folder: String) throws -> [Contest] {
    var random = SplitMix(seed: 1)
    let lines = (0..<rows).map { "row \($0) with some text \(random.next() % 1_000_000_007) end" }
    func write(_ name: String, _ lines: [String]) throws -> String {
      let path = "\(folder)/\(name)"
      try (lines.joined(separator: "\n") + "\n").write(
        toFile: path, atomically: false, encoding: .utf8)
      return path
    }
    let old = try write("old", lines)
    let git = ["git", "diff", "--no-index", "--no-color", "--no-ext-diff"]
    let others: [(name: String, words: [String])] = [("diff", ["diff"]), ("git", git)]
    var contests = [
      Contest(
        name: "same", old: old, new: try write("same", lines),
        programs: [("listd", [daemon, "diff"]), ("cmp", ["cmp"])])
    ]
    let programs = [("listd", [daemon, "diff"])] + others
    var ten = lines
    for _ in 0..<10 { ten[Int(random.next() % UInt64(rows))] = "changed" }
    contests.append(
      Contest(name: "ten lines", old: old, new: try write("ten", ten), programs: programs))
    var four: [String] = []
    for line in lines {
      let chance = random.next() % 100
      if chance == 1 { four.append("new \(random.next())") }
      if chance != 0 { four.append(chance < 4 ? line + " changed" : line) }
    }
    contests.append(
      Contest(name: "4 %", old: old, new: try write("four", four), programs: programs))
    contests.append(
      Contest(
        name: "all lines", old: old, new: try write("all", lines.map { "re" + $0 }),
        programs: programs))
    contests += try keyed(&random, write, others)
    return contests
  }

  /// A tenth of the rows as CSV and JSON; 4 % of them change and some move.
  private func keyed(
    _ random: inout SplitMix, _ write: (String, [String]) throws -> String,
    _ others: [(name: String, words: [String])]
  ) throws -> [Contest] {
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
    let programs = [("listd --key", [daemon, "diff", "--key", "id"])] + others.prefix(1)
    return [
      Contest(
        name: "CSV", old: try write("old.csv", csv(old)), new: try write("new.csv", csv(new)),
        programs: programs),
      Contest(
        name: "JSON", old: try write("old.json", json(old)), new: try write("new.json", json(new)),
        programs: programs),
    ]
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
