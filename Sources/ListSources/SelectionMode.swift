/// How many items of a section can be selected.
///
/// A section that must not be empty has a selected item as long as it has items: if an action, an edit
/// or a new list would leave none, the item that was chosen last stays selected, or else the initial
/// choice, or else the first item.
public enum SelectionMode: Hashable, Sendable, Codable {
  /// No item can be selected.
  case disabled
  /// At most one item can be selected, as with radio buttons.
  case single(allowsEmpty: Bool)
  /// Up to `maximum` items can be selected, as with check boxes.
  ///
  /// If more are, those that were chosen last are deselected.
  case multiple(allowsEmpty: Bool, maximum: Int)

  /// At most one item can be selected, and it can be deselected.
  public static var single: SelectionMode { .single(allowsEmpty: true) }

  /// Any items can be selected.
  public static var multiple: SelectionMode { .multiple(maximum: .max) }

  /// Up to `maximum` items can be selected.
  public static func multiple(maximum: Int) -> SelectionMode {
    .multiple(allowsEmpty: true, maximum: maximum)
  }

  /// Whether the section may have no selected item.
  var allowsEmpty: Bool {
    switch self {
    case .disabled: true
    case .single(let allowsEmpty): allowsEmpty
    case .multiple(let allowsEmpty, let maximum): allowsEmpty || maximum < 1
    }
  }
}
