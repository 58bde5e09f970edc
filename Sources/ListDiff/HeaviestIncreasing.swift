/// The indices of an increasing subsequence of the greatest weight; the values differ.
///
/// - Complexity: O(*k* log *k*), where *k* is the number of values.
package func heaviestIncreasing(_ values: [Int32], weights: [Int]) -> [Int] {
  var increasing = IncreasingSubsequence()
  increasing.chooseHeaviest(of: values, weights: weights)
  return increasing.chosen.reversed().map(Int.init)
}
