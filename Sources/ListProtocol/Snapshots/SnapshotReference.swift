import ByteBuffers
import ListState

/// A snapshot that a request contains or references, with its revision if it is a list's.
struct ReferencedSnapshot {
  var snapshot: Snapshot
  var revision: Int?
  var isComposite = false

  /// The list of the snapshot.
  var list: [UInt8]?

  /// The duplicates of a snapshot that the request contains.
  var duplicates: [Duplicate] = []

  /// Returns the list that this or the other snapshot is of, if there is exactly one.
  func onlyList(with other: ReferencedSnapshot) -> [UInt8]? {
    guard let list, let others = other.list else { return list ?? other.list }
    return list == others ? list : nil
  }
}

/// A snapshot that a request contains, or a state of a list that it references.
enum SnapshotReference {
  case given(ReferencedSnapshot)
  case state(ReferencedState)

  /// The state, if it is of a list.
  var state: ReferencedState? {
    if case .state(let state) = self { state } else { nil }
  }
}

/// A state of a list that a request references.
struct ReferencedState {
  let list: [UInt8]

  /// The revision; `nil` for the current one.
  let revision: Int?

  /// The edits, as they are in the request and as they were read.
  var edits: (value: Value, edits: Edits)?
}

extension ListService {
  /// Reads `{sections}`, `{items}` or `{list, revision?, edits?}`. The caller rejects duplicates.
  mutating func reference(_ value: Value) throws(Failure) -> SnapshotReference {
    let params = try Params(value, known: [.sections, .items, .list, .revision, .edits])
    try params.requireOne(
      of: .sections, .items, .list, expected: "exactly one of sections, items and list")
    guard let name = params[.list] else {
      if let other = params[.revision] ?? params[.edits] {
        throw other.failure(expected: "a \"list\" beside it")
      }
      var duplicates: [Duplicate] = []
      let reader = SnapshotReader(value.message, itemKey: context.itemKey)
      let snapshot = try reader.read(
        sections: params[.sections], items: params[.items], &store, &duplicates)
      return .given(ReferencedSnapshot(snapshot: snapshot, duplicates: duplicates))
    }
    let bytes = try name.requireString()
    let revision = try params[.revision]?.requireCount()
    // Every list was empty at revision 0.
    guard revision == 0 || store.contains(bytes) else {
      throw failure(.listNotFound(bytes))
    }
    var state = ReferencedState(list: bytes, revision: revision)
    if let value = params[.edits] {
      state.edits = (value, try readEdits(value, of: bytes))
    }
    return .state(state)
  }

  /// Returns a referenced snapshot.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  mutating func snapshot(
    of reference: SnapshotReference
  ) throws(Failure) -> ReferencedSnapshot {
    guard case .state(let state) = reference else {
      guard case .given(let given) = reference else { preconditionFailure("one of two cases") }
      return given
    }
    let (bytes, revision) = (state.list, state.revision)
    var found: ReferencedSnapshot
    let list: NamedList
    do {
      list = try revision == 0 ? store.listOrNew(bytes) : store.list(bytes)
      found = ReferencedSnapshot(
        snapshot: try list.snapshot(of: revision, isStopped: store.isCancelled),
        revision: revision ?? list.revision,
        isComposite: list.sources != nil && revision != 0, list: revision == 0 ? nil : bytes)
    } catch { throw failure(error) }
    guard let (value, edits) = state.edits else { return found }
    do throws(ListFailure) {
      if let sources = list.sources { throw .readOnly(bytes, sources: sources) }
      found.snapshot = try store.edited(found.snapshot, of: list, edits)
    } catch { throw try failure(error, ofEdits: value, of: bytes) }
    found.revision = nil
    return found
  }

  /// Returns two snapshots to compare. If they are of different lists, the items of a composite have
  /// the identifiers that they have in its sources.
  ///
  /// - Throws: -31004 with all duplicates of both.
  mutating func snapshots(
    _ from: SnapshotReference, _ to: SnapshotReference
  ) throws(Failure) -> (from: ReferencedSnapshot, to: ReferencedSnapshot) {
    var old = try snapshot(of: from)
    var new = try snapshot(of: to)
    let duplicates = old.duplicates + new.duplicates
    guard duplicates.isEmpty else { throw .duplicates(duplicates, store.ids) }
    if old.list != new.list {
      if old.isComposite { old.snapshot = store.ordinary(old.snapshot).snapshot }
      if new.isComposite { new.snapshot = store.ordinary(new.snapshot).snapshot }
    }
    return (old, new)
  }

  /// Returns the referenced snapshot, whose reference is at `pointer`, for an ordinary list. The items
  /// of a composite have the identifiers that they have in its sources.
  ///
  /// - Throws: -31004 if an identifier is duplicate, also because two sources have it.
  mutating func ordinarySnapshot(
    of reference: SnapshotReference, at pointer: String
  ) throws(Failure) -> Snapshot {
    let reference = try snapshot(of: reference)
    guard reference.duplicates.isEmpty else { throw .duplicates(reference.duplicates, store.ids) }
    guard reference.isComposite else { return reference.snapshot }
    let (snapshot, hasDuplicates) = store.ordinary(reference.snapshot.withoutOutlineRows)
    if hasDuplicates {
      throw .duplicates(snapshot.duplicates(copiedBy: pointer), store.ids)
    }
    return snapshot
  }
}

extension Snapshot {
  /// Returns the same items without the members of rows of outlines.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items; if there are rows of outlines, the
  ///   size of all texts.
  fileprivate var withoutOutlineRows: Snapshot {
    guard payloads.contains(where: { bytes(of: $0).hasOutlineRow }) else { return self }
    return replacingTexts { item in
      let text = bytes(of: payloads[item])
      return text.hasOutlineRow
        ? text.withoutOutlineRow(isBare: !traits[item].contains(.hasExplicitID)) : Array(text)
    }
  }
}
