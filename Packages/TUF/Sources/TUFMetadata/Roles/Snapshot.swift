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
