import HostSystem

/// The content of `snapshot.json`: the current version of each targets metadata.
public struct Snapshot: RoleContent {
    /// The type in metadata.
    public static let type = "snapshot"
    /// The fields that all roles have.
    public var common: CommonFields
    /// The descriptions of the files by their names.
    private var files = SortedNames<FileDescription>()

    /// Creates the content of the first snapshot.
    public init(expires: UTCTime) { common = CommonFields(expires: expires) }

    /// Reads or writes all fields but the common ones.
    public mutating func pass(_ fields: inout JSONFields) throws(TUFError) {
        try fields.pass("meta", &files)
    }

    /// The metadata file of a targets role, or nil if the snapshot does not list it.
    public subscript(role: String) -> FileDescription? {
        get { files[role + ".json"] }
        set { files[role + ".json"] = newValue }
    }

    /// Throws an error unless every file of an earlier snapshot is listed with the same or a later version.
    public func checkRollback(from earlier: Snapshot) throws(TUFError) {
        for old in earlier.files.members {
            guard let new = files[old.name] else {
                throw TUFError(.rollback, detail: "\(old.name.debugDescription) is not listed anymore")
            }
            guard new.version >= old.value.version else {
                let versions = "version \(new.version) after \(old.value.version)"
                throw TUFError(.rollback, detail: "\(old.name.debugDescription) has \(versions)")
            }
        }
    }
}

/// The content of `timestamp.json`: the current snapshot.
public struct Timestamp: RoleContent {
    /// The type in metadata.
    public static let type = "timestamp"
    /// The fields that all roles have.
    public var common: CommonFields
    /// The current snapshot.
    public var snapshot = FileDescription(version: 1)

    /// Creates the content of the first timestamp.
    public init(expires: UTCTime) { common = CommonFields(expires: expires) }

    /// Reads or writes all fields but the common ones.
    public mutating func pass(_ fields: inout JSONFields) throws(TUFError) {
        try fields.pass(in: "meta") { fields throws(TUFError) in
            try fields.pass("snapshot.json", &snapshot)
            guard !fields.isReading || fields.object.members.isEmpty else {
                throw TUFError(.malformed, detail: "meta describes other files than snapshot.json")
            }
        }
    }
}

/// The version, and optionally length and hashes, of a metadata file.
public struct FileDescription: Hashable, Sendable, JSONRecord {
    /// The version that the file must have.
    public var version: Int
    /// The length in bytes, or nil if it is not known.
    public var length: Int?
    /// The hashes, or nil if they are not known.
    public var hashes: Hashes?
    private var others = JSONObject()

    /// Creates a description.
    public init(version: Int, length: Int? = nil, hashes: Hashes? = nil) {
        self.version = version
        self.length = length
        self.hashes = hashes
    }

    init() { self.init(version: 1) }

    mutating func pass(_ fields: inout JSONFields) throws(TUFError) {
        try fields.pass(positive: "version", &version)
        try fields.pass(ifPresent: "length", &length)
        try fields.pass(ifPresent: "hashes", &hashes)
        fields.passRest(&others)
    }

    /// Throws an error unless a file has the length and the hashes, as far as they are known.
    public func verify(_ bytes: [UInt8]) throws(TUFError) {
        if let length {
            guard bytes.count <= length else { throw TUFError(.tooLong, detail: "\(bytes.count) of \(length) bytes") }
            guard bytes.count == length else { throw TUFError(.tooShort, detail: "\(bytes.count) of \(length) bytes") }
        }
        try hashes?.verify(bytes)
    }
}
