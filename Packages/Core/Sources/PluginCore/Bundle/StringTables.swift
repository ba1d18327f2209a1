internal import Synchronization

/// The string tables of one bundle. Each is read once, when it is first needed.
final class StringTables: Sendable {
    private let tables = Mutex<[String: [String: String]?]>([:])
    private let missing = Mutex<Set<String>>([])

    /// Records that a key has no text and returns whether this is the first time.
    func isFirst(missing key: String) -> Bool {
        missing.withLock { $0.insert(key).inserted }
    }

    func table(of language: String, read: () -> [String: String]?) -> [String: String]? {
        if let known = tables.withLock({ $0[language] }) { return known }
        let table = read()
        tables.withLock { $0[language] = .some(table) }
        return table
    }
}
