import ListDiff
import Testing

@Suite struct PathTests {
  @Test func pathsMustBeInRange() async {
    await #expect(processExitsWith: .failure) { _ = Path(section: 0, row: -1) }
    await #expect(processExitsWith: .failure) { _ = Path(section: -1, row: 0) }
    await #expect(processExitsWith: .failure) { _ = Path(section: 1 << 31, row: 0) }
    let last = Path(section: 1 << 31 - 1, row: 1 << 31 - 1)
    #expect(last.section == 1 << 31 - 1 && last.row == 1 << 31 - 1)
  }
}
