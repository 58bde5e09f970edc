import ListDiff

let n = Int(CommandLine.arguments.dropFirst().first ?? "100000")!
let only = CommandLine.arguments.dropFirst(2).first
let reps = Int(CommandLine.arguments.dropFirst(3).first ?? "21")!
let clock = ContinuousClock()
for w in Workload.allCases where only == nil || only == "all" || only == w.rawValue {
  let (old, new) = w.lists(count: n)
  var run = EngineRun(old, new)
  var times: [Double] = []
  var ops = 0
  for _ in 0..<reps {
    let t = clock.measure { ops = run.run().count }
    times.append(Double(t.components.attoseconds) / 1e15)
  }
  times.sort()
  print(
    w.rawValue, times[reps / 2], "min", times[0], "stages", ops, run.rowCounts,
    run.sectionCounts.moves)
}
