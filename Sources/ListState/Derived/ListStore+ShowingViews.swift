import ByteBuffers
import ListDiff

extension ListStore {
  /// Returns some of a view's items, in the order and the sections of the view, as a snapshot.
  ///
  /// The texts of a window are copied, so that it does not keep the texts of all other items alive; the
  /// other texts are those of the sources. If `isStopped`, returns any snapshot.
  ///
  /// - Complexity: O(*k* + *s*), where *k* is the number of these items and *s* that of sections.
  mutating func snapshot(
    of items: Range<Int>, _ arrangement: ViewArrangement, from source: Snapshot,
    hidesEmptySections: Bool, _ texts: ShownTexts, isStopped: () -> Bool = { false }
  ) -> Snapshot {
    var builder = SnapshotBuilder(buffers: source.buffers)
    builder.reserve(about: items.count)
    // The number of items and sections since the last call of `isStopped`.
    var added = 0
    for (index, section) in arrangement.sections.enumerated() {
      let range = Int(arrangement.starts[index])..<Int(arrangement.starts[index + 1])
      let shown = range.clamped(to: items)
      if shown.isEmpty, hidesEmptySections { continue }
      begin(section, of: arrangement, source, &builder)
      var rest = shown
      repeat {
        let some = rest.prefix(Self.itemsBetweenChecks)
        rest = some.upperBound..<rest.upperBound
        added += some.count + 1
        if added > Self.itemsBetweenChecks {
          if isStopped() { return source }
          added = 0
        }
        builder.addItems(arrangement.items(in: some), of: source, withTexts: texts != .omitted)
      } while !rest.isEmpty
    }
    if !arrangement.texts.isEmpty {
      builder.addBuffer(arrangement.texts.withUnsafeBytes { SharedBytes(copying: $0) })
    }
    builder.finish(
      using: &keyIndices, mayRepeat: texts == .shared || source.arrangement.hasRepeats,
      isStopped: isStopped)
    if isStopped() { return source }
    if texts == .copied { builder.copyTexts() } else { builder.dropUnusedBuffers() }
    return builder.snapshot
  }

  /// What the snapshot of a view has of the texts of its sources.
  enum ShownTexts { case shared, copied, omitted }

  /// The number of items and sections that are added before `isStopped` is called again.
  private static let itemsBetweenChecks = 1 << 12

  /// Begins a section of a view. The texts of the view's own sections are in the buffer after those
  /// of the sources.
  mutating func begin(
    _ section: ViewArrangement.Origin, of arrangement: ViewArrangement, _ source: Snapshot,
    _ builder: inout SnapshotBuilder
  ) {
    switch section {
    case .source(let index):
      builder.beginSection(source.arrangement.sections[index], source.sections[index])
    case .own(let kind, let id, let members):
      var traits = SectionTraits(
        own: Payload(
          start: members.lowerBound, length: members.count, buffer: source.buffers.count))
      traits.selectionMode = arrangement.selectionMode
      traits.allowsEmptySelection = arrangement.allowsEmptySelection
      let key = arrangement.texts.withUnsafeBytes {
        ids.intern(kind, UnsafeRawBufferPointer(rebasing: $0[id]))
      }
      builder.beginSection(key, traits)
    }
  }

  /// Evaluates a composite or a view anew. Returns its snapshot and, for a view, its numbers.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of items and sections.
  package mutating func composedAnew(
    _ list: NamedList
  ) -> (snapshot: Snapshot, numbers: ViewNumbers?) {
    guard let view = list.view else { return (composed(list), nil) }
    var made = list
    let evaluated = evaluatedAnew(list, view.rules, list.sourceStates)
    _ = setTrees(of: &made, evaluated, anchor: (view.anchorItem, nil), SourceMarks())
    return (made.shownItems, made.viewNumbers)
  }

  /// Evaluates the definition of a view with the items of its sources.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of items.
  mutating func evaluatedAnew(
    _ list: NamedList, _ rules: any ViewRules, _ states: [Int: ExpansionState]
  ) -> EvaluatedView {
    var sources = ViewSources(viewItems(of: list))
    _ = link(&sources.items, rules) { false }
    return evaluate(rules, sources, states)!
  }

  /// Returns the items of a view's sources, in order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items and sections.
  mutating func viewItems(of list: NamedList, isStopped: () -> Bool = { false }) -> ViewItems {
    var starts: [Int] = []
    var count = 0
    for source in list.sources ?? [] {
      starts.append(count)
      count += lists[source]?.itemCount ?? 0
    }
    return ViewItems(composed(list, isStopped: isStopped), sourceStarts: starts)
  }
}
