/// A relation between two parts of an app.
struct GraphEdge: Hashable, Sendable, Codable {
    /// The kind of a relation.
    enum Kind: String, Hashable, Sendable, Codable {
        /// A bundle requires another one, which is installed with it.
        case requires
        /// A bundle requires another one, which is installed when it is first needed.
        case requiresOnDemand
        /// A route asks an action before it opens.
        case guards
        /// An extension is for an extension point.
        case extends
        /// A page that is described by data links to a route.
        case links
        /// Addresses without a route open this one instead.
        case fallsBack
        /// A trace shows that a bundle or the host opened the route or called the action.
        case calls

        /// A Boolean value that indicates whether the relation was observed, and not declared.
        var isObserved: Bool { self == .calls }

        /// The relation as a verb.
        var words: String {
            switch self {
            case .requires: "requires"
            case .requiresOnDemand: "requires on demand"
            case .guards: "asks first"
            case .extends: "extends"
            case .links: "links to"
            case .fallsBack: "falls back to"
            case .calls: "calls"
            }
        }
    }

    let kind: Kind
    /// The identifiers of both nodes.
    let from: String
    let to: String
    /// The range of versions of a requirement, or else an empty text.
    let label: String
    /// The number of observed calls; 0 for a declared relation.
    let count: Int

    init(_ kind: Kind, from: String, to: String, label: String = "", count: Int = 0) {
        self.kind = kind
        self.from = from
        self.to = to
        self.label = label
        self.count = count
    }

    /// The key that identifies the relation in graphs of other versions.
    var key: [String] { [kind.rawValue, from, to] }
}
