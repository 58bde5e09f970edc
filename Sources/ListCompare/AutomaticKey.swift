import ByteBuffers
import JSONBytes

/// Finds members that identify the rows of two files.
enum AutomaticKey {
  /// Members that often identify rows, the best ones first.
  private static let candidates = [
    ["id"], ["_id"], ["ID"], ["Id"], ["key"], ["Key"], ["name"], ["Name"], ["metadata.name"],
    ["metadata.namespace", "metadata.name"], ["uuid"], ["uid"], ["code"], ["path"],
  ]

  /// Returns the rows of both files with the first key that all rows of both have, that no two rows
  /// of a file share, and that some rows of both files share; nil if there is none, or the files are
  /// not records.
  ///
  /// - Complexity: O(*n*) for each key that the first rows have, where *n* is the number of bytes.
  static func tables(
    _ old: ComparedFile, _ new: ComparedFile, _ options: ComparisonOptions
  ) -> (RecordTable, RecordTable)? {
    var options = options
    if options.input == .auto {
      guard let kind = kind(of: old), kind == self.kind(of: new) else { return nil }
      options.input = kind
    }
    let isText = old.isUTF8 && new.isUTF8
    let isJSON = options.input == .json || options.input == .ndjson
    guard isJSON && isText || options.input == .csv || options.input == .tsv else { return nil }
    let sample = isJSON ? [old, new].map { firstRow(of: $0, options) } : [nil, nil]
    for key in candidates {
      if isJSON {
        let isPresent = sample.allSatisfy { row in
          row.map { row in
            row.withBytes { row in
              key.allSatisfy { MemberSearch.value(at: $0, of: 0..<row.count, in: row) != nil }
            }
          } ?? false
        }
        if !isPresent { continue }
      }
      options.key = key
      if let pair = try? tables(with: options, old, new), isKey(of: pair, options) { return pair }
    }
    return nil
  }

  /// The kind of a file by its name and first character; nil if it may be text.
  private static func kind(of file: ComparedFile) -> ComparisonOptions.Input? {
    ComparisonOptions.Input(nameOf: file) ?? (file.beginsAsJSON ? .json : nil)
  }

  private static func tables(
    with options: ComparisonOptions, _ old: ComparedFile, _ new: ComparedFile
  ) throws(ComparisonFailure) -> (RecordTable, RecordTable)? {
    guard case .records(let before) = try FileRows(old, options, like: old),
      case .records(let after) = try FileRows(new, options, like: old)
    else { return nil }
    return (before, after)
  }

  /// Whether the keys of two tables are unique, and some are in both.
  private static func isKey(
    of tables: (RecordTable, RecordTable), _ options: ComparisonOptions
  ) -> Bool {
    let (old, new) = tables
    let others = (old.hasPreface ? 1 : 0) + (old.columns.isEmpty ? 0 : 1)
    let keys = RecordKeys(old, new, seed: options.seed)
    return !keys.hasRepeats && keys.universe + others < old.rows.count + new.rows.count
  }

  /// The first row of a JSON document with a list of objects, or of several values.
  private static func firstRow(
    of file: ComparedFile, _ options: ComparisonOptions
  ) -> SharedBytes? {
    let file = file.withoutMark()
    return file.content.withBytes { bytes in
      var reader = JSONReader(bytes)
      do throws(JSONError) {
        if try reader.peek() == .object {
          let value = try reader.skip()
          var rest = reader
          do throws(JSONError) { try rest.end() } catch {
            return SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[value]))
          }
          let table = RecordTable(file, .json)
          guard let list = table.list(of: value, options.rows, isKeyed: true) else { return nil }
          reader = reader.moved(to: list.lowerBound, depth: 1)
        }
        guard try reader.peek() == .array else { return nil }
        try reader.openArray()
        guard try reader.nextElement() else { return nil }
        let row = try reader.skip()
        return SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[row]))
      } catch { return nil }
    }
  }
}
