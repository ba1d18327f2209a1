/// A signature in metadata.
public struct Signature: Hashable, Sendable {
    /// The identifier of the key.
    public let keyID: String
    /// The signature as hexadecimal digits. Any other text is a signature that never counts.
    public let text: String

    /// Creates a signature.
    public init(keyID: String, text: String) {
        self.keyID = keyID
        self.text = text
    }

    init(json: JSONObject) throws(TUFError) {
        keyID = try json.string("keyid")
        text = try json.string("sig")
    }

    var json: JSONValue { ["keyid": .string(keyID), "sig": .string(text)] }

    var bytes: [UInt8]? { Hexadecimal.bytes(of: text) }
}
