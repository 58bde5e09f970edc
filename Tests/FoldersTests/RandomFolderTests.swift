import Testing

@testable import listd_fuzz

/// Random changes of a folder, compared with a plain implementation.
@Suite struct RandomFolderTests {
  @Test(arguments: 0..<64 as Range<UInt64>)
  func randomChanges(_ seed: UInt64) {
    var random = SplitMix(state: seed)
    for _ in 0..<30 {
      // Small numbers are the first folders and names, which meet more often.
      let limits = (0..<4).map { _ in [4, 20, 33, 256][random.next(below: 4)] }
      let bytes = (0..<(20 + random.next(below: 200))).map { _ in
        UInt8(random.next(below: limits[random.next(below: 4)]))
      }
      bytes.withUnsafeBytes { FoldersTarget.run($0) }
    }
  }
}
