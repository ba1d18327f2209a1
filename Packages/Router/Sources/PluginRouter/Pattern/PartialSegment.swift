internal import PluginCore

/// A pattern segment that mixes literals and captures, such as a file name with an extension.
public struct PartialSegment: Hashable, Sendable {
    /// The names of the captures in order. There is at least one.
    public let names: [String]
    /// The decoded text before, between and after the captures: one more than there are names. Any of them may be empty.
    public let literals: [String]
    private let bytes: [[UInt8]]

    init(names: [String], literals: [String]) {
        self.names = names
        self.literals = literals
        self.bytes = literals.map { Array($0.utf8) }
    }

    /// The number of literal bytes.
    var literalCount: Int { bytes.reduce(0) { $0 + $1.count } }

    /// Returns the captures of a segment, or nil if it does not match. Each capture has at least one character, and the leftmost is as
    /// long as possible.
    ///
    /// The literals are placed from right to left, each as far right as possible. This gives each capture the latest possible end, whatever
    /// the captures before it contain, so backtracking is never necessary.
    func captures(_ segment: String) -> [String]? {
        let (text, head) = (segment.utf8.span, bytes[0].count)
        var index = bytes.count - 1
        var start = text.count - bytes[index].count
        guard start > head, text.matches(bytes[0], at: 0), text.matches(bytes[index], at: start) else { return nil }
        var captures: [String] = []
        while index > 1 {
            index -= 1
            let end = start
            // The capture after this literal has at least one character.
            start = text.characterStart(before: end) - bytes[index].count
            while start > head, !text.matches(bytes[index], at: start) || text.isInsideCharacter(start) { start -= 1 }
            guard start > head else { return nil }
            captures.append(text.extracting((start + bytes[index].count)..<end).string)
        }
        captures.append(text.extracting(head..<start).string)
        return captures.reversed()
    }

    /// The canonical form, in which the names of captures do not count.
    var canonicalKey: String {
        literals.map(PercentCoding.encode).joined(separator: ":")
    }
}

extension Span<UInt8> {
    /// The bytes as a string.
    fileprivate var string: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

    fileprivate func matches(_ literal: [UInt8], at start: Int) -> Bool {
        for index in literal.indices where self[start + index] != literal[index] { return false }
        return true
    }

    /// Returns the start of the character that ends at an index, which must be above zero.
    fileprivate func characterStart(before end: Int) -> Int {
        var start = end - 1
        while start > 0, isInsideCharacter(start) { start -= 1 }
        return start
    }

    /// Returns whether an index is inside the bytes of a character.
    fileprivate func isInsideCharacter(_ index: Int) -> Bool { self[index] & 0xC0 == 0x80 }
}
