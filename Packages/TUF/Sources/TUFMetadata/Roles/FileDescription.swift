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
