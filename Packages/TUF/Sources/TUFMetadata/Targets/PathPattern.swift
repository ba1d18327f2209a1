/// A pattern for paths of targets, as in a shell.
///
/// `*` stands for any characters, `?` for one, and `[a-c]` or `[!a-c]` for one of a set; none of them stands for a slash. The time for
/// matching is at most the product of both lengths. See glob(7).
public struct PathPattern: Hashable, Sendable {
    /// The pattern.
    public let text: String

    /// Creates a pattern.
    public init(_ text: String) {
        self.text = text
    }

    /// Returns whether the pattern matches the whole path.
    public func matches(_ path: String) -> Bool {
        let patterns = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
        let names = path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
        return patterns.count == names.count
            && zip(patterns, names).allSatisfy { Self.matches(Self.parts(of: Array($0)), Array($1)) }
    }

    /// A part of a pattern for one name.
    private enum Part {
        /// Any number of any characters.
        case any
        /// One character of some ranges, or of none of them.
        case one([ClosedRange<Unicode.Scalar>], isNegated: Bool)

        func accepts(_ scalar: Unicode.Scalar) -> Bool {
            guard case .one(let ranges, let isNegated) = self else { return false }
            return ranges.contains { $0.contains(scalar) } != isNegated
        }
    }

    private static func parts(of pattern: [Unicode.Scalar]) -> [Part] {
        var parts: [Part] = []
        var index = 0
        while index < pattern.count {
            let scalar = pattern[index]
            if scalar == "[", let (set, end) = set(in: pattern, at: index) {
                parts.append(set)
                index = end
            } else {
                let isWild = scalar == "?"
                parts.append(scalar == "*" ? .any : .one(isWild ? [] : [scalar...scalar], isNegated: isWild))
            }
            index += 1
        }
        return parts
    }

    /// Reads a set, or returns nil if its end is missing. A closing bracket directly after the opening one belongs to the set.
    private static func set(in pattern: [Unicode.Scalar], at start: Int) -> (Part, end: Int)? {
        var first = start + 1
        let isNegated = first < pattern.count && pattern[first] == "!"
        if isNegated { first += 1 }
        guard first < pattern.count, let end = pattern[(first + 1)...].firstIndex(of: "]") else { return nil }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        var index = first
        while index < end {
            if index + 2 < end, pattern[index + 1] == "-" {
                if pattern[index] <= pattern[index + 2] { ranges.append(pattern[index]...pattern[index + 2]) }
                index += 3
            } else {
                ranges.append(pattern[index]...pattern[index])
                index += 1
            }
        }
        return (.one(ranges, isNegated: isNegated), end)
    }

    /// Matches from left to right. After a mismatch, only the last star is tried with one character more.
    private static func matches(_ parts: [Part], _ name: [Unicode.Scalar]) -> Bool {
        var (part, position) = (0, 0)
        var star: (part: Int, position: Int)?
        while position < name.count {
            if part < parts.count, case .any = parts[part] {
                star = (part, position)
                part += 1
            } else if part < parts.count, parts[part].accepts(name[position]) {
                part += 1
                position += 1
            } else if let last = star {
                star = (last.part, last.position + 1)
                (part, position) = (last.part + 1, last.position + 1)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { if case .any = $0 { true } else { false } }
    }
}
