internal import Synchronization

/// The string tables of one bundle, each read once when it is first needed.
final class StringTables: Sendable {
    private let tables = Mutex<[String: [String: String]]>([:])

    func table(of language: String, read: () -> [String: String]) -> [String: String] {
        if let known = tables.withLock({ $0[language] }) { return known }
        let table = read()
        tables.withLock { $0[language] = table }
        return table
    }
}
