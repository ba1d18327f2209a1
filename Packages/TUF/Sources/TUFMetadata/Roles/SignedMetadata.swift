import HostSystem
import LibCrypto

/// A metadata file: the content of a role, and signatures over its canonical form.
///
/// The bytes are those that were read, so a file that is saved is the file that was served.
public struct SignedMetadata<Content: RoleContent>: Sendable {
    /// The file.
    public let bytes: [UInt8]
    /// The content that is signed.
    public let content: Content
    /// The signatures, each of another key.
    public let signatures: [Signature]
    /// The canonical form of the content, over which the signatures are computed.
    public let payload: [UInt8]

    /// Reads a file without verifying its signatures.
    ///
    /// - Throws: ``TUFError`` with code `malformed`, `wrongRole` or `specificationUnsupported`.
    public init(_ bytes: [UInt8]) throws(TUFError) {
        let (value, canonicalForm) = try JSONValue.read(bytes, canonicalFormOf: "signed")
        var (signed, signatures) = (JSONObject(), [Signature]())
        try JSONFields.read(JSONObject(reading: value, "the file")) { fields throws(TUFError) in
            try fields.pass("signed", &signed)
            try fields.pass("signatures", &signatures)
        }
        if let keyID = signatures.map(\.keyID).repeated {
            throw TUFError(.malformed, detail: "two signatures of the key \(keyID.debugDescription)")
        }
        self.bytes = bytes
        content = try Content(json: signed)
        self.signatures = signatures
        payload = canonicalForm.map { Array($0) } ?? JSONValue.object(signed).canonical
    }

    /// Creates a file from content, without signatures.
    public init(_ content: Content) throws(TUFError) {
        let signed = JSONValue.object(content.json)
        bytes = (["signatures": [], "signed": signed] as JSONValue).text
        self.content = content
        signatures = []
        payload = signed.canonical
    }

    /// Verifies that enough keys of a role have signed.
    ///
    /// Each key counts once, even if it is listed with several identifiers or texts.
    ///
    /// - Parameters:
    ///   - keys: All keys of the delegator by their identifiers.
    ///   - role: The keys that the delegator names for this role.
    /// - Throws: ``TUFError`` with code `notSigned`.
    public func verify(by keys: [String: PublicKey], role: RoleKeys) throws(TUFError) {
        let signers = signers(by: keys, role: role)
        guard signers >= role.threshold else {
            throw TUFError(.notSigned, detail: "\(signers) of \(role.threshold) required signatures are valid")
        }
    }

    /// Verifies that enough of the keys have signed that a root names for a role.
    ///
    /// - Throws: ``TUFError`` with code `notSigned`.
    public func verify(by root: Root, as role: TopLevelRole) throws(TUFError) {
        try verify(by: root.keys, role: root.keys(of: role))
    }

    /// Returns how many different keys of a role have signed.
    public func signers(by keys: [String: PublicKey], role: RoleKeys) -> Int {
        var counted: [CryptoKey] = []
        defer { CryptoFailure.clear() }
        for signature in signatures where role.ids.contains(signature.keyID) {
            guard let key = keys[signature.keyID]?.verification, let bytes = signature.bytes else { continue }
            if !counted.contains(key), key.isSignature(bytes, of: payload) == true { counted.append(key) }
        }
        return counted.count
    }
}

/// A signature in metadata.
public struct Signature: Hashable, Sendable, JSONRecord {
    /// The identifier of the key.
    public private(set) var keyID = ""
    /// The signature as hexadecimal digits. Any other text is a signature that never counts.
    public private(set) var text = ""

    /// Creates a signature that was made elsewhere.
    public init(keyID: String, text: String) { (self.keyID, self.text) = (keyID, text) }

    init() {}

    mutating func pass(_ fields: inout JSONFields) throws(TUFError) {
        try fields.pass("keyid", &keyID)
        try fields.pass("sig", &text)
    }

    var bytes: [UInt8]? { Hexadecimal.bytes(of: text) }
}

// A file can be signed in several places: export its bytes, sign each copy, and add the signatures of the copies.
extension SignedMetadata {
    /// Returns the file with the signatures of more keys. A signature of the same key is replaced.
    ///
    /// The content is not encoded again, so fields that this module does not know stay signed.
    public func signed(by keys: [SecretKey]) throws(TUFError) -> SignedMetadata {
        var added: [Signature] = []
        for key in keys { added.append(try key.signature(of: payload)) }
        return try adding(added)
    }

    /// Returns the file with more signatures. One of the same key is replaced.
    public func adding(_ added: [Signature]) throws(TUFError) -> SignedMetadata {
        let ids = Set(added.map(\.keyID))
        var file = try JSONObject(reading: JSONValue(parsing: bytes), "the file")
        file["signatures"] = (signatures.filter { !ids.contains($0.keyID) } + added).jsonValue
        return try SignedMetadata(JSONValue.object(file).text)
    }

    /// Returns the file with the signatures of a copy that was signed elsewhere.
    ///
    /// - Throws: ``TUFError`` with code `editInvalid` if the copy has another content.
    public func adding(signaturesOf copy: SignedMetadata) throws(TUFError) -> SignedMetadata {
        guard copy.payload == payload else { throw TUFError(.editInvalid, detail: "signatures of another content") }
        return try adding(copy.signatures)
    }
}
