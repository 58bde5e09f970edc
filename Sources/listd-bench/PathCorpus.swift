/// Realistic file paths from a fixed seed, 95 characters on average.
struct PathCorpus {
  private static let roots = list("/usr/share /usr/lib /home/user/src /var/lib /opt /etc")
  private static let words = list(
    """
    src main config lib python3 site-packages node_modules include test tests Sources Resources
    build release debug docs locale messages assets images icons scalable actions components
    internal runtime compiler linux drivers network kernel generic amd64 x86_64-linux-gnu perl5
    unicore swift shims vendor third_party protocol server client session snapshot ListState
    ListProtocol DiffEngine HashTable utils common README CHANGELOG index package setup Makefile
    init core model view controller template fixtures snapshots migrations certificates fonts
    themes
    """)
  private static let endings =
    list(".swift .py .pyc .js .h .c .conf .json .html .png .svg .so .md .txt .mo .yaml") + [""]

  private static func list(_ words: String) -> [String] {
    words.split { $0 == " " || $0 == "\n" }.map { String($0) }
  }

  /// Returns `count` paths.
  static func paths(_ count: Int) -> [String] {
    var state: UInt64 = 20_261_122
    func next(_ bound: Int) -> Int {
      // Knuth's multiplier for linear congruential generators. The upper bits are more random.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    return (0..<count).map { _ in
      var path = roots[next(roots.count)]
      let length = 60 + next(50)
      while path.utf8.count < length {
        path += "/" + words[next(words.count)]
        if next(3) == 0 {
          path += ["-", "_", ".", ""][next(4)] + words[next(words.count)]
        }
        if next(4) == 0 { path += String(next(100)) }
      }
      return path + endings[next(endings.count)]
    }
  }
}
