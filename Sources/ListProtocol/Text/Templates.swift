import ListText

/// The registered templates by name, of all lists and of single lists.
///
/// What the current request replaces is recorded, so that it can be undone and written to the journal
/// without a copy of all templates.
struct Templates {
  /// A template and its source as it was written.
  struct Entry {
    let template: Template
    fileprivate let source: [UInt8]

    /// Reads a template.
    ///
    /// - Throws: `TemplateError` if its source cannot be read.
    init(_ source: [UInt8]) throws(TemplateError) {
      template = try Template(source)
      self.source = source
    }
  }

  /// The name of a template, and the list that it is for; `nil` for all.
  private struct Place: Hashable {
    var list: [UInt8]?
    var name: [UInt8]
  }

  /// The templates of each list; under `nil`, those of all lists.
  private var entries: [[UInt8]?: [[UInt8]: Entry]] = [:]

  /// What was at each place before the request.
  private var replaced: [Place: Entry?] = [:]

  /// Returns the template that was registered for a list, or else for all.
  func template(_ name: [UInt8], of list: [UInt8]?) -> Template? {
    (list.flatMap { entries[$0]?[name] } ?? entries[nil]?[name])?.template
  }

  /// Registers a template under a name, for all lists or for one.
  mutating func register(_ entry: Entry, as name: [UInt8], for list: [UInt8]? = nil) {
    set(entry, Place(list: list, name: name))
  }

  /// Removes the templates of a list.
  mutating func removeAll(of list: [UInt8]) {
    for name in (entries[list] ?? [:]).keys { set(nil, Place(list: list, name: name)) }
  }

  private mutating func set(_ entry: Entry?, _ place: Place) {
    let before = put(entry, place)
    if replaced[place] == nil { replaced[place] = .some(before) }
  }

  /// Replaces the template at a place. Returns the one before.
  private mutating func put(_ entry: Entry?, _ place: Place) -> Entry? {
    // Without a copy of the other templates.
    var own = entries.removeValue(forKey: place.list) ?? [:]
    let before = own[place.name]
    own[place.name] = entry
    if !own.isEmpty { entries[place.list] = own }
    return before
  }

  // MARK: Requests

  /// Begins a request.
  mutating func begin() {
    if !replaced.isEmpty { replaced = [:] }
  }

  /// Restores the templates before the request.
  mutating func undo() {
    for (place, entry) in replaced { _ = put(entry, place) }
    replaced = [:]
  }

  /// Whether the request has registered or removed any template.
  var isChanged: Bool { replaced.contains { source(at: $0.key) != $0.value?.source } }

  /// The sources of the templates that the request has registered, by list; under `nil`, those of all
  /// lists.
  var changed: [[UInt8]?: [[UInt8]: [UInt8]]] {
    var changed: [[UInt8]?: [[UInt8]: [UInt8]]] = [:]
    for (place, before) in replaced {
      guard let source = source(at: place), source != before?.source else { continue }
      changed[place.list, default: [:]][place.name] = source
    }
    return changed
  }

  /// The sources of all templates, by list; under `nil`, those of all lists.
  var all: [[UInt8]?: [[UInt8]: [UInt8]]] { entries.mapValues { $0.mapValues { $0.source } } }

  private func source(at place: Place) -> [UInt8]? { entries[place.list]?[place.name]?.source }
}
