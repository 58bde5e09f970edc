import ListDiff

/// An item of an application.
struct BenchItem<ID: Hashable>: Identifiable, Equatable {
  var id: ID
  var text: String
  var secondaryText: String
}

struct BenchSection<ID: Hashable>: ListSection {
  var id: Int
  var items: [BenchItem<ID>]
}

/// A workload in the form of the public interface, with ids of some type.
struct PublicRun<ID: Hashable> {
  private let old: [BenchSection<ID>]
  private let new: [BenchSection<ID>]

  /// Creates the lists. If `isFresh` is true, the items of the new list are not those of the old one
  /// but equal: their strings are in other memory, as after decoding.
  init(_ old: WorkloadList, _ new: WorkloadList, isFresh: Bool = false, id: (Int) -> ID) {
    var items: [WorkloadRow: BenchItem<ID>] = [:]
    func section(_ section: WorkloadSection) -> BenchSection<ID> {
      BenchSection(
        id: section.id,
        items: section.rows.map { row in
          if let item = items[row] { return item }
          let item = BenchItem(
            id: id(row.id), text: "Message number \(row.id) — hello",
            secondaryText: "preview \(row.content)")
          items[row] = item
          return item
        })
    }
    self.old = old.sections.map(section)
    if isFresh { items = [:] }
    self.new = new.sections.map(section)
  }

  /// Computes the change once.
  func run() -> Changes {
    if old.count == 1, new.count == 1 {
      return Changes(from: old[0].items, to: new[0].items)
    }
    return Changes(fromSections: old, to: new)
  }

  /// Computes the change with the standard library, which reports neither moves nor content
  /// changes.
  func runStandardLibrary() -> Int {
    let oldIDs = old[0].items.map(\.id)
    return new[0].items.map(\.id).difference(from: oldIDs).count
  }
}

/// The ids of each type for a number.
enum BenchID {
  static func string(_ number: Int) -> String {
    let digits = String(number)
    return "item-" + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
  }

  /// The 36 characters of a UUID.
  static func uuid(_ number: Int) -> String {
    var random = SplitMix(seed: UInt64(number))
    let digits = [random.next(), random.next()].map { word in
      let hex = String(word, radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - hex.count) + hex
    }.joined()
    var result = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { result.append("-") }
      result.append(digit)
    }
    return result
  }
}
