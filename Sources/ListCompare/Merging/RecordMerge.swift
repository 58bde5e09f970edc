import ByteBuffers
import JSONBytes

/// A merge of what two sides have made of a file with rows: rows by key, and members by name.
package struct RecordMerge {
  /// The merged text.
  package private(set) var text: [UInt8]

  /// The number of conflicts. Each is marked in the text as git marks it.
  package private(set) var conflicts: Int

  /// The files of a merge.
  enum Side { case base, ours, theirs }

  /// How conflicts are marked.
  package struct Marks: Sendable {
    package var size = 7
    package var ours = "ours"
    package var theirs = "theirs"

    /// Whether conflicts include the text of the base.
    package var showsBase = false

    package init() {}
  }

  /// Merges two versions of a file. Calls `marks` if there are conflicts.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the number of bytes.
  ///
  /// - Throws: If the files are not records with a key.
  package init(
    base: ComparedFile, ours: ComparedFile, theirs: ComparedFile, _ options: ComparisonOptions,
    _ marks: () -> Marks
  ) throws(ComparisonFailure) {
    var options = options
    for file in [base, ours, theirs] { try file.checkText() }
    if options.input == .auto {
      // A table of one column looks like text.
      let guesses = [ours, theirs, base].compactMap {
        try? ComparisonOptions.Input(guessedOf: $0, separator: options.separator)
      }
      options.input = guesses.first ?? .text
    }
    let merge = { (choice: Side) throws(ComparisonFailure) -> ([UInt8], Int) in
      switch options.input {
      case .csv, .tsv: try Self.delimited([base, ours, theirs], options, choice)
      case .json, .ndjson: try Self.json([base, ours, theirs], options, choice)
      case .auto, .text, .snapshot: throw ComparisonFailure("only CSV, TSV and JSON have rows")
      }
    }
    (text, conflicts) = try merge(.ours)
    guard conflicts > 0 else { return }
    let marks = marks()
    // Apart from conflicts, these texts are the same.
    let base = marks.showsBase ? try merge(.base).0 : nil
    text = Self.marked(text, base, try merge(.theirs).0, marks)
  }

  private static func delimited(
    _ files: [ComparedFile], _ options: ComparisonOptions, _ choice: Side
  ) throws(ComparisonFailure) -> ([UInt8], Int) {
    var options = options
    if options.key.isEmpty {
      options.findsKey = true
      guard let (table, _) = AutomaticKey.tables(files[1], files[2], options) else {
        throw ComparisonFailure("no column identifies the rows: use --key")
      }
      options.key = table.keyColumns.map { table.columnName($0) }
    }
    var tables: [RecordTable] = []
    var delimiter: UInt8 = 0x2C
    for file in files {
      let model = files[1].firstByte == nil ? files[2] : files[1]
      // An empty file has no columns.
      let file = file.firstByte == nil ? ComparedFile.missing : file
      guard case .records(let table) = try FileRows(file, options, like: model) else { continue }
      if case .delimited(let found) = table.form { delimiter = found }
      tables.append(table)
    }
    var merge = DelimitedMerge(
      tables[0], tables[1], tables[2], by: delimiter, choosing: choice)
    let records = try merge.merged()
    let model = files[1].firstByte == nil ? files[2] : files[1]
    let (end, hasEnd, mark) = model.content.withBytes { bytes -> ([UInt8], Bool, [UInt8]) in
      let feed = Bytes.firstIndex(of: 0x0A, in: bytes, from: 0)
      let hasReturn = feed.map { $0 > 0 && bytes[$0 - 1] == 0x0D } ?? false
      let mark: [UInt8] = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : []
      return (hasReturn ? [0x0D, 0x0A] : [0x0A], bytes.last == 0x0A, mark)
    }
    let isEmpty = records.isEmpty
    return (
      mark + Array(records.joined(separator: end)) + (hasEnd && !isEmpty ? end : []),
      merge.conflicts
    )
  }

  private static func json(
    _ files: [ComparedFile], _ options: ComparisonOptions, _ choice: Side
  ) throws(ComparisonFailure) -> ([UInt8], Int) {
    let files = files.map { $0.withoutMark() }
    defer { withExtendedLifetime(files) {} }
    var sides: [JSONMerge.Side] = []
    var values: [[Range<Int>]] = []
    for file in files {
      let found = try self.values(of: file)
      var rows: Range<Int>?
      if let root = found.first, found.count == 1 {
        let table = RecordTable(file, .json)
        let first = file.content.bytes[root.lowerBound]
        rows =
          first == 0x5B
          ? root : first == 0x7B ? table.list(of: root, options.rows, isKeyed: true) : nil
      }
      sides.append(JSONMerge.Side(bytes: file.content.bytes, rows: rows))
      values.append(found)
    }
    var merge = JSONMerge(
      sides[0], sides[1], sides[2], key: options.key, choosing: choice)
    let model = values[1].isEmpty ? 2 : 1
    let bytes = sides[model].bytes
    guard let first = values[model].first, let last = values[model].last else { return ([], 0) }
    let end = Array(bytes[last.upperBound...])
    let start = Array(bytes[..<first.lowerBound])
    if options.input != .ndjson, values.allSatisfy({ $0.count <= 1 }) {
      let merged = try merge.merged(values[0].first, values[1].first, values[2].first)
      return (start + (merged ?? []) + end, merge.conflicts)
    }
    guard let rows = try merge.merged(elements: values, areRows: true) else {
      throw ComparisonFailure("no member identifies the rows: use --key")
    }
    return (start + Array(rows.joined(separator: [0x0A])) + end, merge.conflicts)
  }

  /// The values of a file of JSON or NDJSON.
  private static func values(of file: ComparedFile) throws(ComparisonFailure) -> [Range<Int>] {
    var reader = JSONReader(file.content.bytes)
    var values: [Range<Int>] = []
    guard file.firstByte != nil else { return [] }
    do throws(JSONError) {
      while true {
        values.append(try reader.skip())
        var rest = reader
        do throws(JSONError) {
          try rest.end()
          return values
        } catch {}
      }
    } catch { throw ComparisonFailure("\(file.name): not JSON: \(error)") }
  }

  /// Marks the lines in which texts differ as conflicts.
  private static func marked(
    _ ours: [UInt8], _ base: [UInt8]?, _ theirs: [UInt8], _ marks: Marks
  ) -> [UInt8] {
    let files = [ours, theirs, base ?? ours].map { text in
      // A mark begins on a line of its own.
      ComparedFile(
        name: "", content: SharedBytes(copying: text.last == 0x0A ? text : text + [0x0A]))
    }
    let lines = files.map { file in
      file.content.withBytes { $0.split(separator: 0x0A, omittingEmptySubsequences: false) }
        .dropLast().map { Array($0) + [0x0A] }
    }
    // The lines of the other texts that are those of ours; -1 if they have none.
    var matches = [0, 1, 2].map { _ in [Int](repeating: -1, count: lines[0].count) }
    for side in files.indices {
      let comparison = LineComparison(files[0], files[side], moves: false, seed: 1)
      for step in comparison.steps where step.kind == .same {
        for offset in 0..<step.count { matches[side][step.old + offset] = step.new + offset }
      }
    }
    func mark(_ character: Character, _ name: String) -> [UInt8] {
      let line = String(repeating: character, count: marks.size)
      return Array((name.isEmpty ? "\(line)\n" : "\(line) \(name)\n").utf8)
    }
    var result: [UInt8] = []
    var starts = [0, 0, 0]
    for line in 0...lines[0].count {
      let ends = files.indices.map { line < lines[0].count ? matches[$0][line] : lines[$0].count }
      guard !ends.contains(-1) else { continue }
      let parts = files.indices.map { lines[$0][starts[$0]..<ends[$0]].joined() }
      if !parts.allSatisfy({ $0.isEmpty }) {
        result += mark("<", marks.ours) + parts[0]
        if base != nil { result += mark("|", "base") + parts[2] }
        result += mark("=", "") + parts[1] + mark(">", marks.theirs)
      }
      if line < lines[0].count { result += lines[0][line] }
      starts = ends.map { $0 + 1 }
    }
    return result
  }
}
