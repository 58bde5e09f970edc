/// The indices of an increasing subsequence of the greatest weight; the values differ and are below
/// `universe`.
///
/// - Complexity: O(*k* log *k*), where *k* is the number of values, and O(`universe`).
package func heaviestIncreasing(
  _ values: [Int32], weights: [Int], universe: Int
) -> [Int] {
  var increasing = IncreasingSubsequence()
  increasing.chooseHeaviest(
    of: values, weights: weights.map { KeepingWeight(count: $0) }, universe: universe)
  return increasing.chosen.reversed().map { Int($0) }
}
