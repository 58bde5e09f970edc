import ListDiff

/// The measured figures of one workload at one size. Times are medians in milliseconds.
struct Figures {
  let workload: Workload
  let size: Int
  let engine: Double
  var strings = 0.0
  var freshStrings = 0.0
  var integers = 0.0
  var uuids = 0.0
  var standardLibrary: Double?
  var counts = Counts()
  var sectionMoves = 0
  var ranges = 0
  var leastMoves: Int?

  init(workload: Workload, size: Int, engine: Double) {
    self.workload = workload
    self.size = size
    self.engine = engine
  }

  static func heading(_ size: Int) -> String {
    let columns = [
      "keys kept", "String", "fresh", "Int", "UUID text", "difference", "ratio", "moves", "least",
      "ops",
    ]
    return "\n\(size) rows, ms".padded(30) + columns.map { $0.leftPadded(11) }.joined()
  }

  var line: String {
    let times = [engine, strings, freshStrings, integers, uuids, standardLibrary]
    let ratio = standardLibrary.map { ($0 / strings).rounded(places: 1) } ?? "–"
    let rest = [ratio, String(counts.moves), leastMoves.map { String($0) } ?? "–", String(ranges)]
    return "\(workload.rawValue)  \(workload.summary)".padded(40)
      + (times.map { $0?.rounded(places: 3) ?? "–" } + rest).map { $0.leftPadded(11) }.joined()
  }

  var json: String {
    let members: [(String, String)] = [
      ("workload", "\"\(workload.rawValue)\""), ("rows", "\(size)"), ("keysKept", "\(engine)"),
      ("string", "\(strings)"), ("freshString", "\(freshStrings)"), ("int", "\(integers)"),
      ("uuid", "\(uuids)"),
      ("difference", standardLibrary.map { "\($0)" } ?? "null"),
      ("deletes", "\(counts.deletes)"), ("inserts", "\(counts.inserts)"),
      ("moves", "\(counts.moves)"), ("leastMoves", leastMoves.map { "\($0)" } ?? "null"),
      ("updates", "\(counts.updates)"), ("sectionMoves", "\(sectionMoves)"),
      ("ops", "\(ranges)"),
    ]
    return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }
}

extension Double {
  fileprivate func rounded(places: Int) -> String {
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let value = Int(self * Double(scale) + 0.5)
    let fraction = String(value % scale)
    return "\(value / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
  }
}
