/// The content of `snapshot.json`: the current version of each targets metadata.
public struct Snapshot: RoleContent {
    /// The type in metadata.
    public static let type = "snapshot"
    /// The version, counted from 1.
    public var version: Int
    /// The time from which the metadata is no longer trusted.
    public var expires: UTCTime
    /// The names of the files with their descriptions, sorted by the bytes of the names.
    private var files: [(name: String, file: FileDescription)]
    private var otherFields = JSONObject()

    /// Creates the content of the first snapshot.
    public init(expires: UTCTime) {
        version = 1
        self.expires = expires
        files = []
    }

    /// Reads the content of a file whose type has been checked.
    public init(json: JSONObject) throws(TUFError) {
        version = try json.positive("version")
        expires = try json.time("expires")
        files = []
        for member in try json.object("meta").members {
            files.append((member.name, try FileDescription(json: member.value.object("meta"))))
        }
        otherFields = json.without(commonFieldNames + ["meta"])
    }

    /// The content with all its fields, also those that this module does not know.
    public var json: JSONObject {
        let members = files.map { JSONObject.Member(name: $0.name, value: .object($0.file.json)) }
        var json = commonFields(otherFields)
        json["meta"] = .object(JSONObject(unsorted: members) ?? JSONObject())
        return json
    }

    /// The metadata file of a targets role, or nil if the snapshot does not list it.
    public subscript(role: String) -> FileDescription? {
        get {
            let index = files.sortedIndex(of: role + ".json", \.name)
            return index.isFound ? files[index.offset].file : nil
        }
        set {
            let index = files.sortedIndex(of: role + ".json", \.name)
            if index.isFound { files.remove(at: index.offset) }
            if let newValue { files.insert((role + ".json", newValue), at: index.offset) }
        }
    }

    /// The roles that the snapshot lists.
    public var roles: [String] {
        files.compactMap { $0.name.hasSuffix(".json") ? String($0.name.dropLast(5)) : nil }
    }

    /// Throws an error unless every file of an earlier snapshot is listed with the same or a later version.
    public func checkRollback(from earlier: Snapshot) throws(TUFError) {
        for (name, old) in earlier.files {
            let index = files.sortedIndex(of: name, \.name)
            guard index.isFound else {
                throw TUFError(.rollback, detail: "\(name.debugDescription) is not listed anymore")
            }
            guard files[index.offset].file.version >= old.version else {
                throw TUFError(
                    .rollback,
                    detail:
                        "\(name.debugDescription) has version \(files[index.offset].file.version) after \(old.version)")
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
