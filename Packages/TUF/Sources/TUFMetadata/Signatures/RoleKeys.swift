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
