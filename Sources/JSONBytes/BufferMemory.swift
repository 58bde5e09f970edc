import Synchronization

/// The memory of buffers, where that of one large buffer is kept for the next one.
///
/// Messages of a client tend to be of one size, and pages that were used before need not be found and
/// cleared again.
@usableFromInline
enum BufferMemory {
  /// What is smaller, in bytes, is cheap to allocate.
  private static let large = 1 << 20

  private struct Spare: ~Copyable, @unchecked Sendable {
    var address: UnsafeMutableRawPointer?
    var size = 0

    mutating func release() {
      address?.deallocate()
      address = nil
      size = 0
    }
  }

  private static let spare = Mutex(Spare())

  /// Memory of at least `size` bytes, and how many it has.
  ///
  /// Where the memory `grows`, any that is large enough will do; else it is not much larger.
  static func allocate(_ size: Int, grows: Bool) -> (address: UnsafeMutableRawPointer, size: Int) {
    guard size >= large else { return (.allocate(byteCount: size, alignment: 16), size) }
    let reused = spare.withLock { spare -> (address: UnsafeMutableRawPointer, size: Int)? in
      guard let address = spare.address else { return nil }
      guard spare.size >= size, grows || spare.size / 2 <= size else {
        spare.release()
        return nil
      }
      let size = spare.size
      spare.address = nil
      spare.size = 0
      return (address, size)
    }
    if let reused { return reused }
    // The next message may be a little larger.
    let size = size + size / 16
    return (.allocate(byteCount: size, alignment: 16), size)
  }

  /// Takes memory back.
  static func deallocate(_ address: UnsafeMutableRawPointer, size: Int) {
    guard size >= large else { return address.deallocate() }
    spare.withLock { spare in
      guard spare.size < size else { return address.deallocate() }
      spare.release()
      spare.address = address
      spare.size = size
    }
  }
}
