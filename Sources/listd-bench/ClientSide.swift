import Foundation

/// A comparison that a Python client does without a daemon: it parses the snapshot and compares
/// items with a dictionary, without minimal moves.
enum ClientSide {
  private static let program = """
    import json, sys, time
    def body(path):
        data = open(path, 'rb').read()
        return data[data.index(b'\\r\\n\\r\\n') + 4:]
    old, new = body(sys.argv[1]), body(sys.argv[2])
    def rows(message):
        return [item for section in message['params']['sections'] for item in section['items']]
    before = rows(json.loads(old))
    times = []
    for _ in range(int(sys.argv[3])):
        start = time.perf_counter()
        after = rows(json.loads(new))
        indices = {item['id']: index for index, item in enumerate(before)}
        present = {item['id'] for item in after}
        deleted = [index for index, item in enumerate(before) if item['id'] not in present]
        inserted, changed = [], []
        for index, item in enumerate(after):
            previous = indices.get(item['id'])
            if previous is None: inserted.append(index)
            elif before[previous] != item: changed.append(index)
        times.append((time.perf_counter() - start) * 1000)
    print(sorted(times)[len(times) // 2])
    """

  /// Returns the median time in milliseconds; nil if Python is not installed.
  static func milliseconds(old: [UInt8], new: [UInt8], rounds: Int) -> Double? {
    var folder = Array("/tmp/listd-bench-XXXXXX".utf8CString)
    guard mkdtemp(&folder) != nil else { return nil }
    let path = String(decoding: folder.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let files = [
      (path + "/old", old), (path + "/new", new), (path + "/diff.py", Array(program.utf8)),
    ]
    defer {
      for (file, _) in files { unlink(file) }
      rmdir(path)
    }
    for (file, bytes) in files {
      guard let stream = fopen(file, "w") else { return nil }
      fwrite(bytes, 1, bytes.count, stream)
      fclose(stream)
    }
    let command = "python3 \(files[2].0) \(files[0].0) \(files[1].0) \(rounds) 2>/dev/null"
    guard let output = popen(command, "r") else { return nil }
    defer { pclose(output) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, 64, output) != nil else { return nil }
    return strtod(line, nil)
  }
}
