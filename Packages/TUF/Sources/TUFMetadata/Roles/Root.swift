/// The content of `root.json`: the keys of all top-level roles.
public struct Root: RoleContent {
    /// The type in metadata.
    public static let type = "root"
    /// The version, counted from 1.
    public var version: Int
    /// The time from which the metadata is no longer trusted.
    public var expires: UTCTime
    /// A Boolean value that indicates whether metadata files have versions in their names, and targets have hashes.
    public var isConsistent: Bool
    /// The keys by their identifiers.
    public var keys: [String: PublicKey]
    /// The keys of each role.
    public var roles: [TopLevelRole: RoleKeys]
    private var otherRoles = JSONObject()
    private var otherFields = JSONObject()

    /// Creates the content of the first root.
    public init(expires: UTCTime) {
        version = 1
        self.expires = expires
        isConsistent = true
        keys = [:]
        roles = [:]
        for role in TopLevelRole.allCases { roles[role] = RoleKeys(ids: [], threshold: 1) }
    }

    /// Reads the content of a file whose type has been checked.
    public init(json: JSONObject) throws(TUFError) {
        version = try json.positive("version")
        expires = try json.time("expires")
        isConsistent = try json.bool("consistent_snapshot")
        keys = try PublicKey.keys(in: json.object("keys"))
        let roleFields = try json.object("roles")
        roles = [:]
        for role in TopLevelRole.allCases {
            roles[role] = try RoleKeys(json: roleFields.object(role.rawValue))
        }
        otherRoles = roleFields.without(TopLevelRole.allCases.map(\.rawValue))
        otherFields = json.without(commonFieldNames + ["consistent_snapshot", "keys", "roles"])
    }

    /// The content with all its fields, also those that this module does not know.
    public var json: JSONObject {
        var roleFields = otherRoles
        for (role, keys) in roles { roleFields[role.rawValue] = .object(keys.json) }
        var json = commonFields(otherFields)
        json["consistent_snapshot"] = .bool(isConsistent)
        json["keys"] = .object(PublicKey.json(of: keys))
        json["roles"] = .object(roleFields)
        return json
    }

    /// The keys of a role. A root that was read has all roles.
    public func keys(of role: TopLevelRole) -> RoleKeys {
        roles[role] ?? RoleKeys(ids: [], threshold: .max)
    }
}

extension PublicKey {
    /// Returns the object of several keys in metadata.
    static func json(of keys: [String: PublicKey]) -> JSONObject {
        var json = JSONObject()
        for (id, key) in keys { json[id] = .object(key.json) }
        return json
    }
}

/// The keys of a role, and how many of them must sign.
public struct RoleKeys: Hashable, Sendable {
    /// The identifiers of the keys.
    public var ids: [String]
    /// The number of different keys that must have signed.
    public var threshold: Int
    /// The fields that this module does not know.
    var otherFields = JSONObject()

    /// Creates the keys of a role.
    public init(ids: [String], threshold: Int) {
        self.ids = ids
        self.threshold = threshold
    }

    /// Reads the keys from an object that also has other fields, which the caller reads.
    init(in json: JSONObject) throws(TUFError) {
        ids = try json.uniqueStrings("keyids")
        threshold = try json.positive("threshold")
    }

    init(json: JSONObject) throws(TUFError) {
        try self.init(in: json)
        otherFields = json.without(["keyids", "threshold"])
    }

    var json: JSONObject {
        var json = otherFields
        json["keyids"] = .array(ids.map { .string($0) })
        json["threshold"] = .integer(threshold)
        return json
    }
}
