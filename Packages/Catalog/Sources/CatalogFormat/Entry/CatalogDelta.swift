public import PluginCore
import TUFMetadata

/// A target with the difference between an earlier version of a bundle and a package.
///
/// A host that has the base fetches it in place of the package, which comes out of it byte for byte.
public struct CatalogDelta: Hashable, Sendable {
    /// The version of the base.
    public let base: SemanticVersion
    /// The SHA-256 of the base's seal in lowercase hexadecimal, which identifies the files to which the delta applies.
    public let baseSeal: String
    /// The length of the delta in bytes.
    public let length: Int
    /// The SHA-256 of the delta in lowercase hexadecimal.
    public let sha256: String

    /// Describes a delta.
    public init(base: SemanticVersion, baseSeal: String, length: Int, sha256: String) {
        self.base = base
        self.baseSeal = baseSeal
        self.length = length
        self.sha256 = sha256
    }

    var json: JSONValue {
        [
            "from": .string("\(base)"), "seal": .string(baseSeal), "length": .integer(length),
            "sha256": .string(sha256),
        ]
    }
}

extension CatalogFields {
    /// Reads the deltas to a package, newest base first.
    mutating func deltas() -> [CatalogDelta] {
        var deltas: [CatalogDelta] = []
        for var fields in objects("deltas", limit: CatalogLimits.deltas, isRequired: false) {
            let version = fields.version("from")
            let seal = fields.digest("seal")
            let length = fields.integer("length", in: 0...Int.max)
            let digest = fields.digest("sha256")
            guard let version, let seal, let length, let digest else { continue }
            deltas.append(CatalogDelta(base: version, baseSeal: seal, length: length, sha256: digest))
        }
        requireDescending(deltas.map(\.base), "deltas")
        return deltas
    }
}
