import Console

/// A bundle in the store.
package struct StoreItem: Equatable, Sendable {
    /// The state of a bundle, from the user's point of view.
    package enum State: Equatable, Sendable {
        case available
        case installed
        /// A newer version can be installed.
        case updatable(to: String)
        /// A new version becomes active at the next start.
        case staged(String)
        /// No version can be installed; the text says why.
        case blocked(String)
        case waiting
        /// The bytes that have arrived, of all.
        case downloading(done: UInt64, total: UInt64)
        case installing
        case failed(String)

        /// A Boolean value that indicates whether a change is under way.
        package var isBusy: Bool {
            switch self {
            case .waiting, .downloading, .installing: true
            default: false
            }
        }
    }

    package let identifier: String
    package let name: String
    package let version: String
    package let summary: String
    /// The size of the package or of the installed bundle in bytes.
    package let size: Int
    package let kind: String
    package var state: State
    /// The text that a search looks into, in lower case.
    let searchText: String

    package init(
        identifier: String, name: String, version: String, summary: String, size: Int, kind: String, state: State
    ) {
        self.identifier = identifier
        self.name = name
        self.version = version
        self.summary = summary
        self.size = size
        self.kind = kind
        self.state = state
        searchText = [name, identifier, summary].joined(separator: "\n").lowercased()
    }

    /// A Boolean value that indicates whether a version is installed.
    package var isInstalled: Bool {
        switch state {
        case .installed, .updatable, .staged: true
        default: false
        }
    }

    /// The key of the icon, which is that of a version.
    var iconKey: String { "\(identifier)@\(version)" }

    /// The state in a few words.
    var stateText: String {
        switch state {
        case .available: byteCount(size)
        case .installed: localized("installed")
        case .updatable(let version): "→ \(version)"
        case .staged(let version): localized("\(version) at the next start")
        case .blocked: localized("cannot be installed")
        case .waiting: localized("waiting")
        case .downloading(let done, let total):
            total > 0 ? "\(min(100, done * 100 / total)) %" : byteCount(Int(clamping: done))
        case .installing: localized("installing")
        case .failed: localized("failed")
        }
    }

    /// The first letters of the words of the name, at most two.
    var initials: String {
        let words = printable(name).split { $0 == " " || $0 == "-" }
        return words.prefix(2).compactMap(\.first).map { String($0).uppercased() }.joined()
    }
}
