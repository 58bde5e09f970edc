// The parts of AppKit that the adapters use, as declared in its documentation.
@_exported import Foundation

@MainActor open class NSWindow {}

@MainActor open class NSTableView {
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let effectFade = AnimationOptions(rawValue: 1)
  }
  public var window: NSWindow?
  public var numberOfColumns: Int { 1 }
  open func reloadData() {}
  open func beginUpdates() {}
  open func endUpdates() {}
  open func insertRows(at indexes: IndexSet, withAnimation options: AnimationOptions = []) {}
  open func removeRows(at indexes: IndexSet, withAnimation options: AnimationOptions = []) {}
  open func moveRow(at oldIndex: Int, to newIndex: Int) {}
  open func reloadData(forRowIndexes rows: IndexSet, columnIndexes columns: IndexSet) {}
}
