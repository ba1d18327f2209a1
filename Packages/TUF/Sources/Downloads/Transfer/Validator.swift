/// The origin of a partial file, so that a later process can go on with it.
///
/// The entity tag is the validator of RFC 9110, section 13.1.5: a server sends the rest only if its file still has this tag.
struct Validator: Equatable {
    /// The digest of the complete file.
    let sha256: String
    /// The address from which the last bytes came.
    let address: String
    /// The strong entity tag of the file at this address, or nil if the server says none.
    let entityTag: String?

    init(sha256: String, address: String, entityTag: String?) {
        self.sha256 = sha256
        self.address = address
        self.entityTag = entityTag
    }

    /// The longest file of a validator.
    static let limit = 1 << 16

    /// Reads a file, or returns nil for anything that this type did not write.
    init?(_ bytes: [UInt8]) {
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4 || lines.count == 5, lines.popLast() == "", lines[0] == "partial file 1" else {
            return nil
        }
        sha256 = String(lines[1])
        address = String(lines[2])
        entityTag = lines.count == 4 ? String(lines[3]) : nil
    }

    /// The content of the file. A line break in a text would be read as another entry, and is therefore not written.
    var bytes: [UInt8] {
        let lines = ["partial file 1", sha256, address] + [entityTag].compactMap(\.self)
        return Array((lines.map { $0.replacing("\n", with: "") }.joined(separator: "\n") + "\n").utf8)
    }
}
