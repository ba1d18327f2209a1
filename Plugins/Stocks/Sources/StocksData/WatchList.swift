internal import FoundationEssentials
package import PluginCore

/// The symbols that the user watches, in a file of the app group that plugin and widget share.
package struct WatchList: Sendable {
    /// The name of the app group, which the manifest requests.
    package static let group = "group.com.example.stocks"
    /// The maximum number of symbols.
    package static let limit = 20

    private static let file = "watch-list.json"

    private let group: AppGroup

    package init(in group: AppGroup) { self.group = group }

    /// Returns the symbols in the order in which they were added.
    ///
    /// - Throws: The errors of the app group, and an error for a damaged file.
    package func symbols() throws -> [String] {
        try Self.symbols(in: group.read(Self.file))
    }

    /// Returns the changes of the list from now on, also those that other processes make.
    ///
    /// - Throws: The errors of the app group.
    package func changes() throws -> some AsyncSequence<AppGroupChange, Never> & Sendable {
        try group.changes().filter { $0 == .file(Self.file) }
    }

    /// Adds a symbol at the end or at the start, unless it is there already.
    ///
    /// - Throws: ``AtriumError`` with code `watchListInvalid` for a text that is not one to five letters, or if the list is full; the errors
    ///   of ``symbols()``.
    package func add(_ text: String, atStart: Bool = false) throws {
        let symbol = text.filter { !$0.isWhitespace }.uppercased()
        guard 1...5 ~= symbol.count, symbol.allSatisfy({ "A"..."Z" ~= $0 }) else {
            throw AtriumError(.watchListInvalid, text, message: "a symbol has one to five letters")
        }
        try change { symbols in
            guard !symbols.contains(symbol) else { return }
            guard symbols.count < Self.limit else {
                throw AtriumError(
                    .watchListInvalid, symbol, message: "the watch list has at most \(Self.limit) symbols")
            }
            symbols.insert(symbol, at: atStart ? 0 : symbols.count)
        }
    }

    /// Removes a symbol.
    ///
    /// - Throws: The errors of ``symbols()``.
    package func remove(_ symbol: String) throws {
        try change { symbols in symbols.removeAll { $0 == symbol } }
    }

    /// Changes the list while no other process does.
    private func change(_ body: (inout [String]) throws -> Void) throws {
        try group.change(Self.file) { bytes in
            var symbols = try Self.symbols(in: bytes)
            try body(&symbols)
            bytes = try [UInt8](JSONEncoder().encode(symbols))
        }
    }

    private static func symbols(in bytes: [UInt8]?) throws -> [String] {
        guard let bytes else { return [] }
        return try JSONDecoder().decode([String].self, from: Data(bytes))
    }
}

extension AtriumError.Code {
    /// The code for a symbol that cannot be watched.
    package static let watchListInvalid = Self("watchListInvalid")
}
