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
