import HostSystem
public import PluginCore

/// A target with the part of a package for one platform, which a host of that platform fetches in place of the package.
public struct CatalogPart: Hashable, Sendable {
    /// The triple of the platform.
    public let platform: String
    /// The length of the part in bytes.
    public let length: Int
    /// The SHA-256 of the part in lowercase hexadecimal.
    public let sha256: String
    /// The deltas to the part, newest base first.
    public var deltas: [CatalogDelta]

    /// Describes a part.
    public init(platform: String, length: Int, sha256: String, deltas: [CatalogDelta] = []) {
        self.platform = platform
        self.length = length
        self.sha256 = sha256
        self.deltas = deltas
    }

    var json: JSONValue {
        var object = JSONObject()
        object["platform"] = .string(platform)
        object["length"] = .integer(length)
        object["sha256"] = .string(sha256)
        if !deltas.isEmpty { object["deltas"] = .array(deltas.map(\.json)) }
        return .object(object)
    }
}

extension CatalogEntry {
    /// Returns the part for a platform or build; `nil` if hosts of it fetch the package.
    public func part(for platform: String) -> CatalogPart? { parts.first { $0.platform == platform } }

    /// All deltas to the package and to its parts, by the paths of their targets.
    public var allDeltas: [(path: String, delta: CatalogDelta)] {
        let identity = manifest.identity
        return deltas.map { (CatalogPath.delta(from: $0.base, to: identity), $0) }
            + parts.flatMap { part in
                part.deltas.map { (CatalogPath.delta(from: $0.base, to: identity, for: part.platform), $0) }
            }
    }
}

extension CatalogFields {
    /// Reads the parts of a package, sorted by platform.
    ///
    /// - Parameter platforms: the platforms for which the package has its libraries.
    func parts(of platforms: [String]) -> [CatalogPart] {
        let parts = objects("parts", limit: CatalogLimits.platforms, isRequired: false).map { fields in
            CatalogPart(
                platform: fields.text(
                    "platform", limit: CatalogLimits.word, or: "notPlatform", unless: platforms.contains),
                length: fields.integer("length", in: 0...Int.max), sha256: fields.digest("sha256"),
                deltas: fields.deltas())
        }
        requireAscending(parts.map(\.platform), "parts")
        return parts
    }
}

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
    func deltas() -> [CatalogDelta] {
        let deltas = objects("deltas", limit: CatalogLimits.deltas, isRequired: false).map { fields in
            CatalogDelta(
                base: fields.version("from"), baseSeal: fields.digest("seal"),
                length: fields.integer("length", in: 0...Int.max), sha256: fields.digest("sha256"))
        }
        requireDescending(deltas.map(\.base), "deltas")
        return deltas
    }
}
