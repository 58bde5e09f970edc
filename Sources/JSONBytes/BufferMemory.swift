import Synchronization

/// The memory of buffers, where that of two large buffers is kept for the next ones.
///
/// Messages of a client tend to be of one size, and so do the answers to them; pages that were used
/// before need not be found and cleared again.
@usableFromInline
enum BufferMemory {
  /// What is smaller, in bytes, is cheap to allocate.
  private static let large = 1 << 20

  private struct Spare: @unchecked Sendable {
    var address: UnsafeMutableRawPointer
    var size: Int
  }

  /// The smaller one first.
  private static let spares = Mutex<[Spare]>([])
  private static let mostSpares = 2

  /// Memory of at least `size` bytes, and how many it has.
  ///
  /// Where the memory `grows`, any that is large enough will do; else it is not much larger.
  static func allocate(_ size: Int, grows: Bool) -> (address: UnsafeMutableRawPointer, size: Int) {
    guard size >= large else { return (.allocate(byteCount: size, alignment: 16), size) }
    let reused = spares.withLock { spares -> Spare? in
      guard let place = spares.firstIndex(where: { $0.size >= size }) else {
        // They would be too small for the next ones, too.
        if let spare = spares.popLast() { spare.address.deallocate() }
        return nil
      }
      guard grows || spares[place].size / 2 <= size else {
        spares.remove(at: place).address.deallocate()
        return nil
      }
      return spares.remove(at: place)
    }
    if let reused { return (reused.address, reused.size) }
    // The next message may be a little larger.
    let size = size + size / 16
    return (.allocate(byteCount: size, alignment: 16), size)
  }

  /// Takes memory back.
  static func deallocate(_ address: UnsafeMutableRawPointer, size: Int) {
    guard size >= large else { return address.deallocate() }
    spares.withLock { spares in
      spares.insert(
        Spare(address: address, size: size),
        at: spares.firstIndex { $0.size >= size } ?? spares.count)
      if spares.count > mostSpares { spares.removeFirst().address.deallocate() }
    }
  }
}
