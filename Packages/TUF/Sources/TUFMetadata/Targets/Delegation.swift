import HostSystem

/// A delegation: a role that may describe some targets.
public struct Delegation: Hashable, Sendable, JSONRecord {
    /// The targets that a role may describe.
    public enum Scope: Hashable, Sendable {
        /// The targets whose paths match a pattern.
        case paths([PathPattern])
        /// The targets for whose paths the SHA-256 digest begins with one of some hexadecimal digits.
        case hashPrefixes([String])

        fileprivate var paths: [String]? { if case .paths(let patterns) = self { patterns.map(\.text) } else { nil } }
        fileprivate var prefixes: [String]? { if case .hashPrefixes(let prefixes) = self { prefixes } else { nil } }
    }

    /// The name of the role.
    public private(set) var name: String
    /// The keys of the role.
    public var keys: RoleKeys
    /// The targets that the role may describe.
    public var scope: Scope
    /// A Boolean value that indicates whether a target in scope that the role does not have is not searched in later delegations.
    public var isTerminating: Bool

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

    init() { (name, keys, scope, isTerminating) = ("", RoleKeys(), .paths([]), false) }

    mutating func pass(_ fields: inout JSONFields) throws(TUFError) {
        try fields.pass("name", &name)
        try Self.check(name: name)
        try fields.pass(flag: "terminating", &isTerminating)
        var (paths, prefixes) = (scope.paths, scope.prefixes)
        try fields.pass(ifPresent: "paths", &paths)
        try fields.pass(ifPresent: "path_hash_prefixes", &prefixes)
        switch (paths, prefixes) {
        case (let paths?, nil): scope = .paths(paths.map { PathPattern($0) })
        case (nil, let prefixes?): scope = .hashPrefixes(prefixes)
        default:
            throw TUFError(
                .malformed, detail: "\(name.debugDescription) has not exactly one of paths and path_hash_prefixes")
        }
        // With the fields that this module does not know.
        try keys.pass(&fields)
    }

    /// A delegated role with the name of a top-level one would take the place of its file.
    private static func check(name: String) throws(TUFError) {
        guard !name.isEmpty, TopLevelRole(rawValue: name) == nil else {
            throw TUFError(.malformed, detail: "a delegation to \(name.debugDescription)")
        }
    }

    /// Returns whether the role may describe a target.
    public func covers(_ path: String) throws(TUFError) -> Bool {
        covers(path, digest: try HashAlgorithm.sha256.digest(of: Array(path.utf8)))
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
public struct Delegations: Hashable, Sendable, JSONRecord {
    /// The keys by their identifiers.
    public var keys: [String: PublicKey] = [:]
    /// The delegations. The first one that has a target wins.
    public var roles: [Delegation] = []
    private var others = JSONObject()

    /// Creates an empty list.
    public init() {}

    /// Returns the delegations that cover a path.
    public func roles(covering path: String) throws(TUFError) -> [Delegation] {
        // The digest is computed once, because hashed bins are many.
        let digest = try HashAlgorithm.sha256.digest(of: Array(path.utf8))
        return roles.filter { $0.covers(path, digest: digest) }
    }

    mutating func pass(_ fields: inout JSONFields) throws(TUFError) {
        try fields.pass(keys: &keys)
        try fields.pass("roles", &roles)
        if fields.isReading, let name = roles.map(\.name).repeated {
            throw TUFError(.malformed, detail: "two delegations to \(name.debugDescription)")
        }
        fields.passRest(&others)
    }
}
