import ByteBuffers

/// The cancellations in frames that were read and not answered yet.
///
/// Frames have ascending numbers. A cancellation applies to the frames before its own. It is
/// forgotten when its own frame is taken, whether or not it has cancelled anything.
package struct PendingCancellations: Sendable {
  /// The cancellations in the order of their frames. Those before `next` are forgotten.
  private var queue: [(frame: Int, key: [UInt8])] = []
  private var next = 0

  /// The last frame that cancels an id.
  private var frames: [[UInt8]: Int] = [:]

  /// The requests with `latest: true` of the last frame that has any, by subject.
  private var latest: [[UInt8]: (frame: Int, ids: [SharedBytes])] = [:]

  package init() {}

  package var isEmpty: Bool { next == queue.count }

  /// Records the ids that a frame cancels. No frame with a larger number was recorded before.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes of the ids.
  package mutating func record(_ ids: [SharedBytes], inFrame frame: Int) {
    for id in ids {
      let key = id.withBytes { Cancellation.key(of: $0) }
      queue.append((frame, key))
      frames[key] = frame
    }
  }

  /// Records the requests with `latest: true` of a frame. They cancel those with the same subject
  /// in earlier frames that were not forgotten. No frame with a larger number was recorded before.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes of the subjects and ids.
  package mutating func record(_ requests: [Superseding.Request], inFrame frame: Int) {
    for request in requests {
      if let earlier = latest[request.subject] {
        if earlier.frame == frame {
          latest[request.subject]!.ids.append(request.id)
          continue
        }
        record(earlier.ids, inFrame: frame)
      }
      latest[request.subject] = (frame, [request.id])
    }
  }

  /// Forgets the cancellations in the frames up to `frame`, which is being answered.
  ///
  /// - Complexity: O(1) amortized for each recorded cancellation.
  package mutating func forget(upToFrame frame: Int) {
    while next < queue.count, queue[next].frame <= frame {
      let key = queue[next].key
      if frames[key] == queue[next].frame { frames[key] = nil }
      next += 1
    }
    // Removing half of the queue pays for moving the other half.
    if next > 0, next * 2 >= queue.count {
      queue.removeFirst(next)
      next = 0
    }
    if !latest.isEmpty { latest = latest.filter { $0.value.frame >= frame } }
  }

  /// Reports whether an id is cancelled by a frame that was not forgotten.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes of the id; O(1) if nothing is pending.
  package func contains(_ id: UnsafeRawBufferPointer) -> Bool {
    !isEmpty && frames[Cancellation.key(of: id)] != nil
  }
}
