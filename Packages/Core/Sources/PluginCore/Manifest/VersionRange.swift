/// Which versions of another bundle will do: one or more bounds, all of which must hold.
///
/// `>=1.2.0 <2.0.0`; `^1.2.0` is short for it (below 1.0.0 the minor number takes the major's place); a bare `1.2.0` is
/// that version alone; `*` is any.
public struct VersionRange: Hashable, Sendable, LosslessStringConvertible {
    private enum Bound: Hashable, Sendable {
        case atLeast(SemanticVersion)
        case above(SemanticVersion)
        case below(SemanticVersion)
        case atMost(SemanticVersion)
        case exactly(SemanticVersion)
    }

    private let bounds: [Bound]

    /// The range as it was written.
    public let description: String

    /// Any version at all.
    public static let any = VersionRange(bounds: [], description: "*")

    private init(bounds: [Bound], description: String) {
        self.bounds = bounds
        self.description = description
    }

    /// Reads a range; `nil` for text that is none.
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

    /// Whether `version` is in the range.
    public func contains(_ version: SemanticVersion) -> Bool {
        bounds.allSatisfy { bound in
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
