/// How files are compared.
package struct ComparisonOptions: Sendable {
  /// What files are.
  package enum Input: String, CaseIterable, Sendable {
    case auto, text, csv, tsv, json, ndjson, snapshot
  }

  package var input = Input.auto

  /// The members or columns that identify a row; none if rows are identified otherwise.
  package var key: [String] = []

  /// The numbers, from 1, of the columns of a text that identify a line.
  package var keyFields: [Int] = []

  /// The members that do not count.
  package var ignored: [FieldPattern] = []

  /// Whether moves are marked; else they are deletes and inserts.
  package var marksMoves = true

  /// Whether all of a row that changed is shown, and not only the members that did.
  package var showsWhole = false

  /// The number of unchanged rows around each change.
  package var context = 3

  /// What hashes begin with.
  package var seed: UInt64 = 0x2545_F491_4F6C_DD1D

  package init() {}

  /// Whether rows are told apart by something other than all that they are.
  package var hasKey: Bool { !key.isEmpty || !keyFields.isEmpty }
}

/// A pattern of member paths such as `status.*`: in a part between dots, `*` stands for any
/// characters. It matches a member and all that is inside of it.
package struct FieldPattern: Sendable {
  private let parts: [[UInt8]]

  package init(_ pattern: String) {
    parts = pattern.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
  }

  /// Whether a path, given by its member names, is matched.
  package func matches(_ path: [String]) -> Bool {
    // Member names may have dots of their own.
    let names = path.joined(separator: ".").split(separator: ".", omittingEmptySubsequences: false)
    guard names.count >= parts.count else { return false }
    return zip(parts, names).allSatisfy { Self.matches($0[...], Array($1.utf8)[...]) }
  }

  private static func matches(_ part: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    var part = part
    var name = name
    // Where to go on if what follows the last star does not match here.
    var retry: (part: ArraySlice<UInt8>, name: ArraySlice<UInt8>)?
    while true {
      if part.first == 0x2A {
        part = part.dropFirst()
        retry = (part, name)
      } else if let byte = name.first, part.first == byte {
        part = part.dropFirst()
        name = name.dropFirst()
      } else if part.isEmpty, name.isEmpty {
        return true
      } else if let last = retry, !last.name.isEmpty {
        name = last.name.dropFirst()
        part = last.part
        retry = (part, name)
      } else {
        return false
      }
    }
  }
}
