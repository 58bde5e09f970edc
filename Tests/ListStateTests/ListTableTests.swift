import Testing

@testable import ListState

@Suite struct ListTableTests {
  /// The table is small, large, and small again.
  @Test func listsAreFoundByTheirNames() {
    var table = ListTable()
    var model: [[UInt8]: Int] = [:]
    func check() {
      #expect(Set(table.values.map(\.name)) == Set(model.keys))
      for number in UInt8(0)..<30 {
        let name = [number, 7]
        #expect(table[name]?.order == model[name])
        #expect(table.index(of: name).map { table[at: $0].name } == table[name]?.name)
      }
    }
    func set(_ name: [UInt8], _ order: Int?) {
      model[name] = order
      table[name] = order.map { _ in NamedList(name: name) }
      if let order { table[name]?.order = order }
    }
    for count in [5, 20, 3, 9, 12, 0, 4] {
      var number = 0
      while model.count != count {
        let name = [UInt8(number * 7 % 30), 7]
        if (model[name] == nil) == (model.count < count) {
          set(name, model[name] == nil ? number : nil)
        }
        number += 1
        if number % 5 == 0 { table[name]?.order += 1 }
        if number % 5 == 0, let order = model[name] { model[name] = order + 1 }
        table[[200]] = nil
      }
      check()
    }
  }
}
