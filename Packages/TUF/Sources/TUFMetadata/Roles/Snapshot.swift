/// The content of `snapshot.json`: the current version of each targets metadata.
public struct Snapshot: RoleContent {
    /// The type in metadata.
    public static let type = "snapshot"
    /// The version, counted from 1.
    public var version: Int
    /// The time from which the metadata is no longer trusted.
    public var expires: UTCTime
    /// The descriptions of the files by their names.
    private var files = SortedNames<FileDescription>()
    private var otherFields = JSONObject()

    /// Creates the content of the first snapshot.
    public init(expires: UTCTime) {
        version = 1
        self.expires = expires
    }

    /// Reads the content of a file whose type has been checked.
    public init(json: JSONObject) throws(TUFError) {
        version = try json.positive("version")
        expires = try json.time("expires")
        for member in try json.object("meta").members {
            files.append(try FileDescription(json: member.value.object("meta")), named: member.name)
        }
        otherFields = json.without(commonFieldNames + ["meta"])
    }

    /// The content with all its fields, also those that this module does not know.
    public var json: JSONObject {
        var json = commonFields(otherFields)
        json["meta"] = .object(files.mapValues { .object($0.json) })
        return json
    }

    /// The metadata file of a targets role, or nil if the snapshot does not list it.
    public subscript(role: String) -> FileDescription? {
        get { files[role + ".json"] }
        set { files[role + ".json"] = newValue }
    }

    /// The roles that the snapshot lists.
    public var roles: [String] {
        files.members.compactMap { $0.name.hasSuffix(".json") ? String($0.name.dropLast(5)) : nil }
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
    /// The version, counted from 1.
    public var version: Int
    /// The time from which the metadata is no longer trusted.
    public var expires: UTCTime
    /// The current snapshot.
    public var snapshot: FileDescription
    private var otherFields = JSONObject()

    /// Creates the content of the first timestamp.
    public init(expires: UTCTime, snapshot: FileDescription) {
        version = 1
        self.expires = expires
        self.snapshot = snapshot
    }

    /// Reads the content of a file whose type has been checked.
    public init(json: JSONObject) throws(TUFError) {
        version = try json.positive("version")
        expires = try json.time("expires")
        let meta = try json.object("meta")
        guard meta.members.count == 1 else {
            throw TUFError(.malformed, detail: "meta describes other files than snapshot.json")
        }
        snapshot = try FileDescription(json: meta.object("snapshot.json"))
        otherFields = json.without(commonFieldNames + ["meta"])
    }

    /// The content with all its fields, also those that this module does not know.
    public var json: JSONObject {
        var json = commonFields(otherFields)
        json["meta"] = ["snapshot.json": .object(snapshot.json)]
        return json
    }
}

/// The version, and optionally length and hashes, of a metadata file.
public struct FileDescription: Hashable, Sendable {
    /// The version that the file must have.
    public var version: Int
    /// The length in bytes, or nil if it is not known.
    public var length: Int?
    /// The hashes, or nil if they are not known.
    public var hashes: Hashes?
    private var otherFields = JSONObject()

    /// Creates a description.
    public init(version: Int, length: Int? = nil, hashes: Hashes? = nil) {
        self.version = version
        self.length = length
        self.hashes = hashes
    }

    init(json: JSONObject) throws(TUFError) {
        version = try json.positive("version")
        length = json["length"] == nil ? nil : try json.positive("length")
        hashes = json["hashes"] == nil ? nil : try Hashes(json: json.object("hashes"))
        otherFields = json.without(["version", "length", "hashes"])
    }

    var json: JSONObject {
        var json = otherFields
        json["version"] = .integer(version)
        json["length"] = length.map { .integer($0) }
        json["hashes"] = hashes.map { .object($0.json) }
        return json
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
