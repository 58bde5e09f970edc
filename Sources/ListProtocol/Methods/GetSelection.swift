import ByteBuffers
import JSONBytes
import ListDiff
import ListState

/// `getSelection`: the selected items, their paths, and the cursor.
struct GetSelection: ListRequest {
  let list: [UInt8]

  struct Result {
    var revision: Int

    /// The selected rows, as ranges.
    var selection: [(at: Path, count: Int)]
    var cursor: Path?

    /// The selected items, also those that a view does not show.
    var items: [Item]

    /// The contents of the list's items.
    var contents: ContentWriter
  }

  /// A selected item.
  enum Item {
    /// The index of an item.
    case index(Int)

    /// An item of an outline, as its row shows it or would show it.
    case text([UInt8])
  }

  static let members: ParamNames = [.list]

  mutating func perform(on service: inout ListService) throws(Failure) -> Result {
    guard let known = service.store.peek(list) else {
      throw service.failure(.listNotFound(list))
    }
    let form = ContentForm(singleLine: service.context.singleLine)
    let all = known.allRows
    let items: [Item] = all.selectedItems.map { item in
      known.outlineText(ofItem: item).map { .text($0) } ?? .index(item)
    }
    return Result(
      revision: known.revision, selection: known.selectedRows, cursor: known.cursorPath,
      items: items, contents: ContentWriter(all, form))
  }
}

extension GetSelection {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {
    list = try service.listName(params)
  }

  func append(_ result: Result, of service: inout ListService, to out: inout ByteBuffer) {
    out.append(openingFor: list, revision: result.revision)
    out.append(selection: result.selection, cursor: result.cursor)
    out.append(list: "items", result.items.count) { index, out in
      switch result.items[index] {
      case .index(let item): result.contents.appendItem(item, to: &out)
      case .text(let text):
        text.withUnsafeBytes { out.append(json: $0, singleLine: service.context.singleLine) }
      }
    }
    out.append("}")
  }
}
