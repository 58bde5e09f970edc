/// Says of each key where it was seen last, without being cleared from one use to the next.
///
/// What is said of a key may come from another list: whoever asks compares the key that stands
/// there.
package struct KeyPlaces: Sendable {
  private var places: [Int32] = []

  /// How many columns were noted, which tells the one that was noted last from others.
  package private(set) var columns = 0

  package init() {}

  /// Notes the keys of a column from an index on; `again` is told the first index and the present
  /// one of each that occurred before among them.
  ///
  /// - Complexity: O(*n*), where *n* is the number of keys.
  package mutating func note(
    _ keys: [UInt32], from start: Int = 0, again: (Int, Int) -> Void
  ) {
    reserve(keys[start...])
    columns += 1
    Self.note(keys.span, from: start, in: &places, again)
  }

  /// Where a key stands in a column that was noted, unless another column had it since; nil where it
  /// does not stand there.
  package func place(of key: UInt32, in keys: [UInt32]) -> Int? {
    guard Int(key) < places.count else { return nil }
    let place = Int(places[Int(key)])
    return place < keys.count && keys[place] == key ? place : nil
  }

  /// Appends for each key a place below `count` where it may stand, or -1.
  func guess(_ keys: [UInt32], below count: Int, into guesses: inout [Int32]) {
    let places = places.span
    guesses.append(addingCapacity: keys.count) { guesses in
      for key in keys {
        let place = Int(key) < places.count ? places[Int(key)] : -1
        guesses.append(Int(place) < count ? place : -1)
      }
    }
  }

  /// Whether a column, by its number, is the one that was noted last.
  func hasNotedLast(_ column: Int) -> Bool { column == columns && column > 0 }

  private static func note(
    _ keys: Span<UInt32>, from start: Int, in places: inout [Int32],
    _ again: (Int, Int) -> Void
  ) {
    var places = places.mutableSpan
    for index in start..<keys.count {
      let key = keys[index]
      let place = Int(places[Int(key)])
      // A place left by another column is not before this one and of the same key by chance.
      if place < index, place >= start, keys[place] == key {
        again(place, index)
      } else {
        places[Int(key)] = Int32(truncatingIfNeeded: index)
      }
    }
  }

  private mutating func reserve(_ keys: ArraySlice<UInt32>) {
    var largest: UInt32 = 0
    for key in keys { largest = max(largest, key) }
    guard Int(largest) >= places.count else { return }
    // A few more keys come with every change; left to itself, the array would double its memory.
    let count = Int(largest) + 1 + Int(largest) / 16
    places.reserveCapacity(count)
    places.append(contentsOf: repeatElement(0, count: count - places.count))
  }
}
