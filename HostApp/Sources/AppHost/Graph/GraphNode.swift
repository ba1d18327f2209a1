/// A part of an app: a bundle or the host, or something that one of them declares.
struct GraphNode: Hashable, Sendable, Codable {
    /// The kind of a part.
    enum Kind: String, Hashable, Sendable, Codable {
        /// The host with what its composition declares.
        case host
        case bundle
        case route
        /// An action of a target, which belongs to the bundle's Interface.
        case action
        /// A service, which belongs to the bundle's Interface.
        case service
        case `extension`
        case extensionPoint

        /// A Boolean value that indicates whether other parts are drawn inside this one.
        var isCard: Bool { self == .host || self == .bundle }
    }

    /// A fact about a part, with its name.
    struct Fact: Hashable, Sendable, Codable {
        let name: String
        let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The identifier, unique in its graph and the same in graphs of other versions.
    let id: String
    let kind: Kind
    /// The name, such as a route's pattern.
    let name: String
    /// The identifier of the bundle or host that declares it; nil for these themselves.
    let parent: String?
    /// The team that signed the bundle; nil for other parts, and if it is unknown.
    let team: String?
    /// A Boolean value that indicates whether the part is only named by others, as a bundle that is not installed.
    let isMissing: Bool
    /// The facts that a reader sees about it.
    let facts: [Fact]

    init(
        _ kind: Kind, _ name: String, id: String, parent: String? = nil, team: String? = nil, isMissing: Bool = false,
        facts: [Fact] = []
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.parent = parent
        self.team = team
        self.isMissing = isMissing
        self.facts = facts
    }

    /// Returns the value of a fact.
    func fact(_ name: String) -> String? { facts.first { $0.name == name }?.value }
}
