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
