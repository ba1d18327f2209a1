internal import FoundationEssentials
package import PluginCore

/// The symbols that the user watches, in a file of the app group that plugin and widget share.
package struct WatchList: Sendable {
    /// The name of the app group, which the manifest requests.
    package static let group = "group.com.example.stocks"
    /// The maximum number of symbols.
    package static let limit = 20

    private let file: URL

    /// Finds the watch list in the app group.
    ///
    /// - Throws: ``AtriumError`` with code `watchListInvalid` if the manifest does not request the group.
    package init(in container: BundleContainer) throws {
        guard let folder = container.group(Self.group) else {
            throw AtriumError(.watchListInvalid, Self.group, message: "the manifest does not request \(Self.group)")
        }
        file = URL(filePath: folder.appending("watch-list.json").string)
    }

    /// Returns the symbols in the order in which they were added.
    ///
    /// - Throws: The errors of the file system, and an error for a damaged file.
    package func symbols() throws -> [String] {
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        return try StrictJSON.decode([String].self, from: [UInt8](Data(contentsOf: file)))
    }

    /// Adds a symbol at the end, unless it is there already.
    ///
    /// - Throws: ``AtriumError`` with code `watchListInvalid` for a text that is not one to five letters, or if the list is full; the errors
    ///   of ``symbols()``.
    package func add(_ text: String) throws {
        let symbol = text.filter { !$0.isWhitespace }.uppercased()
        guard 1...5 ~= symbol.count, symbol.allSatisfy({ "A"..."Z" ~= $0 }) else {
            throw AtriumError(.watchListInvalid, text, message: "a symbol has one to five letters")
        }
        let symbols = try symbols()
        guard !symbols.contains(symbol) else { return }
        guard symbols.count < Self.limit else {
            throw AtriumError(.watchListInvalid, symbol, message: "the watch list has at most \(Self.limit) symbols")
        }
        try save(symbols + [symbol])
    }

    /// Removes a symbol.
    ///
    /// - Throws: The errors of ``symbols()``.
    package func remove(_ symbol: String) throws {
        try save(symbols().filter { $0 != symbol })
    }

    /// Replaces the file as a whole, so that the widget never reads a part of it.
    private func save(_ symbols: [String]) throws {
        try JSONEncoder().encode(symbols).write(to: file, options: .atomic)
    }
}

extension AtriumError.Code {
    /// The code for a symbol that cannot be watched.
    package static let watchListInvalid = Self("watchListInvalid")
}
