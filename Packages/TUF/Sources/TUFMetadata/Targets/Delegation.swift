/// A delegation: a role that may describe some targets.
public struct Delegation: Hashable, Sendable {
    /// The targets that a role may describe.
    public enum Scope: Hashable, Sendable {
        /// The targets whose paths match a pattern.
        case paths([PathPattern])
        /// The targets for whose paths the SHA-256 digest begins with one of some hexadecimal digits.
        case hashPrefixes([String])
    }

    /// The name of the role.
    public let name: String
    /// The keys of the role.
    public var keys: RoleKeys
    /// The targets that the role may describe.
    public var scope: Scope
    /// A Boolean value that indicates whether a target in scope that the role does not have is not searched in later delegations.
    public var isTerminating: Bool
    private var otherFields = JSONObject()

    /// Creates a delegation.
    ///
    /// - Throws: ``TUFError`` with code `malformed` for the name of a top-level role, or an empty one.
    public init(
        to name: String, keys: RoleKeys, scope: Scope, isTerminating: Bool = false
    ) throws(TUFError) {
        try Self.check(name: name)
        self.name = name
        self.keys = keys
        self.scope = scope
        self.isTerminating = isTerminating
    }

    init(json: JSONObject) throws(TUFError) {
        name = try json.string("name")
        try Self.check(name: name)
        keys = try RoleKeys(in: json)
        isTerminating = try json.bool("terminating")
        switch (json["paths"], json["path_hash_prefixes"]) {
        case (_?, nil):
            scope = .paths(try json.strings("paths").map { PathPattern($0) })
        case (nil, _?):
            scope = .hashPrefixes(try json.strings("path_hash_prefixes"))
        default:
            throw TUFError(
                .malformed, detail: "\(name.debugDescription) has not exactly one of paths and path_hash_prefixes")
        }
        otherFields = json.without(["name", "keyids", "threshold", "terminating", "paths", "path_hash_prefixes"])
    }

    /// A delegated role with the name of a top-level one would take the place of its file.
    private static func check(name: String) throws(TUFError) {
        guard !name.isEmpty, TopLevelRole(rawValue: name) == nil else {
            throw TUFError(.malformed, detail: "a delegation to \(name.debugDescription)")
        }
    }

    var json: JSONObject {
        var json = otherFields
        for member in keys.json.members { json[member.name] = member.value }
        json["name"] = .string(name)
        json["terminating"] = .bool(isTerminating)
        switch scope {
        case .paths(let patterns): json["paths"] = .array(patterns.map { .string($0.text) })
        case .hashPrefixes(let prefixes): json["path_hash_prefixes"] = .array(prefixes.map { .string($0) })
        }
        return json
    }

    /// Returns whether the role may describe a target.
    public func covers(_ path: String) throws(TUFError) -> Bool {
        switch scope {
        case .paths: covers(path, digest: "")
        case .hashPrefixes: covers(path, digest: try HashAlgorithm.sha256.digest(of: Array(path.utf8)))
        }
    }

    /// Returns whether the role may describe a target, whose path has a digest.
    func covers(_ path: String, digest: String) -> Bool {
        switch scope {
        case .paths(let patterns): patterns.contains { $0.matches(path) }
        case .hashPrefixes(let prefixes): prefixes.contains { digest.utf8.starts(with: $0.utf8) }
        }
    }
}

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
