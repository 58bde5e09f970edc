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
  private static let members =
    (TextOptions.members + [.format, .content, .moves, .maxOps, .members]).bits

  /// Reads the members `format`, `content`, `moves`, `maxOps`, `members` and those of texts; `format`
  /// and `content` are what is used without the members.
  init(
    _ params: borrowing Params, _ context: borrowing RequestContext, format: Format = .stages,
    content: OpContents = .none
  ) throws(Failure) {
    (self.format, self.content, form.singleLine) = (format, content, context.singleLine)
    text.unit = context.offsetUnit
    guard params.hasAny(Self.members) else { return }
    if let value = params[.format] { self.format = try value.requireChoice(of: Format.self) }
    if let value = params[.content] { self.content = try value.requireContents() }
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
    _ change: ListChange, _ encoding: ChangeEncoding, _ text: TextChange?, to out: inout ByteBuffer
  ) {
    out.append(openingFor: change.name)
    out.append(from: change.baseRevision, to: change.revision)
    append(membersOf: change, encoding, text, to: &out)
    append(text, of: change.name, encoding, to: &out)
    out.append(selection: change.selection, cursor: change.cursor)
    out.append(deselected: change.deselected, store.ids)
    out.append(numbersOf: change.numbers)
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
    membersOf change: ListChange, _ encoding: ChangeEncoding, _ text: TextChange?,
    to out: inout ByteBuffer
  ) {
    out.append(member: "format")
    out.append(encoding.format.json)
    if encoding.format == .none { return }
    guard encoding.isBaseKnown else { return out.append(member: "reload", true) }
    let operations = change.operations
    var (stages, rows, sections) = (operations.stages, operations.rows, operations.sections)
    if !encoding.moves, stages.haveMoves {
      let unmoved = stages.replacingMoves(
        rows: rows, sections: sections, rowCount: change.new.rowCount(ofSection:))
      (stages, rows, sections) = (unmoved.stages, unmoved.rows, unmoved.sections)
    }
    let start = out.count
    out.appendSeparator()
    out.append(encoding.format.json)
    out.append(0x3A)
    if !append(stages, of: change, encoding, text, to: &out) {
      out.truncate(to: start)
      out.append(member: "reload", true)
    }
    out.append(countsOf: rows, sections)
  }

  /// Appends the array of a format. Returns false and appends nothing if it has more entries than
  /// the client wants.
  private mutating func append(
    _ stages: [Stage], of change: ListChange, _ encoding: ChangeEncoding, _ text: TextChange?,
    to out: inout ByteBuffer
  ) -> Bool {
    func contents(_ rows: ListRows) -> ContentWriter { ContentWriter(rows, encoding.form) }
    let old = encoding.content == .both ? change.old.map(contents) : nil
    switch encoding.format {
    case .none: break
    case .stages:
      guard stages.opCount <= encoding.maxOps else { return false }
      if encoding.content == .none {
        out.append(stages)
      } else {
        StagesWriter(stages, contents: contents(change.new), old: old).append(to: &out)
      }
    case .ops:
      if encoding.maxOps < Int.max, OpSequence(stages).ops.count > encoding.maxOps { return false }
      StagesWriter(stages, contents: contents(change.new), old: old).appendSequence(to: &out)
    case .jsonPatch:
      let patch = PatchWriter(change, contents(change.new), moves: encoding.moves)
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
