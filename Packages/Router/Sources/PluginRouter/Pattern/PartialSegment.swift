internal import PluginCore

/// A segment that mixes literals and captures, such as `:{name}-x.:{ext}`.
public struct PartialSegment: Hashable, Sendable {
    /// The names of the captures, in order; never empty.
    public let names: [String]
    /// The decoded text before, between and behind the captures: one more than there are names, any of them empty.
    public let literals: [String]
    private let bytes: [[UInt8]]

    init(names: [String], literals: [String]) {
        self.names = names
        self.literals = literals
        self.bytes = literals.map { Array($0.utf8) }
    }

    /// How many bytes are literal.
    var literalCount: Int { bytes.reduce(0) { $0 + $1.count } }

    /// Returns whether a segment can be cut into the literals and captures of at least one character each.
    func matches(_ text: Span<UInt8>) -> Bool { cut(text) { _ in } }

    /// What the captures are of a segment that matches; the leftmost takes as much as it can.
    func captures(_ text: Span<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        _ = cut(text) { ranges.append($0) }
        return ranges.reversed()
    }

    /// What one of the captures is of a segment that matches.
    ///
    /// - Parameter number: which one, the leftmost being 0.
    func capture(_ number: Int, of text: Span<UInt8>) -> Range<Int>? {
        var found: Range<Int>?
        var next = names.count
        _ = cut(text) { range in
            next -= 1
            if next == number { found = range }
        }
        return found
    }

    /// Places the literals from the right, each as far right as it can be. That gives each capture the latest end it can
    /// have, whatever the ones before it take, so there is nothing to go back on.
    private func cut(_ text: Span<UInt8>, _ capture: (Range<Int>) -> Void) -> Bool {
        let head = bytes[0].count
        guard text.starts(with: bytes[0]) else { return false }
        var index = bytes.count - 1
        var start = text.count - bytes[index].count
        guard start > head, text.matches(bytes[index], at: start) else { return false }
        while index > 1 {
            index -= 1
            let end = start
            // The capture behind this literal takes a character at least.
            start = text.characterStart(before: end) - bytes[index].count
            while start > head, !text.matches(bytes[index], at: start) || text.isInsideCharacter(start) { start -= 1 }
            guard start > head else { return false }
            capture((start + bytes[index].count)..<end)
        }
        capture(head..<start)
        return true
    }

    /// How it is spelt where names do not count.
    var shape: String {
        literals.map(PercentCoding.encode).joined(separator: ":")
    }
}

extension Span<UInt8> {
    fileprivate func matches(_ literal: [UInt8], at start: Int) -> Bool {
        for index in literal.indices where self[start + index] != literal[index] { return false }
        return true
    }

    fileprivate func starts(with literal: [UInt8]) -> Bool {
        count >= literal.count && matches(literal, at: 0)
    }

    /// Where the character that ends at `end` begins; `end` is above zero.
    fileprivate func characterStart(before end: Int) -> Int {
        var start = end - 1
        while start > 0, isInsideCharacter(start) { start -= 1 }
        return start
    }

    /// Returns whether a cut there would go through a character's bytes.
    fileprivate func isInsideCharacter(_ index: Int) -> Bool { self[index] & 0xC0 == 0x80 }
}
