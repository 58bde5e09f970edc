/// Returns the indices of an increasing subsequence of the greatest weight. The values must be
/// distinct and below `universe`.
///
/// - Complexity: O(*k* log *k* + `universe`), where *k* is the number of values.
package func heaviestIncreasing(
  _ values: [Int32], weights: [Int], universe: Int
) -> [Int] {
  var increasing = IncreasingSubsequence()
  let numbers = zip(values, weights).map {
    WeightedNumber(number: $0, weight: KeepingWeight(count: $1))
  }
  increasing.chooseHeaviest(of: numbers, universe: universe)
  return values.indices.filter { increasing.hasChosen($0) }
}
