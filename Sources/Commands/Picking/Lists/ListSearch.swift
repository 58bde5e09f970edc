import ByteBuffers
import FuzzyMatch

/// The items of a daemon's list, which the daemon searches and ranks.
///
/// Only the items around the cursor are in this process. They are read from the list itself, or if there is
/// a query, from a temporary view of it, which the daemon removes when the connection ends. One reading is
/// awaited at a time; the next one is for what is wanted then.
final class ListSearch: PickSearch, @unchecked Sendable {
  /// What is wanted of the list.
  struct Wanted: Equatable {
    var request: Request
    var text: String
    var excluded: Int

    init(_ request: Request, _ place: Place, excluded: Int) {
      (self.request, text) = (request, place.text)
      // Other rows of the same items are another place.
      self.request.count = 0
      self.excluded = excluded
    }
  }

  /// A reading that is awaited.
  struct Reading {
    /// What the reading is for.
    enum Purpose {
      /// Finding out which members the items have, and which revision the list.
      case form
      case place

      /// Finding the line that the cursor stays with.
      case followed

      /// The place of the cursor, after that line was not found.
      case placeAgain
    }

    var wanted: Wanted
    var purpose: Purpose
    var window: Range<Int>
    var readsView: Bool
    var id = 0

    /// The request for which of some lines the list still has, or for the place of the line that the cursor
    /// follows.
    var lookup: (id: Int, lines: [Int])?

    /// Whether the list has changed since the reading before.
    var isOfChange: Bool
  }

  var client: ListClient
  let name: String
  let view: ItemView
  var form: ItemForm
  var rows = PickedRows()
  var place = Place(text: "")

  var wanted: Wanted?
  var reading: Reading?

  /// The subscription to the list, which begins when its first rows were read, because it takes longer than
  /// these, and the revision that they have; nil before.
  var subscription: (id: Int, revision: Int)?

  /// The request for the contents of marked lines.
  var contents: Int?

  /// What was read last, with the place of the first line and the number of all that match.
  var answered: Wanted?
  var known = 0..<0
  private var lastWindow: Range<Int>?
  var lines: [Int] = []
  var matched = 0
  var listed = 0

  /// The places of the first rows of sections, as far as they are known.
  var starts: [Int: Int] = [:]

  /// Whether the list may have changed since the last reading began.
  var isOld = true
  var version = 0
  var result: Result?
  private var failure: CommandProblem?

  /// The items that are left out, as JSON.
  var excluded: [[UInt8]] = []

  /// The largest number of marked lines whose items are looked up after each change.
  private static let mostMarks = 1 << 14

  /// The number of rows of a reading of all of them.
  private static let page = 1 << 14

  /// Connects to the daemon at a path, or the default path.
  ///
  /// - Throws: If there is none.
  init(_ name: String, _ options: PickOptions) throws(CommandProblem) {
    self.name = name
    client = try ListClient.connected(to: options.socket)
    form = ItemForm(options.columns)
    view = ItemView(of: name, options)
  }

  override var polled: [Int32] { [client.number] }
  override var total: Int { listed }
  override var hasEnded: Bool { reading == nil }
  override var problem: CommandProblem? { failure }

  override func bytes(of line: Int) -> ArraySlice<UInt8> { rows.bytes(of: line) }

  override func follow(_ place: Place) { self.place = place }

  override func search(_ request: Request, _ place: Place) {
    self.place = place
    wanted = Wanted(request, place, excluded: excluded.count)
    update()
  }

  override func takeResult() -> Result? {
    defer { result = nil }
    return result
  }

  override func remove(_ lines: [Int]) {
    excluded += lines.compactMap { rows.reference(to: $0) }
    wanted?.excluded = excluded.count
    update()
  }

  override func close() {
    client.close()
    failure = nil
  }

  override func update() {
    guard failure == nil else { return }
    do throws(CommandProblem) {
      while let message = try client.nextMessage() { try receive(message) }
      try begin()
    } catch { failure = error }
  }

  // MARK: Readings

  /// Begins a reading if one is needed and none is awaited.
  private func begin() throws(CommandProblem) {
    guard reading == nil, let wanted else { return }
    let isNew = wanted != answered
    let window = window(around: place.cursor)
    guard isNew || isOld || !isKnown(place.cursor) && window != lastWindow else { return }
    let isFirst = form.members.isEmpty || subscription == nil
    var next = Reading(
      wanted: wanted, purpose: isFirst ? .form : .place, window: window, readsView: false,
      isOfChange: isOld)
    if rows.count > 2 * (lines.count + place.marked.count) + (1 << 10) {
      rows.keep(only: lines + place.marked + (place.followed.map { [$0] } ?? []))
    }
    if isOld { try lookUpMarks(&next) }
    isOld = false
    try send(next)
  }

  /// Whether the rows around a place are known.
  private func isKnown(_ cursor: Int) -> Bool {
    let needed =
      max(0, min(cursor, matched) - place.rows)..<max(0, min(matched, cursor + place.rows + 1))
    return needed.isEmpty
      || known.contains(needed.lowerBound) && known.upperBound >= needed.upperBound
  }

  /// The rows that are read around a place.
  func window(around cursor: Int) -> Range<Int> {
    let count = 4 * max(50, place.rows)
    let start = cursor < count / 2 ? 0 : cursor - count / 2
    return start..<start + count
  }

  func send(_ next: Reading) throws(CommandProblem) {
    var next = next
    next.readsView =
      next.purpose != .form && (!next.wanted.request.query.isEmpty || !excluded.isEmpty)
    if next.readsView {
      let anchor =
        next.purpose == .followed ? place.followed.flatMap { rows.reference(to: $0) } : nil
      try view.define(
        ItemView.Definition(
          text: next.wanted.text, isSorted: next.wanted.request.ranking.isSorted,
          members: form.members, excluded: excluded, window: next.window, anchor: anchor),
        &client)
    }
    let (list, window) = (next.readsView ? view.name : name, next.window)
    let start = next.readsView ? 0 : window.lowerBound
    next.id = try client.send("getSnapshot") {
      $0.append(list: list)
      $0.append(",\"window\":{\"start\":")
      $0.append(decimal: start)
      $0.append(member: "count", window.count)
      $0.append("}")
    }
    (reading, lastWindow) = (next, window)
  }

  /// Asks which of the marked lines the list has.
  private func lookUpMarks(_ next: inout Reading) throws(CommandProblem) {
    let lines = place.marked.filter { rows.reference(to: $0) != nil }
    guard !lines.isEmpty, lines.count <= Self.mostMarks else { return }
    next.lookup = (try locate(lines), lines)
  }

  func locate(_ lines: [Int]) throws(CommandProblem) -> Int {
    let (name, rows) = (name, rows)
    return try client.send("locate") {
      $0.append(list: name)
      $0.append(list: "items", lines.count) { index, out in
        out.append(contentsOf: rows.reference(to: lines[index])!)
      }
    }
  }

  // MARK: All rows

  override func await(_ request: Request, _ place: Place) -> Result {
    wanted = Wanted(request, place, excluded: excluded.count)
    self.place = Place(text: place.text, marked: place.marked)
    var all: [Int] = []
    do throws(CommandProblem) {
      try finishReading()
      var next = 0
      repeat {
        result = nil
        try send(
          Reading(
            wanted: wanted!, purpose: form.members.isEmpty ? .form : .placeAgain,
            window: next..<next + Self.page, readsView: false, isOfChange: false))
        try finishReading()
        guard result != nil, !lines.isEmpty else { break }
        // The last page begins earlier if it would not be full.
        all += lines.dropFirst(max(0, next - known.lowerBound))
        next = known.upperBound
      } while next < min(matched, request.count)
      // The next reading is that of the rows around the cursor.
      (answered, result) = (nil, nil)
    } catch { failure = error }
    return Result(
      request: request, searched: listed, count: all.count, lines: all, isFinal: true,
      version: version, content: .rows(rows))
  }

  private func finishReading() throws(CommandProblem) {
    while reading != nil {
      _ = client.wait()
      while let message = try client.nextMessage() { try receive(message) }
    }
  }
}
