// The parts of UIKit that the adapters and the screens of Run use, as its documentation describes them.
@_exported import Foundation

extension IndexPath {
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  public var section: Int { self[0] }
  public var row: Int { self[1] }
  public var item: Int { self[1] }
}

/// What UIKit raises as exceptions.
@MainActor public enum Exceptions {
  public static var raised: [String] = []
}

@MainActor open class UIView {
  /// What the view shows.
  public var text = ""

  public init() {}
}

@MainActor public final class UILabel {
  public var text: String?

  public init() {}
}

@MainActor public final class UIWindow {
  public init() {}
}

@MainActor open class UIScrollView: UIView {
  public var window: UIWindow?
}
