import JSONBytes

/// The cancellations that stand in frames which were read and not answered yet.
///
/// Frames have ascending numbers. A cancellation is for the frames before its own, and is forgotten
/// when its own frame is taken, whether or not it has cancelled anything.
package struct PendingCancellations: Sendable {
  /// In the order of their frames; those before `next` are forgotten.
  private var queue: [(frame: Int, key: [UInt8])] = []
  private var next = 0

  /// By id the last frame that cancels it.
  private var frames: [[UInt8]: Int] = [:]

  /// By subject the requests of the last frame that has any with `latest: true`.
  private var latest: [[UInt8]: (frame: Int, ids: [SharedBytes])] = [:]

  package init() {}

  package var isEmpty: Bool { next == queue.count }

  /// Notes the ids that a frame cancels; no frame with a larger number was noted before.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes of the ids.
  package mutating func note(_ ids: [SharedBytes], inFrame frame: Int) {
    for id in ids {
      let key = id.withBytes { Cancellation.key(of: $0) }
      queue.append((frame, key))
      frames[key] = frame
    }
  }

  /// Notes the requests of a frame that have `latest: true`: they cancel those of earlier frames that are
  /// about the same and have not been forgotten. No frame with a larger number was noted before.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes of the subjects and ids.
  package mutating func note(_ requests: [Superseding.Request], inFrame frame: Int) {
    for request in requests {
      if let earlier = latest[request.subject] {
        if earlier.frame == frame {
          latest[request.subject]!.ids.append(request.id)
          continue
        }
        note(earlier.ids, inFrame: frame)
      }
      latest[request.subject] = (frame, [request.id])
    }
  }

  /// Forgets what stands in the frames up to one, which is being answered, and what it could cancel in
  /// the frames before.
  ///
  /// - Complexity: O(1) for each cancellation that was noted.
  package mutating func forget(upToFrame frame: Int) {
    while next < queue.count, queue[next].frame <= frame {
      let key = queue[next].key
      if frames[key] == queue[next].frame { frames[key] = nil }
      next += 1
    }
    // Half of the queue pays for moving the other half.
    if next * 2 >= queue.count {
      queue.removeFirst(next)
      next = 0
    }
    if !latest.isEmpty { latest = latest.filter { $0.value.frame >= frame } }
  }

  /// Whether an id is cancelled in a frame that was not forgotten.
  ///
  /// - Complexity: O(*b*), where *b* is the number of its bytes; O(1) if nothing is pending.
  package func contains(_ id: UnsafeRawBufferPointer) -> Bool {
    !isEmpty && frames[Cancellation.key(of: id)] != nil
  }
}
