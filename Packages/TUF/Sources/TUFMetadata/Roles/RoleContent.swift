/// The signed content of a role.
public protocol RoleContent: Sendable {
    /// The type in metadata.
    static var type: String { get }
    /// The version, counted from 1.
    var version: Int { get set }
    /// The time from which the metadata is no longer trusted.
    var expires: UTCTime { get set }
    /// Reads the content of a role whose type has been checked.
    init(json: JSONObject) throws(TUFError)
    /// The content with all its fields.
    var json: JSONObject { get }
}

extension RoleContent {
    /// The version of the specification that new metadata follows.
    public static var specification: String { "1.0.34" }

    init(checked json: JSONObject) throws(TUFError) {
        let type = try json.string("_type")
        guard type == Self.type else {
            throw TUFError(.wrongRole, detail: "\(type.debugDescription) in place of \(Self.type)")
        }
        // Versions with the same first number are compatible.
        let specification = try json.string("spec_version")
        let parts = specification.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.first == "1", 2...3 ~= parts.count, parts.allSatisfy({ UInt32($0) != nil }) else {
            throw TUFError(.specificationUnsupported, detail: specification.debugDescription)
        }
        try self.init(json: json)
    }

    /// Throws an error unless the metadata is valid at a time.
    public func checkExpiry(at time: UTCTime) throws(TUFError) {
        guard time < expires else { throw TUFError(.expired, detail: expires.description) }
    }

    /// Returns the content in the version after another one, valid for some days.
    public func next(after version: Int?, at time: UTCTime, days: Int) -> Self {
        var next = self
        next.version = (version ?? 0) + 1
        next.expires = time.adding(days: days)
        return next
    }

    /// The fields that all roles have.
    func commonFields(_ others: JSONObject) -> JSONObject {
        var json = others
        json["_type"] = .string(Self.type)
        if json["spec_version"] == nil { json["spec_version"] = .string(Self.specification) }
        json["version"] = .integer(version)
        json["expires"] = .string(expires.description)
        return json
    }
}

/// The names of the fields that all roles have, without that of the specification's version, which is kept.
let commonFieldNames = ["_type", "version", "expires"]

/// A role whose keys are in the root metadata.
public enum TopLevelRole: String, Hashable, Sendable, CaseIterable {
    /// The role that names the keys of all these roles.
    case root
    /// The role that says which snapshot is current.
    case timestamp
    /// The role that says which version of each targets metadata is current.
    case snapshot
    /// The role that describes targets, and delegates to others.
    case targets
}

/// The days for which newly signed metadata is valid.
public struct RoleLifetimes: Hashable, Sendable {
    /// The days of a root, whose keys are offline.
    public var root = 365
    /// The days of targets metadata.
    public var targets = 90
    /// The days of a snapshot.
    public var snapshot = 7
    /// The days of a timestamp, which limit how long clients can be kept from updates.
    public var timestamp = 1

    /// Creates the usual lifetimes.
    public init() {}

    /// Returns the lifetime of a role in days. Roles that the root doesn't name are delegated ones.
    public func days(of role: String) -> Int {
        switch TopLevelRole(rawValue: role) {
        case .root: root
        case .snapshot: snapshot
        case .timestamp: timestamp
        case .targets, nil: targets
        }
    }
}
