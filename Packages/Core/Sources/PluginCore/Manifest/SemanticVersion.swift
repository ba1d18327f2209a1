/// A version by Semantic Versioning 2.0.0, without build metadata.
///
/// Build metadata is rejected because it would give one version several names.
public struct SemanticVersion: Hashable, Sendable {
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
}

extension SemanticVersion: LosslessStringConvertible {
    /// Parses a version such as 1.2.3 or 1.2.3-beta.1. Returns nil for any other text, including numbers with leading zeros.
    public init?(_ text: String) {
        let bytes = text.utf8[...]
        let dash = bytes.firstIndex(of: UInt8(ascii: "-")) ?? bytes.endIndex
        let numbers = bytes[..<dash].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard numbers.count == 3, let major = Self.number(numbers[0]), let minor = Self.number(numbers[1]),
            let patch = Self.number(numbers[2])
        else { return nil }
        var prerelease: [String] = []
        if dash < bytes.endIndex {
            let rest = bytes[bytes.index(after: dash)...]
            for identifier in rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
                let isNumber = identifier.allSatisfy(\.isASCIIDigit)
                guard !identifier.isEmpty, !isNumber || Self.number(identifier) != nil,
                    identifier.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
                else { return nil }
                prerelease.append(String(Substring(identifier)))
            }
        }
        self.init(major: major, minor: minor, patch: patch, prerelease: prerelease)
    }

    /// Parses a number by section 2: digits without a leading zero. Returns nil also for a number that does not fit.
    private static func number(_ digits: Substring.UTF8View) -> Int? {
        guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
        var value = 0
        for digit in digits {
            guard digit.isASCIIDigit else { return nil }
            let (tens, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            guard !overflows, !overflowsToo else { return nil }
            value = sum
        }
        return value
    }

    /// The version as text, such as 1.2.3 or 1.2.3-beta.1.
    public var description: String {
        let release = "\(major).\(minor).\(patch)"
        return prerelease.isEmpty ? release : release + "-" + prerelease.joined(separator: ".")
    }
}

extension SemanticVersion: Comparable {
    /// Compares two versions by the precedence rules of section 11.
    public static func < (one: SemanticVersion, other: SemanticVersion) -> Bool {
        let left = (one.major, one.minor, one.patch)
        let right = (other.major, other.minor, other.patch)
        guard left == right else { return left < right }
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
