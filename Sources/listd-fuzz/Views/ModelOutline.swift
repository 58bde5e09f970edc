/// The rows of a view as a tree, by plain searches.
struct ModelOutline {
  private let rows: [ModelViews.Row]
  private var kept: Set<ModelViews.Name> = []
  private let definition: ModelViews.Definition
  private let states: [ModelViews.Name: Bool]

  /// The names that are their own ancestors.
  private var cyclic: Set<ModelViews.Name> = []

  /// The ancestors of the items that match, if there is a query.
  private var forced: Set<ModelViews.Name> = []

  /// The items of a view's sources, of which some are kept for themselves.
  init(
    _ rows: [ModelViews.Row], _ matched: [ModelViews.Row], _ definition: ModelViews.Definition,
    _ states: [ModelViews.Name: Bool]
  ) {
    self.definition = definition
    self.states = states
    self.rows = ModelViews.sorted(rows, definition)
    var cyclic: Set<ModelViews.Name> = []
    for row in rows {
      var next = parent(of: row.name)
      for _ in rows.indices where next != row.name { next = next.flatMap(parent(of:)) }
      if next == row.name { cyclic.insert(row.name) }
    }
    self.cyclic = cyclic
    kept = Set(matched.map(\.name))
    for row in matched {
      kept.formUnion(ancestors(of: row.name))
      if definition.hasMatch { forced.formUnion(ancestors(of: row.name)) }
    }
  }

  /// The rows that are shown, in sections.
  func sections(_ base: [ModelViews.Section]) -> [ModelViews.Section] {
    let roots = rows.filter { kept.contains($0.name) && parent(of: $0.name) == nil }
    let sections = ModelViews.divided(roots, base, definition).map { section in
      ModelViews.Section(own: section.own, rows: section.rows.flatMap(below))
    }
    return ModelViews.describe(sections, definition)
  }

  /// The items of the tree, and whether each has children.
  var members: [(name: ModelViews.Name, isBranch: Bool)] {
    rows.filter { kept.contains($0.name) }.map { ($0.name, !children(of: $0.name).isEmpty) }
  }

  /// From the parent up to the root.
  func ancestors(of name: ModelViews.Name) -> [ModelViews.Name] {
    var found: [ModelViews.Name] = []
    while let next = parent(of: found.last ?? name) { found.append(next) }
    return found
  }

  private func parent(of name: ModelViews.Name) -> ModelViews.Name? {
    guard !cyclic.contains(name), let id = rows.first(where: { $0.name == name })?.item.parent
    else { return nil }
    let parent = ModelViews.Name(list: name.list, id: id)
    return rows.contains { $0.name == parent } ? parent : nil
  }

  private func children(of name: ModelViews.Name) -> [ModelViews.Row] {
    rows.filter { kept.contains($0.name) && parent(of: $0.name) == name }
  }

  private func isExpanded(_ name: ModelViews.Name) -> Bool {
    forced.contains(name) || states[name] ?? (ancestors(of: name).count < definition.openLevels!)
  }

  /// A row and those that are shown below it.
  private func below(_ row: ModelViews.Row) -> [ModelViews.Row] {
    let children = self.children(of: row.name)
    let isExpanded = self.isExpanded(row.name)
    var shown = row
    shown.text = String(decoding: row.item.text.utf8.dropLast(), as: UTF8.self)
    shown.text += ",\"$level\":\(ancestors(of: row.name).count),\"$children\":\(children.count)"
    if !children.isEmpty { shown.text += ",\"$expanded\":\(isExpanded)" }
    shown.text += "}"
    return [shown] + (isExpanded ? children.flatMap(below) : [])
  }
}
