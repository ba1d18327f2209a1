/// The content of `targets.json`, and of the metadata of each delegated role: targets, and delegations to other roles.
public struct Targets: RoleContent {
    /// The type in metadata.
    public static let type = "targets"
    /// The version, counted from 1.
    public var version: Int
    /// The time from which the metadata is no longer trusted.
    public var expires: UTCTime
    /// The delegations to other roles, or nil if there are none.
    public var delegations: Delegations?
    private var entries = SortedNames<TargetFile>()
    private var otherFields = JSONObject()

    /// Creates the content of the first metadata of a role.
    public init(expires: UTCTime) {
        version = 1
        self.expires = expires
    }

    /// Reads the content of a file whose type has been checked.
    public init(json: JSONObject) throws(TUFError) {
        version = try json.positive("version")
        expires = try json.time("expires")
        for member in try json.object("targets").members {
            entries.append(try TargetFile(json: member.value.object("a target")), named: member.name)
        }
        delegations = json["delegations"] == nil ? nil : try Delegations(json: json.object("delegations"))
        otherFields = json.without(commonFieldNames + ["targets", "delegations"])
    }

    /// The content with all its fields, also those that this module does not know.
    public var json: JSONObject {
        var json = commonFields(otherFields)
        json["targets"] = .object(entries.mapValues { .object($0.json) })
        json["delegations"] = delegations.map { .object($0.json) }
        return json
    }

    /// The target with a path, or nil if this role has none.
    public subscript(path: String) -> TargetFile? {
        get { entries[path] }
        set { entries[path] = newValue }
    }

    /// The paths of the targets in the order of their bytes.
    public var paths: [String] { entries.members.map(\.name) }
}

/// The length and the hashes of a target, and data of the application.
public struct TargetFile: Hashable, Sendable {
    /// The length in bytes.
    public var length: Int
    /// The hashes.
    public var hashes: Hashes
    /// The data of the application, or nil if there is none.
    public var custom: JSONObject?
    private var otherFields = JSONObject()

    /// Creates the description of a target.
    public init(length: Int, hashes: Hashes, custom: JSONObject? = nil) {
        self.length = length
        self.hashes = hashes
        self.custom = custom
    }

    /// Describes bytes.
    public init(of bytes: [UInt8], _ algorithms: [HashAlgorithm] = [.sha256], custom: JSONObject? = nil)
        throws(TUFError)
    {
        self.init(length: bytes.count, hashes: try Hashes(of: bytes, algorithms), custom: custom)
    }

    init(json: JSONObject) throws(TUFError) {
        guard case .integer(let length) = try json.required("length"), length >= 0 else {
            throw JSONValue.problem("length", "a length")
        }
        self.length = length
        hashes = try Hashes(json: json.object("hashes"))
        custom = json["custom"] == nil ? nil : try json.object("custom")
        otherFields = json.without(["length", "hashes", "custom"])
    }

    var json: JSONObject {
        var json = otherFields
        json["length"] = .integer(length)
        json["hashes"] = .object(hashes.json)
        json["custom"] = custom.map { .object($0) }
        return json
    }
}
