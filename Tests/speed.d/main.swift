import DifferenceKit
import Foundation
import ListDiff

/// A row of an app: an identity and contents, of which texts are in memory of their own.
struct Row<ID: Hashable>: Identifiable, Equatable, Differentiable {
  var id: ID
  var number: Int
  var date: Double
  var title: String
  var subtitle: String
  var isRead: Bool

  init(id: ID, _ number: Int) {
    self.id = id
    self.number = number
    date = Double(number)
    title = copy("Row \(number)")
    subtitle = copy("The subject of row number \(number)")
    isRead = number & 1 == 0
  }

  var differenceIdentifier: ID { id }

  func isContentEqual(to other: Row) -> Bool { self == other }
}

/// Returns an equal text in other memory, as after decoding.
@inline(never) func copy(_ text: String) -> String {
  String(decoding: Array(text.utf8), as: UTF8.self)
}

/// Random numbers with a fixed seed (SplitMix64).
struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

/// What happens to a list, as the numbers of its rows before and after.
enum Work: String, CaseIterable {
  case edits = "1 % deleted, inserted and moved each"
  case toFront = "the last row moves to the front"
  case replaced = "all replaced"
  case shuffle = "shuffled"
  case reversal = "reversed"
  case repeats = "ids repeat ten times"

  func lists(_ count: Int) -> (old: [Int], new: [Int]) {
    var random = Numbers(state: 42)
    let old = Array(0..<count)
    var new = old
    switch self {
    case .edits:
      for index in 0..<max(1, count / 100) {
        new.remove(at: .random(in: 0..<new.count, using: &random))
        new.insert(2 * count + index, at: .random(in: 0...new.count, using: &random))
        let moved = new.remove(at: .random(in: 0..<new.count, using: &random))
        new.insert(moved, at: .random(in: 0...new.count, using: &random))
      }
    case .toFront: new.insert(new.removeLast(), at: 0)
    case .replaced: new = old.map { $0 + 2 * count }
    case .shuffle: new.shuffle(using: &random)
    case .reversal: new.reverse()
    case .repeats:
      let ids = { (random: inout Numbers) in
        old.map { _ in Int.random(in: 0..<max(1, count / 10), using: &random) }
      }
      return (ids(&random), ids(&random))
    }
    return (old, new)
  }
}

/// The processor time of this thread in microseconds, so that other programs do not count.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

@inline(never) func use<Value>(_ value: Value) {}

/// Returns the time of a change, in microseconds, and how many times longer DifferenceKit needs. Both are
/// the least of times that are measured in turns.
func measure<ID: Hashable>(
  _ work: Work, _ count: Int, id: (Int) -> ID
) -> (time: Double, ratio: Double) {
  let numbers = work.lists(count)
  let (old, new) = (
    numbers.old.map { Row(id: id($0), $0) }, numbers.new.map { Row(id: id($0), $0) }
  )
  let repetitions = max(1, 20_000 / count)
  func time(_ body: () -> Void) -> Double {
    let start = processorTime()
    for _ in 0..<repetitions { body() }
    return (processorTime() - start) / Double(repetitions)
  }
  var (own, other) = (Double.infinity, Double.infinity)
  for _ in 0..<15 {
    own = min(own, time { use(Changes(from: old, to: new)) })
    other = min(other, time { use(StagedChangeset(source: old, target: new)) })
  }
  return (own, other / own)
}

func format(_ value: Double) -> String {
  value < 10 ? String(format: "%.1f", value) : "\(Int(value.rounded()))"
}

let counts = [10, 100, 1_000, 10_000, 100_000]
print("| | rows | `Int`, µs | `Int` | `String` | `UUID` |\n| --- | --- | --- | --- | --- | --- |")
for work in Work.allCases {
  for count in counts {
    let numbers = measure(work, count) { $0 }
    let texts = measure(work, count) { copy("item-\(1_000_000 + $0)") }
    let uuids = measure(work, count) { number in
      var random = Numbers(state: UInt64(number))
      let words = (random.next(), random.next())
      return withUnsafeBytes(of: words) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
    let ratios = [numbers, texts, uuids].map { format($0.ratio) }.joined(separator: " | ")
    let name = count == counts[0] ? work.rawValue : ""
    print("| \(name) | \(count) | \(format(numbers.time)) | \(ratios) |")
  }
}
