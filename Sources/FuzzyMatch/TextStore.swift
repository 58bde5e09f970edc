/// Texts that are prepared for many queries, such as those of a user who types.
///
/// ```swift
/// var texts = TextStore(paths)
/// let matches = texts.matches(of: Query("srcmain"))
/// for match in texts.best(40, of: matches) { print(match.score, paths[Int(match.row)]) }
/// ```
///
/// A row is one text, or several members. The caller chooses the number of each row; numbers should be
/// dense. Rows can be added, replaced and removed in any order, in time proportional to their length.
///
/// The store takes about 1.55 bytes a character, 14 bytes a row and 2 for each further member. Characters with which
/// rows begin like the rows added before them, such as paths in the order of their folders, take a tenth of that. Rows
/// of more than 4,096 characters, and rows with a non-ASCII character other than the first 126 in the store, are kept
/// as UTF-8, too.
///
/// Sixteen rows are matched at a time, each in a byte of a vector. A query that narrows the one before
/// it scans only the rows that matched. Of each length, these are copied if they are at most a
/// sixteenth, or a quarter if the query has narrowed another one.
public struct TextStore: Sendable {
  /// The rows of each `LengthClass`.
  var groups = (0..<LengthClass.long).map { BlockGroup(pairs: LengthClass.pairs($0)) }
  /// The numbers of rows that are too long for blocks.
  var longRows: [Int32] = []
  /// The position of each row: its length class in the upper eight bits, and its index there.
  private var positions: [UInt32] = []
  private(set) var alphabet = Alphabet()
  /// The UTF-8 of rows that blocks do not contain, or not exactly, with 0xFF between two members.
  private var texts: [Int32: [UInt8]] = [:]
  /// Whether any row has had several members.
  private(set) var hasMembers = false
  /// The rows that the last query has matched.
  var kept: KeptRows?
  /// The number of rows.
  public private(set) var count = 0
  /// The work of the last search.
  package internal(set) var cost = SearchCost()
  /// Memory that is reused for each row.
  private var encoded = EncodedRow()

  private static let absent = UInt32.max
  private static let indexBits: UInt32 = 24

  /// Creates a store without rows.
  public init() {}

  /// Creates a store whose rows are numbered from 0.
  ///
  /// - Complexity: O(*n*), where *n* is the length of all texts.
  public init(_ texts: some Sequence<some StringProtocol>) {
    var text = RowText()
    for (row, string) in texts.enumerated() {
      text.removeAll()
      text.append(string)
      set(Int32(row), to: text)
    }
  }

  /// Makes room for rows with numbers below a limit.
  package mutating func reserve(_ limit: Int) { positions.reserveCapacity(limit) }

  /// Reports whether the store has a row with a number.
  public func contains(_ row: Int32) -> Bool { position(row) != nil }

  /// Adds a row, or replaces it.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text and of the one that it replaces.
  /// - Precondition: `row` is not negative, and fewer than 2²⁴ rows are about as long as this one.
  public mutating func set(_ row: Int32, to text: RowText) {
    remove(row)
    kept = nil
    while positions.count <= Int(row) { positions.appendSparingly(Self.absent) }
    let group = LengthClass.index(text.count)
    let index: Int
    if group == LengthClass.long {
      index = longRows.count
      longRows.append(row)
      texts[row] = Self.utf8(text)
      if text.points.contains(RowText.separator) { hasMembers = true }
    } else {
      index = groups[group].numbers.count
      encoded.encode(text.points, &alphabet)
      if !encoded.separators.isEmpty { hasMembers = true }
      if encoded.flags != 0 { texts[row] = Self.utf8(text) }
      groups[group].append(encoded, row)
    }
    precondition(index < 1 << Self.indexBits)
    positions[Int(row)] = UInt32(group) << Self.indexBits | UInt32(index)
    count += 1
  }

  /// Adds a row of one member, or replaces it.
  public mutating func set(_ row: Int32, to text: some StringProtocol) {
    set(row, to: RowText(text))
  }

  /// Removes a row, and reports whether there was one.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the longest row of the same length class.
  @discardableResult
  public mutating func remove(_ row: Int32) -> Bool {
    guard let (group, index) = position(row) else { return false }
    kept = nil
    let moved: Int32?
    if group == LengthClass.long {
      let last = longRows.removeLast()
      moved = last == row ? nil : last
      if let moved { longRows[index] = moved }
    } else {
      moved = groups[group].remove(at: index)
    }
    if let moved { positions[Int(moved)] = positions[Int(row)] }
    positions[Int(row)] = Self.absent
    texts[row] = nil
    count -= 1
    return true
  }

  /// Returns the text of a row, or `nil` if there is no such row.
  ///
  /// - Complexity: O(*n*), where *n* is its length.
  public func text(of row: Int32) -> RowText? {
    guard let (group, index) = position(row) else { return nil }
    var text = RowText()
    if let bytes = texts[row] {
      for (member, part) in bytes.split(separator: 0xFF, omittingEmptySubsequences: false)
        .enumerated()
      {
        if member > 0 { text.endMember() }
        text.append(utf8: ContiguousArray(part).span)
      }
      return text
    }
    let count = groups[group].count(ofLane: index)
    text.points.reserveCapacity(count)
    for column in 0..<count {
      let (byte, details) = groups[group].cell(column, lane: index)
      text.points.append(
        byte == Alphabet.separator
          ? RowText.separator
          : alphabet.point(byte, isChanged: details & Slab.changed != 0))
    }
    return text
  }

  /// Returns the match of a row, or `nil` if it does not match or does not exist.
  ///
  /// - Complexity: O(*n* · *m*), where *n* is the length of the row and *m* of the query.
  public func match(_ query: Query, row: Int32) -> Match? {
    text(of: row).flatMap { query.match(in: $0) }
  }

  /// Returns the score of a row, or `nil` if it does not match or does not exist.
  ///
  /// - Complexity: O(*n* · *m*), where *n* is the length of the row and *m* of the query.
  public func score(_ query: Query, row: Int32) -> Int? {
    text(of: row).flatMap { query.score(of: Characters($0)) }
  }

  /// Returns the number of characters of a row, separators included, or `nil` if it is not in a block.
  func blockLength(of row: Int32) -> Int? {
    guard let (group, index) = position(row), group < LengthClass.long else { return nil }
    return groups[group].count(ofLane: index)
  }

  /// Returns the group and the index of a row, or `nil` if there is no such row.
  private func position(_ row: Int32) -> (group: Int, index: Int)? {
    guard row >= 0, Int(row) < positions.count, positions[Int(row)] != Self.absent else {
      precondition(row >= 0)
      return nil
    }
    let position = positions[Int(row)]
    return (Int(position >> Self.indexBits), Int(position & (1 << Self.indexBits - 1)))
  }

  private static func utf8(_ text: RowText) -> [UInt8] {
    var bytes: [UInt8] = []
    for point in text.points {
      guard let scalar = Unicode.Scalar(point) else {
        bytes.append(0xFF)
        continue
      }
      bytes.append(contentsOf: UTF8.encode(scalar)!)
    }
    return bytes
  }

  /// The size of the store in bytes, without the rows that the last query has matched.
  package var byteCount: Int {
    groups.reduce(0) { $0 + $1.byteCount } + positions.capacity * 4 + longRows.capacity * 4
      + texts.reduce(texts.capacity * 16) { $0 + $1.value.capacity + 32 }
  }
}
