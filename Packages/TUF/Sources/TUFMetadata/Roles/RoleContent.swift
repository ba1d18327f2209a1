public import HostSystem

/// The signed content of a role.
public protocol RoleContent: Sendable {
    /// The type in metadata.
    static var type: String { get }
    /// The fields that all roles have.
    var common: CommonFields { get set }
    /// Creates the content of the first metadata.
    init(expires: UTCTime)
    /// Reads or writes all fields but the common ones.
    mutating func pass(_ fields: inout JSONFields) throws(TUFError)
}

/// The fields that all roles have.
public struct CommonFields: Sendable {
    /// The version of the specification. New metadata follows this one.
    var specification = "1.0.34"
    var version = 1
    var expires: UTCTime
    /// The fields that this module does not know.
    var others = JSONObject()

    /// Creates the fields of the first metadata of a role.
    public init(expires: UTCTime) { self.expires = expires }
}

extension RoleContent {
    /// The version, counted from 1.
    public var version: Int {
        get { common.version }
        set { common.version = newValue }
    }

    /// The time from which the metadata is no longer trusted.
    public var expires: UTCTime {
        get { common.expires }
        set { common.expires = newValue }
    }

    /// Reads the content of a file.
    ///
    /// - Throws: ``TUFError`` with code `malformed`, `wrongRole` or `specificationUnsupported`.
    public init(json: JSONObject) throws(TUFError) {
        self.init(expires: UTCTime(seconds: 0))
        try JSONFields.read(json) { fields throws(TUFError) in try passAll(&fields) }
    }

    /// The content with all its fields, also those that this module does not know.
    public var json: JSONObject {
        var copy = self
        return JSONFields.written { fields throws(TUFError) in try copy.passAll(&fields) }
    }

    private mutating func passAll(_ fields: inout JSONFields) throws(TUFError) {
        var type = Self.type
        try fields.pass("_type", &type)
        guard type == Self.type else {
            throw TUFError(.wrongRole, detail: "\(type.debugDescription) in place of \(Self.type)")
        }
        try fields.pass("spec_version", &common.specification)
        // Versions with the same first number are compatible.
        let parts = common.specification.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.first == "1", 2...3 ~= parts.count, parts.allSatisfy({ UInt32($0) != nil }) else {
            throw TUFError(.specificationUnsupported, detail: common.specification.debugDescription)
        }
        try fields.pass(positive: "version", &common.version)
        try fields.pass("expires", &common.expires)
        try pass(&fields)
        fields.passRest(&common.others)
    }

    /// Throws an error unless the metadata is valid at a time.
    ///
    /// - Parameter file: The name of the file, for the error.
    public func checkExpiry(at time: UTCTime, of file: String = "") throws(TUFError) {
        guard time < expires else { throw TUFError(.expired, file, detail: expires.description) }
    }

    /// Returns the content in the version after another one, valid for some days.
    public func next(after version: Int?, at time: UTCTime, days: Int) -> Self {
        var next = self
        next.version = (version ?? 0) + 1
        next.expires = time.adding(days: days)
        return next
    }
}

/// A role whose keys are in the root metadata.
public enum TopLevelRole: String, Sendable, CaseIterable {
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
