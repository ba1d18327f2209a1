/// The delegations of a role to others, in order of their priority.
public struct Delegations: Hashable, Sendable {
    /// The keys by their identifiers.
    public var keys: [String: PublicKey]
    /// The delegations. The first one that has a target wins.
    public var roles: [Delegation]
    private var otherFields = JSONObject()

    /// Creates delegations.
    public init(keys: [String: PublicKey] = [:], roles: [Delegation] = []) {
        self.keys = keys
        self.roles = roles
    }

    /// Returns the delegations that cover a path.
    public func roles(covering path: String) throws(TUFError) -> [Delegation] {
        // The digest is computed once, because hashed bins are many.
        let digest = try HashAlgorithm.sha256.digest(of: Array(path.utf8))
        return roles.filter { $0.covers(path, digest: digest) }
    }

    init(json: JSONObject) throws(TUFError) {
        keys = try PublicKey.keys(in: json.object("keys"))
        roles = []
        for element in try json.array("roles") {
            roles.append(try Delegation(json: element.object("a delegation")))
        }
        if let name = roles.map(\.name).repeated {
            throw TUFError(.malformed, detail: "two delegations to \(name.debugDescription)")
        }
        otherFields = json.without(["keys", "roles"])
    }

    var json: JSONObject {
        var json = otherFields
        json["keys"] = .object(PublicKey.json(of: keys))
        json["roles"] = .array(roles.map { .object($0.json) })
        return json
    }
}
