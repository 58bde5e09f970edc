#if canImport(Observation)
  import ListDiff
  import ListSources
  import Observation

  /// A list for SwiftUI: the sections of a source, as a collection whose readers are notified.
  ///
  /// ```swift
  /// let people = ObservedList(source)
  /// ```
  ///
  /// A view that reads the collection or the selection is evaluated again when they change, once for
  /// all edits of a turn:
  ///
  /// ```
  /// List(selection: $people.selection) {
  ///   ForEach(people) { group in
  ///     Section(group.header ?? "") { ForEach(group.items) { Text($0.name) } }
  ///   }
  /// }
  /// ```
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @MainActor
  public final class ObservedList<Source: PresentedSource>: Observable {
    /// The type of the elements.
    public typealias Section = Source.Section

    /// Shows the source to the readers.
    public let presenter: ListPresenter<Source, ObservedDisplay>

    private let registrar = ObservationRegistrar()

    /// Creates a list that follows a source from now on.
    ///
    /// - Complexity: O(*n*).
    @_alwaysEmitIntoClient
    public convenience init(_ source: Source) {
      self.init(ListPresenter(source, display: ObservedDisplay()))
    }

    @usableFromInline init(_ presenter: ListPresenter<Source, ObservedDisplay>) {
      self.presenter = presenter
      presenter.update()
      presenter.display.whenChanged = { [weak self] in self?.notify() }
    }

    /// The sections with their items.
    public var sections: [Section] {
      registrar.access(self, keyPath: \.sections)
      return presenter.sections
    }

    /// The ids of the selected items.
    ///
    /// What the rules of the source do not allow to be selected is not in the set after it was set.
    ///
    /// - Complexity: O(*k*) to read it, where *k* is the number of selected items; O(*n*) to set it.
    public var selection: Set<Section.Item.ID> {
      get {
        registrar.access(self, keyPath: \.selection)
        return Set(presenter.selectedPaths.compactMap { presenter.item(at: $0)?.id })
      }
      set {
        var paths: [ListPath] = []
        for (section, group) in presenter.sections.enumerated() {
          for (row, item) in group.items.enumerated() where newValue.contains(item.id) {
            paths.append(ListPath(section: section, row: row))
          }
        }
        presenter.choose(paths, .replace)
        // A view that has set what is not selected shows it until it reads the selection again.
        notify()
      }
    }

    private func notify() {
      registrar.withMutation(of: self, keyPath: \.sections) {}
      registrar.withMutation(of: self, keyPath: \.selection) {}
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  extension ObservedList: @MainActor RandomAccessCollection {
    /// 0, the index of the first section.
    public var startIndex: Int { 0 }

    /// The number of sections.
    public var endIndex: Int { sections.count }

    /// Returns a section.
    public subscript(index: Int) -> Section { sections[index] }
  }

  /// Shows a list by calling a closure when it has changed.
  @MainActor
  public final class ObservedDisplay: ListDisplay {
    @usableFromInline init() {}

    /// The list that is shown.
    public weak var list: (any PresentedList)?

    /// False: only the last list of a change is shown.
    public var showsStages: Bool { false }

    var whenChanged: () -> Void = {}

    /// Returns true: views are made anew from items.
    public func canReuseView(of item: Any, for updated: Any) -> Bool { true }

    /// Does nothing: the selection is shown after each change.
    public func reload() {}

    /// Sets the list.
    public func show(_ stage: Changes.Stage, setList: @escaping () -> Void) { setList() }

    /// Calls the closure.
    public func showSelection(revealsCursor: Bool) { whenChanged() }
  }
#endif
