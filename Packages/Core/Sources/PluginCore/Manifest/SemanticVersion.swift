/// A version by Semantic Versioning 2.0.0, without build metadata.
///
/// Build metadata is rejected because it would give one version several names.
public struct SemanticVersion: Hashable, Sendable, LosslessStringConvertible, Comparable {
    /// The major number, increased by incompatible changes.
    public let major: Int
    /// The minor number, increased by compatible additions.
    public let minor: Int
    /// The patch number, increased by compatible fixes.
    public let patch: Int
    /// The dot-separated pre-release identifiers, or an empty array for a release.
    public let prerelease: [String]

    /// Creates a version from its parts.
    public init(major: Int, minor: Int, patch: Int, prerelease: [String] = []) {
        self.major = major
        self.minor = minor
        self.patch = patch
        self.prerelease = prerelease
    }

    /// Parses a version such as 1.2.3 or 1.2.3-beta.1. Returns nil for any other text, including numbers with leading zeros.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) }
        let (numbers, identifiers) = (parts[0].map(Self.number), parts.count > 1 ? parts[1] : [])
        guard numbers.count == 3, let major = numbers[0], let minor = numbers[1], let patch = numbers[2],
            identifiers.allSatisfy(Self.isIdentifier)
        else { return nil }
        let prerelease = identifiers.map { String(Substring($0)) }
        self.init(major: major, minor: minor, patch: patch, prerelease: prerelease)
    }

    private static func isIdentifier(_ text: Substring.UTF8View) -> Bool {
        let isNumber = text.allSatisfy(\.isASCIIDigit)
        return text.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") } && !text.isEmpty
            && (!isNumber || number(text) != nil)
    }

    /// Parses a number by section 2: digits without a leading zero. Returns nil also for a number that does not fit.
    private static func number(_ digits: Substring.UTF8View) -> Int? {
        guard digits.allSatisfy(\.isASCIIDigit), digits.first != UInt8(ascii: "0") || digits.count == 1 else {
            return nil
        }
        return Int(Substring(digits))
    }

    /// The version as text, such as 1.2.3 or 1.2.3-beta.1.
    public var description: String {
        let release = "\(major).\(minor).\(patch)"
        return prerelease.isEmpty ? release : release + "-" + prerelease.joined(separator: ".")
    }

    fileprivate var release: (Int, Int, Int) { (major, minor, patch) }

    /// Compares two versions by the precedence rules of section 11.
    public static func < (one: SemanticVersion, other: SemanticVersion) -> Bool {
        guard one.release == other.release else { return one.release < other.release }
        guard !one.prerelease.isEmpty else { return false }
        guard !other.prerelease.isEmpty else { return true }
        for (left, right) in zip(one.prerelease, other.prerelease) where left != right {
            switch (Int(left), Int(right)) {
            case (let left?, let right?): return left < right
            case (_?, nil): return true
            case (nil, _?): return false
            case (nil, nil): return left.utf8.lexicographicallyPrecedes(right.utf8)
            }
        }
        return one.prerelease.count < other.prerelease.count
    }
}

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
    private static let comparisons: [String: @Sendable (SemanticVersion, SemanticVersion) -> Bool] = [
        ">=": { $0 >= $1 }, ">": { $0 > $1 }, "<": { $0 < $1 }, "<=": { $0 <= $1 }, "=": { $0 == $1 },
    ]

    private struct Bound: Hashable {
        let comparison: String
        let version: SemanticVersion
    }

    private let bounds: [Bound]

    /// The range as text, unchanged.
    public let description: String

    /// The range that contains every release.
    public static let any = Self(bounds: [], description: "*")
}

extension VersionRange {
    /// Creates a range that contains a single version.
    public init(exactly version: SemanticVersion) {
        self.init(bounds: [Bound(comparison: "=", version: version)], description: version.description)
    }

    /// Parses a range. Returns nil for a text that is not one.
    public init?(_ text: String) {
        var bounds: [Bound] = []
        let words = text.split(separator: " ")
        guard !words.isEmpty else { return nil }
        for word in words where word != "*" {
            let mark = word.prefix { "<>=^".contains($0) }
            guard let version = SemanticVersion(String(word.dropFirst(mark.count))) else { return nil }
            if mark == "^" {
                guard version.major < Int.max, version.minor < Int.max else { return nil }
                let next =
                    version.major > 0
                    ? SemanticVersion(major: version.major + 1, minor: 0, patch: 0)
                    : SemanticVersion(major: 0, minor: version.minor + 1, patch: 0)
                bounds += [Bound(comparison: ">=", version: version), Bound(comparison: "<", version: next)]
            } else {
                let comparison = mark.isEmpty ? "=" : String(mark)
                guard Self.comparisons[comparison] != nil else { return nil }
                bounds.append(Bound(comparison: comparison, version: version))
            }
        }
        self.init(bounds: bounds, description: text)
    }

    /// Returns whether a version is in the range.
    public func contains(_ version: SemanticVersion) -> Bool {
        let names = bounds.lazy.map(\.version).filter { !$0.prerelease.isEmpty }
        guard version.prerelease.isEmpty || names.contains(where: { $0.release == version.release }) else {
            return false
        }
        return bounds.allSatisfy { Self.comparisons[$0.comparison]?(version, $0.version) == true }
    }
}
