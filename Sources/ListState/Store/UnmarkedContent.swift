import ListDiff
import ListStages

/// The content that lists had when a sweep of the identifier table began, as far as its identifiers
/// have not been marked.
struct UnmarkedContent: Sendable {
  private enum Content {
    case keys([UInt32])
    case snapshot(Snapshot)
    case tree(ListTree, leaves: [Int])
    case history(History)
  }

  /// The contents, the last of which is marked next, and the position in each: of a key, an item, a
  /// leaf or a run of revisions.
  private var contents: [(content: Content, next: Int)] = []

  /// Creates a value without content.
  init() {}

  /// Creates the content of lists.
  ///
  /// - Complexity: O(*s* + *n* / 256), where *s* is the number of sections and *n* of items.
  init(of lists: some Sequence<NamedList>) {
    for list in lists {
      if let tree = list.tree { add(tree) }
      if let view = list.live {
        add(view.sources)
        if let all = view.all { add(all) }
        add(view.missingParents)
      }
      contents.append((.history(list.older), 0))
    }
  }

  private mutating func add(_ keys: [UInt32]) { contents.append((.keys(keys), 0)) }

  private mutating func add(_ snapshot: Snapshot) {
    contents.append((.snapshot(snapshot), 0))
    add(snapshot.arrangement.sections)
    add(templatesOf: snapshot.sections)
  }

  private mutating func add(_ tree: ListTree) {
    let sections = tree.sectionsInOrder
    let leaves = sections.flatMap { Array(tree.leaves(ofSection: $0)) }
    contents.append((.tree(tree, leaves: leaves), 0))
    add(tree.repeats.keys)
    add(sections.map { tree.sections[$0].key })
    add(templatesOf: sections.map { tree.sections[$0].traits })
  }

  private mutating func add(templatesOf sections: [SectionTraits]) {
    let templates = sections.flatMap { [$0.headerTemplate, $0.footerTemplate] }
    add(templates.compactMap { $0 > 0 ? $0 - 1 : nil })
  }

  /// Marks the identifiers of the next contents, at most about `limit`. If no content remains,
  /// returns how many are left of the limit; otherwise 0.
  mutating func mark(_ limit: Int, in ids: inout IDTable) -> Int {
    var rest = limit
    while rest > 0, let (content, next) = contents.popLast() {
      rest -= 1
      switch content {
      case .keys(let keys):
        let end = next + min(rest, keys.count - next)
        for key in keys[next..<end] { ids.mark(key) }
        rest -= end - next
        if end < keys.count { contents.append((content, end)) }
      case .snapshot(let snapshot):
        let end = next + min(rest, snapshot.itemCount - next)
        for item in next..<end { ids.mark(item, of: snapshot) }
        rest -= end - next
        if end < snapshot.itemCount { contents.append((content, end)) }
      case .tree(let tree, let leaves):
        guard next < leaves.count else { continue }
        let leaf = tree.leaves[leaves[next]]
        ids.mark(leaf, of: tree)
        rest -= leaf.count
        contents.append((content, next + 1))
      case .history(let history):
        guard next < history.runCount else { continue }
        contents.append((content, next + 1))
        for revision in history.revisions(ofRun: next) {
          rest -= 1
          switch revision.content {
          case .snapshot(let snapshot): add(snapshot)
          // The kept items of the next newer revision are marked there.
          case .step(let packed): add(packed.step.rest)
          }
        }
      }
    }
    return max(0, contents.isEmpty ? rest : 0)
  }
}

extension IDTable {
  /// Marks an item of a snapshot.
  fileprivate mutating func mark(_ item: Int, of snapshot: Snapshot) {
    mark(snapshot.arrangement.rows[item])
    mark(template: snapshot.template(ofItem: item))
    for part in snapshot.parts(ofItem: item) ?? [] { mark(part) }
  }

  /// Marks the items of a leaf.
  fileprivate mutating func mark(_ leaf: ItemLeaf, of tree: ListTree) {
    for key in leaf.keys { mark(key) }
    guard leaf.hasDetails else { return }
    for record in leaf.records {
      mark(template: record.template)
      if record.parts > 0 { for part in tree.parts[record.parts] { mark(part) } }
    }
  }

  private mutating func mark(_ part: Part) {
    if part.key != ItemRows.whole { mark(part.key) }
    mark(template: part.template)
  }

  /// Marks a template, which is stored as its key plus one, 0 for the default template.
  private mutating func mark(template: UInt32) {
    if template > 0 { mark(template - 1) }
  }
}
