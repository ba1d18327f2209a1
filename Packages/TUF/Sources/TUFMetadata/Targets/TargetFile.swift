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
