public import HostSystem

/// The content of `targets.json`, and of the metadata of each delegated role: targets, and delegations to other roles.
public struct Targets: RoleContent {
    /// The type in metadata.
    public static let type = "targets"
    /// The fields that all roles have.
    public var common: CommonFields
    /// The delegations to other roles, or nil if there are none.
    public var delegations: Delegations?
    private var entries = SortedNames<TargetFile>()

    /// Creates the content of the first metadata of a role.
    public init(expires: UTCTime) { common = CommonFields(expires: expires) }

    /// Reads or writes all fields but the common ones.
    public mutating func pass(_ fields: inout JSONFields) throws(TUFError) {
        try fields.pass("targets", &entries)
        try fields.pass(ifPresent: "delegations", &delegations)
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
public struct TargetFile: Hashable, Sendable, JSONRecord {
    /// The length in bytes.
    public var length: Int
    /// The hashes.
    public var hashes: Hashes
    /// The data of the application, or nil if there is none.
    public var custom: JSONObject?
    private var others = JSONObject()

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

    init() { self.init(length: 0, hashes: Hashes([:])) }

    mutating func pass(_ fields: inout JSONFields) throws(TUFError) {
        try fields.pass("length", &length)
        try fields.pass("hashes", &hashes)
        try fields.pass(ifPresent: "custom", &custom)
        fields.passRest(&others)
    }
}
