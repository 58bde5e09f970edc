/// The position of a row: the index of its section and its index in that section.
///
/// Coordinates are those of a batch update in UIKit. The operations of one ``Changes/Stage`` happen
/// at once: `at` of deletes, reloads and reconfigurations and `from` of moves are positions
/// *before* the stage; `at` of inserts and `to` of moves are positions *after* it. The next stage
/// starts from the result. Both numbers are in `0...Int(Int32.max)`.
@frozen
public struct ListPath: Hashable, Comparable, BitwiseCopyable, Sendable {
  @usableFromInline let packedSection: Int32
  @usableFromInline let packedRow: Int32

  /// The index of the section.
  @inlinable public var section: Int { Int(packedSection) }

  /// The index of the row in its section.
  @inlinable public var row: Int { Int(packedRow) }

  /// Creates the path of a row from the index of its section and its index in that section.
  ///
  /// - Precondition: Both numbers are in `0...Int(Int32.max)`.
  @inlinable public init(section: Int, row: Int) {
    packedSection = Int32(truncatingIfNeeded: section)
    packedRow = Int32(truncatingIfNeeded: row)
    // A single comparison checks both numbers against both bounds.
    precondition(UInt(bitPattern: section | row) <= UInt(Int32.max))
  }

  /// Returns whether a path precedes another, section by section.
  @inlinable public static func < (a: ListPath, b: ListPath) -> Bool {
    a.packedSection == b.packedSection
      ? a.packedRow < b.packedRow : a.packedSection < b.packedSection
  }
}

extension ListPath: CustomStringConvertible {
  /// The section and the row, for example `[2, 0]`.
  public var description: String { "[\(section), \(row)]" }
}

/// The name of ``ListPath`` inside the package.
@usableFromInline package typealias Path = ListPath
/// The name of ``Changes/Op`` inside the package.
@usableFromInline package typealias Op = Changes.Op
/// The name of ``Changes/Stage`` inside the package.
@usableFromInline package typealias Stage = Changes.Stage
/// The name of ``Changes/Counts`` inside the package.
package typealias Counts = Changes.Counts
