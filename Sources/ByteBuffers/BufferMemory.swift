import Synchronization

/// Allocates buffers and keeps up to two large freed allocations for reuse.
///
/// A client's messages tend to be of similar size, and so do the replies to them. Reused pages need
/// not be mapped and cleared again.
@usableFromInline
enum BufferMemory {
  /// The size, in bytes, from which on allocations are kept for reuse.
  private static let large = 1 << 20

  private struct Spare: @unchecked Sendable {
    var address: UnsafeMutableRawPointer
    var size: Int
  }

  /// The smaller one first.
  private static let spares = Mutex<[Spare]>([])
  private static let mostSpares = 2

  /// The address of buffers without memory: only padding, which is read but never written.
  static var empty: UnsafeMutableRawPointer { UnsafeMutableRawPointer(mutating: zeros.utf8Start) }

  /// As many zeros as the padding has. The literal needs no initialization in the program.
  private static let zeros: StaticString = """
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
    """

  /// The alignment of allocations. Their bytes are read and written at any offset, and a larger
  /// alignment would need a slower allocator.
  private static let alignment = 1

  /// Returns memory of at least `size` bytes, and its actual size.
  ///
  /// If the buffer `grows`, any larger allocation may be returned; otherwise one of less than about
  /// twice the size.
  static func allocate(_ size: Int, grows: Bool) -> (address: UnsafeMutableRawPointer, size: Int) {
    guard size >= large else { return (.allocate(byteCount: size, alignment: alignment), size) }
    let reused = spares.withLock { spares -> Spare? in
      guard let index = spares.firstIndex(where: { $0.size >= size }) else {
        // The spare allocations would be too small for the next requests, too.
        if let spare = spares.popLast() { spare.address.deallocate() }
        return nil
      }
      guard grows || spares[index].size / 2 <= size else {
        spares.remove(at: index).address.deallocate()
        return nil
      }
      return spares.remove(at: index)
    }
    if let reused { return (reused.address, reused.size) }
    // The next message may be slightly larger.
    let size = size + size / 16
    return (.allocate(byteCount: size, alignment: alignment), size)
  }

  /// Returns memory to the allocator.
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
