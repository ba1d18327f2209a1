import HostSystem

/// The content of `root.json`: the keys of all top-level roles.
public struct Root: RoleContent {
    /// The type in metadata.
    public static let type = "root"
    /// The fields that all roles have.
    public var common: CommonFields
    /// A Boolean value that indicates whether metadata files have versions in their names, and targets have hashes.
    public var isConsistent = true
    /// The keys by their identifiers.
    public var keys: [String: PublicKey] = [:]
    /// The keys of each role.
    public var roles: [TopLevelRole: RoleKeys] = [:]
    private var otherRoles = JSONObject()

    /// Creates the content of the first root, which has no keys yet.
    public init(expires: UTCTime) {
        common = CommonFields(expires: expires)
        for role in TopLevelRole.allCases { roles[role] = RoleKeys() }
    }

    /// Reads or writes all fields but the common ones.
    public mutating func pass(_ fields: inout JSONFields) throws(TUFError) {
        try fields.pass(flag: "consistent_snapshot", &isConsistent)
        try fields.pass(keys: &keys)
        try fields.pass(in: "roles") { fields throws(TUFError) in
            for role in TopLevelRole.allCases {
                try fields.pass(role.rawValue, &roles[role, default: RoleKeys()])
            }
            fields.passRest(&otherRoles)
        }
    }

    /// The keys of a role. A root that was read has all roles.
    public func keys(of role: TopLevelRole) -> RoleKeys {
        roles[role] ?? RoleKeys(ids: [], threshold: .max)
    }
}

extension JSONFields {
    /// Passes on keys by their identifiers.
    ///
    /// A key whose identifier is not its own is left out: the specification requires that clients compute it.
    mutating func pass(keys: inout [String: PublicKey]) throws(TUFError) {
        var objects = SortedNames<JSONObject>()
        for (id, key) in keys { objects[id] = key.json }
        try pass("keys", &objects)
        guard isReading else { return }
        for object in objects.members {
            let key = try PublicKey(json: object.value)
            if key.id == object.name { keys[key.id] = key }
        }
    }
}

/// The keys of a role, and how many of them must sign.
public struct RoleKeys: Hashable, Sendable, JSONRecord {
    /// The identifiers of the keys.
    public var ids: [String]
    /// The number of different keys that must have signed.
    public var threshold: Int
    /// The fields that this module does not know.
    private var others = JSONObject()

    /// Creates the keys of a role.
    public init(ids: [String], threshold: Int) {
        self.ids = ids
        self.threshold = threshold
    }

    init() { self.init(ids: [], threshold: 1) }

    mutating func pass(_ fields: inout JSONFields) throws(TUFError) {
        try fields.pass("keyids", &ids)
        if fields.isReading, let id = ids.repeated {
            throw TUFError(.malformed, detail: "keyids contains \(id.debugDescription) twice")
        }
        try fields.pass(positive: "threshold", &threshold)
        fields.passRest(&others)
    }
}
