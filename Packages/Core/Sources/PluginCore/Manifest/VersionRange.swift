/// The acceptable versions of a bundle: one or more bounds, all of which must hold.
///
/// `>=1.2.0 <2.0.0` is a range with two bounds, and `^1.2.0` is short for it. Below 1.0.0, `^` allows changes of the patch number only. A
/// bare `1.2.0` accepts exactly this version, and `*` accepts any release.
///
/// As in npm ("Prerelease Tags" in the README of node-semver) and cargo, a range contains a pre-release only if one of its bounds names a
/// pre-release of the same version: `>=1.2.3-beta.2 <2.0.0` contains `1.2.3-beta.4` and `1.3.0`, but neither `1.3.0-beta.1` nor
/// `2.0.0-beta.1`, although both lie between the bounds. Accepting the pre-releases of one version does not mean accepting those of all
/// versions.
public struct VersionRange: Hashable, Sendable, LosslessStringConvertible {
    private enum Bound: Hashable, Sendable {
        case atLeast(SemanticVersion)
        case above(SemanticVersion)
        case below(SemanticVersion)
        case atMost(SemanticVersion)
        case exactly(SemanticVersion)

        var version: SemanticVersion {
            switch self {
            case .atLeast(let limit), .above(let limit), .below(let limit), .atMost(let limit), .exactly(let limit):
                limit
            }
        }
    }

    private let bounds: [Bound]

    /// The range as text, unchanged.
    public let description: String

    /// The range that contains every release.
    public static let any = VersionRange(bounds: [], description: "*")

    private init(bounds: [Bound], description: String) {
        self.bounds = bounds
        self.description = description
    }

    /// Creates a range that contains a single version.
    public init(exactly version: SemanticVersion) {
        self.init(bounds: [.exactly(version)], description: version.description)
    }

    /// Parses a range. Returns nil for a text that is not one.
    public init?(_ text: String) {
        var bounds: [Bound] = []
        let words = text.split(separator: " ")
        guard !words.isEmpty else { return nil }
        for word in words where word != "*" {
            let mark = word.prefix { "<>=^".contains($0) }
            guard let version = SemanticVersion(String(word.dropFirst(mark.count))) else { return nil }
            switch mark {
            case ">=": bounds.append(.atLeast(version))
            case ">": bounds.append(.above(version))
            case "<": bounds.append(.below(version))
            case "<=": bounds.append(.atMost(version))
            case "=", "": bounds.append(.exactly(version))
            case "^":
                guard version.major < Int.max, version.minor < Int.max else { return nil }
                let next =
                    version.major > 0
                    ? SemanticVersion(major: version.major + 1, minor: 0, patch: 0)
                    : SemanticVersion(major: 0, minor: version.minor + 1, patch: 0)
                bounds += [.atLeast(version), .below(next)]
            default: return nil
            }
        }
        self.init(bounds: bounds, description: text)
    }

    /// Returns whether a version is in the range.
    public func contains(_ version: SemanticVersion) -> Bool {
        guard version.prerelease.isEmpty || bounds.contains(where: { $0.version.names(earlyFormsOf: version) }) else {
            return false
        }
        return bounds.allSatisfy { bound in
            switch bound {
            case .atLeast(let limit): version >= limit
            case .above(let limit): version > limit
            case .below(let limit): version < limit
            case .atMost(let limit): version <= limit
            case .exactly(let limit): version == limit
            }
        }
    }
}

extension SemanticVersion {
    /// Returns whether this is a pre-release of the same release as another version.
    fileprivate func names(earlyFormsOf version: SemanticVersion) -> Bool {
        !prerelease.isEmpty && (major, minor, patch) == (version.major, version.minor, version.patch)
    }
}
