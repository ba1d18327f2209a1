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
            && zip(patterns, names).allSatisfy { Self.matches(Array($0), Array($1)) }
    }

    /// Matches from left to right. After a mismatch, only the last star is tried with one character more.
    private static func matches(_ pattern: [Unicode.Scalar], _ name: [Unicode.Scalar]) -> Bool {
        var (index, position) = (0, 0)
        var star: (index: Int, position: Int)?
        let lastEnd = pattern.lastIndex(of: "]") ?? 0
        while position < name.count {
            if index < pattern.count, pattern[index] == "*" {
                star = (index, position)
                index += 1
            } else if let end = end(of: pattern, at: index, lastEnd, matching: name[position]) {
                index = end
                position += 1
            } else if let last = star {
                star = (last.index, last.position + 1)
                (index, position) = (last.index + 1, last.position + 1)
            } else {
                return false
            }
        }
        return pattern[index...].allSatisfy { $0 == "*" }
    }

    /// Returns the end of the part of a pattern for one character, or nil if it does not match.
    ///
    /// A bracket without an end stands for itself. A closing one directly after the opening one belongs to the set.
    private static func end(
        of pattern: [Unicode.Scalar], at start: Int, _ lastEnd: Int, matching scalar: Unicode.Scalar
    ) -> Int? {
        guard start < pattern.count else { return nil }
        let isNegated = start + 1 < pattern.count && pattern[start + 1] == "!"
        var index = isNegated ? start + 2 : start + 1
        guard pattern[start] == "[", index < lastEnd,
            let end = pattern[(index + 1)...].firstIndex(of: "]")
        else { return pattern[start] == "?" || pattern[start] == scalar ? start + 1 : nil }
        var isInSet = false
        while index < end {
            let isRange = index + 2 < end && pattern[index + 1] == "-"
            let last = isRange ? index + 2 : index
            isInSet = isInSet || pattern[index] <= scalar && scalar <= pattern[last]
            index = last + 1
        }
        return isInSet != isNegated ? end + 1 : nil
    }
}
