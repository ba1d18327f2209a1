public import PluginCore

/// A link that one process of the app hands over to another.
public struct HandedLink: Hashable, Sendable {
    /// The address.
    public let uri: ResourceURI
    /// A Boolean value that indicates whether a host had passed the link to the system, which then started the sender.
    public let wasPassedOn: Bool

    /// Creates a link; `nil` if its text contains white space or control characters.
    public init?(_ uri: ResourceURI, wasPassedOn: Bool) {
        let isPlain = uri.text.unicodeScalars.allSatisfy {
            $0.value > 0x20 && !(0x7F...0x9F).contains($0.value) && !$0.properties.isWhitespace
        }
        guard isPlain, !uri.text.isEmpty else { return nil }
        self.uri = uri
        self.wasPassedOn = wasPassedOn
    }

    // MARK: The line that is sent

    private static let words = ["link1", "passed1"]

    /// The line that is sent to the running app.
    var line: String { "\(Self.words[wasPassedOn ? 1 : 0]) \(uri.text)" }

    /// Parses a line; `nil` for any other.
    init?(line: String) {
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let kind = Self.words.firstIndex(of: parts[0]), let uri = try? ResourceURI(parts[1])
        else { return nil }
        self.init(uri, wasPassedOn: kind == 1)
    }

    /// The answer to a link that the app will open.
    static let taken = "taken"
    /// The answer while too many links wait.
    static let busy = "busy"
    /// The answer to any other line.
    static let refused = "refused"
}
