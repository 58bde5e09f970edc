/// The place of a row: the index of its section and its index in that section.
///
/// Coordinates are as in a batch update of UIKit. The operations of one ``Changes/Stage`` happen at
/// once: where something is taken from is a place *before* the stage (`at` of delete, reload and
/// reconfigure, `from` of move), where something is put is a place *after* it (`at` of insert, `to`
/// of move). The next stage starts from the result. Both numbers are in `0...Int(Int32.max)`.
@frozen
public struct ListPath: Hashable, Comparable, BitwiseCopyable, Sendable {
  @usableFromInline let packedSection: Int32
  @usableFromInline let packedRow: Int32

  /// The index of the section.
  @inlinable public var section: Int { Int(packedSection) }

  /// The index of the row in its section.
  @inlinable public var row: Int { Int(packedRow) }

  /// Makes the place of a row by the index of its section and its index in that section.
  ///
  /// - Precondition: Neither is negative or above `Int32.max`.
  @inlinable public init(section: Int, row: Int) {
    packedSection = Int32(truncatingIfNeeded: section)
    packedRow = Int32(truncatingIfNeeded: row)
    // One comparison for both and for both ends.
    precondition(UInt(bitPattern: section | row) <= UInt(Int32.max))
  }

  /// Whether a place comes before another, section by section.
  @inlinable public static func < (a: ListPath, b: ListPath) -> Bool {
    a.packedSection == b.packedSection
      ? a.packedRow < b.packedRow : a.packedSection < b.packedSection
  }
}

extension ListPath: CustomStringConvertible {
  /// The section and the row, as in `[2, 0]`.
  public var description: String { "[\(section), \(row)]" }
}

/// A short name, inside the package.
package typealias Path = ListPath
/// A short name, inside the package.
package typealias Op = Changes.Op
/// A short name, inside the package.
package typealias Stage = Changes.Stage
/// A short name, inside the package.
package typealias Counts = Changes.Counts
/// A short name, inside the package.
package typealias Step<Data> = Changes.Step<Data>
