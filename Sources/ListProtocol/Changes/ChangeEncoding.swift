import ByteBuffers
import FuzzyMatch
import ListDiff
import ListStages
import ListState

/// The contents that operations have.
enum OpContents {
  case none

  /// The new ones of inserted and updated rows and sections.
  case new

  /// Also the old ones of deleted and updated rows and sections.
  case both
}

extension Value {
  /// Returns the contents that operations are to have.
  func requireContents() throws(Failure) -> OpContents {
    switch (boolean, text) {
    case (let isWanted?, _): return isWanted ? .new : .none
    case (_, "both"): return .both
    default: throw failure(expected: "true, false or \"both\"")
    }
  }
}

/// How a change is encoded for a client. Subscribers with equal encodings share the bytes.
struct ChangeEncoding: Equatable {
  var format = Format.stages
  var content = OpContents.none
  var maxOps = Int.max

  /// Whether rows and sections move; otherwise they are deleted and inserted.
  var moves = true

  /// How contents are written.
  var form = ContentForm()

  /// The extra members beside edits of a text.
  var text = TextOptions()

  /// Whether the base that the client has is known. If not, `reload` is sent, without counts.
  var isBaseKnown = true
}

extension ChangeEncoding {
  /// Reads the members `format`, `content`, `moves`, `maxOps`, `members` and those of texts; `format`
  /// and `content` are what is used without the members.
  init(
    _ params: borrowing Params, _ context: borrowing RequestContext, format: Format = .stages,
    content: OpContents = .none
  ) throws(Failure) {
    self.format = try params[.format]?.requireChoice(of: Format.self) ?? format
    self.content = try params[.content]?.requireContents() ?? content
    moves = try params[.moves]?.requireBoolean() ?? true
    maxOps = try params[.maxOps]?.requireCount() ?? .max
    form = try ContentForm(params, context)
    text = try TextOptions(params, context.offsetUnit)
  }
}

extension ListService {
  /// Reads how the change of a list is encoded that a request answers with. A subscriber of the list is
  /// notified of it, too.
  func encoding(_ params: borrowing Params, of list: [UInt8]) throws(Failure) -> ChangeEncoding {
    try ChangeEncoding(params, context, format: isSubscribed(list) ? .none : .stages)
  }

  /// Appends a change of a list, without the closing brace. If the text of the list is kept, it has
  /// been updated.
  mutating func append(
    _ change: MadeChange, _ encoding: ChangeEncoding, _ text: TextChange?, to out: inout ByteBuffer
  ) {
    out.append(openingFor: change.name)
    out.append(from: change.revisions.base, to: change.revisions.new)
    append(membersOf: change, encoding, text, to: &out)
    append(text, of: change.name, encoding, to: &out)
    switch change {
    case .edits(let change):
      out.append(selection: change.selection, cursor: change.cursor)
      out.append(deselected: change.deselected, store.ids)
      out.append(numbersOf: change.numbers)
    case .snapshots(let change):
      let list = store.peek(change.name) ?? NamedList(name: change.name)
      out.append(selection: list.selectedRows, cursor: list.cursorPath)
      let deselected = change.deselected.map { left in
        (
          key: change.old.arrangement.rows[left.item], at: change.old.path(ofItem: left.item),
          isDeleted: left.isDeleted
        )
      }
      out.append(deselected: deselected, store.ids)
      out.append(numbersOf: list.viewNumbers)
    }
  }

  /// Appends the revisions, the cursor and the selected lines of a text, if the
  /// client follows the text.
  func append(
    _ text: TextChange?, of list: [UInt8], _ encoding: ChangeEncoding, to out: inout ByteBuffer
  ) {
    guard encoding.format == .textEdits, let text else { return }
    out.append(revisionsOf: text)
    if encoding.text.selectedLines { out.append(selectedLinesOf: book.page(of: list)) }
  }

  /// Appends the members of a change. `text` is needed for the format
  /// `textEdits` only.
  mutating func append(
    membersOf change: MadeChange, _ encoding: ChangeEncoding, _ text: TextChange?,
    to out: inout ByteBuffer
  ) {
    switch change {
    case .snapshots(let change):
      append(change.changes, from: change.old, to: change.new, encoding, text, to: &out)
    case .edits(let change):
      let operations = change.operations
      let counts = (operations.rows, operations.sections)
      append(operations.stages, counts, encoding, text, to: &out) {
        ListRowsWriter(rows: change.new, form: encoding.form)
      } old: {
        change.old.map { ListRowsWriter(rows: $0, form: encoding.form) }
      } patch: {
        $0.patch(change, encoding)
      }
    }
  }

  /// Appends the members of a change between two snapshots.
  mutating func append(
    _ change: SnapshotChange, from old: Snapshot, to new: Snapshot, _ encoding: ChangeEncoding,
    _ text: TextChange?, to out: inout ByteBuffer
  ) {
    let movement = change.movement
    let counts = (movement.rowCounts, movement.sectionCounts)
    append(change.stages, counts, encoding, text, to: &out) {
      SnapshotWriter(snapshot: new, form: encoding.form)
    } old: {
      SnapshotWriter(snapshot: old, form: encoding.form)
    } patch: {
      $0.patch(change, from: old, to: new, encoding)
    }
  }

  private mutating func append(
    _ stages: [Stage], _ counts: (rows: Counts, sections: Counts), _ encoding: ChangeEncoding,
    _ text: TextChange?, to out: inout ByteBuffer,
    contents: () -> any ContentWriter, old: () -> (any ContentWriter)?,
    patch: (inout ListService) -> PatchWriter
  ) {
    out.append(member: "format")
    out.append(encoding.format.json)
    if encoding.format == .none { return }
    guard encoding.isBaseKnown else { return out.append(member: "reload", true) }
    var (stages, counts) = (stages, counts)
    if !encoding.moves, stages.haveMoves {
      let new = contents()
      let unmoved = stages.replacingMoves(
        rows: counts.rows, sections: counts.sections, rowCount: new.rowCount)
      (stages, counts) = (unmoved.stages, (unmoved.rows, unmoved.sections))
    }
    let start = out.count
    out.appendSeparator()
    out.append(encoding.format.json)
    out.append(0x3A)
    let isAppended = append(
      entriesOf: stages, encoding, text, to: &out, contents: contents, old: old, patch: patch)
    if !isAppended {
      out.truncate(to: start)
      out.append(member: "reload", true)
    }
    out.append(member: "counts")
    out.append("{")
    out.append(member: "rows", counts.rows)
    out.append(member: "sections", counts.sections)
    out.append("}")
  }

  /// Appends the array of a format. Returns false and appends nothing if it has more entries than
  /// the client wants.
  private mutating func append(
    entriesOf stages: [Stage], _ encoding: ChangeEncoding, _ text: TextChange?,
    to out: inout ByteBuffer, contents: () -> any ContentWriter,
    old: () -> (any ContentWriter)?, patch: (inout ListService) -> PatchWriter
  ) -> Bool {
    let hasOld = encoding.content == .both
    switch encoding.format {
    case .none: break
    case .stages:
      guard stages.opCount <= encoding.maxOps else { return false }
      StagesWriter(
        stages, contents: encoding.content == .none ? nil : contents(), old: hasOld ? old() : nil
      ).append(to: &out)
    case .ops:
      if encoding.maxOps < Int.max, OpSequence(stages).ops.count > encoding.maxOps { return false }
      StagesWriter(stages, contents: contents(), old: hasOld ? old() : nil)
        .appendSequence(to: &out)
    case .jsonPatch:
      let patch = patch(&self)
      guard patch.count <= encoding.maxOps else { return false }
      patch.append(to: &out)
    case .textEdits:
      guard let text else { return false }
      let difference = text.difference(comparingSpans: encoding.text.spans)
      guard difference.edits.count <= encoding.maxOps else { return false }
      append(difference, of: text.new, encoding.text, to: &out)
    }
    return true
  }
}

extension [Stage] {
  /// The number of operations in all stages.
  fileprivate var opCount: Int { reduce(0) { $0 + $1.ops.count } }
}
