/// How files are compared.
package struct ComparisonOptions: Sendable {
  /// The kind of files.
  package enum Input: String, CaseIterable, Sendable {
    case auto, text, csv, tsv, json, ndjson, snapshot
  }

  package var input = Input.auto

  /// The members or columns that identify a row; empty if rows are identified otherwise.
  package var key: [String] = []

  /// Whether a key is searched if none is given.
  package var findsKey = false

  /// The path of the member of a JSON document whose elements or members are the rows.
  package var rows: String?

  /// The columns of text that identify a line, by their names or numbers from 1.
  package var keyFields: [String] = []

  /// The character that separates columns; nil if it is a blank in text, and found in CSV.
  package var separator: UInt8?

  /// The members to ignore.
  package var ignored: [FieldPattern] = []

  /// The members or columns to show beside the key of a changed row.
  package var shown: [String] = []

  /// Which values are equal.
  package var equality = ValueEquality()

  /// Whether moves are marked. Otherwise they are shown as deletes and inserts.
  package var marksMoves = true

  /// Whether the order of rows does not matter.
  package var ignoresOrder = false

  /// Whether changed rows are shown whole, not only their changed members.
  package var showsWhole = false

  /// The number of unchanged rows around each change.
  package var context = 3

  /// The seed of hashes.
  package var seed: UInt64 = 0x2545_F491_4F6C_DD1D

  package init() {}

  /// Whether values that differ are different.
  var isExact: Bool { ignored.isEmpty && !ignoresOrder && equality.isExact }

  /// Whether rows are identified by a key instead of their whole content.
  package var hasKey: Bool { !key.isEmpty || !keyFields.isEmpty }
}

/// A pattern for member paths, such as `status.*`. In a part between dots, `*` matches any
/// characters. The pattern matches a member and everything inside of it.
package struct FieldPattern: Sendable {
  private let parts: [[UInt8]]

  package let text: String

  package init(_ pattern: String) {
    text = pattern
    parts = pattern.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
  }

  /// Whether the pattern matches a path of member names.
  package func matches(_ path: [String]) -> Bool {
    // Member names may contain dots.
    let names = path.joined(separator: ".").split(separator: ".", omittingEmptySubsequences: false)
    guard names.count >= parts.count else { return false }
    return zip(parts, names).allSatisfy { Self.matches($0[...], Array($1.utf8)[...]) }
  }

  private static func matches(_ part: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    var part = part
    var name = name
    // The position to resume at if the part after the last star does not match here.
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
