/// Searches texts for words that this project writes another way.
enum Wording {
    /// The lines on which "cannot" is written as two words, also across lines of a comment.
    static func linesOfSplitCannot(in text: String) -> [Int] {
        let bytes = Array(text.utf8)
        var lines: [Int] = []
        var line = 1
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            guard bytes[index] | 0x20 == UInt8(ascii: "c"), isWord("can", at: index, in: bytes) else { continue }
            var next = index + 3
            while next < bytes.count, " \n/*#".utf8.contains(bytes[next]) { next += 1 }
            if next > index + 3, isWord("not", at: next, in: bytes) { lines.append(line) }
        }
        return lines
    }

    private static func isWord(_ word: StaticString, at index: Int, in bytes: [UInt8]) -> Bool {
        let count = word.utf8CodeUnitCount
        guard index + count <= bytes.count, index == 0 || !isLetter(bytes[index - 1]) else { return false }
        for offset in 0..<count where bytes[index + offset] | 0x20 != word.utf8Start[offset] { return false }
        return index + count == bytes.count || !isLetter(bytes[index + count])
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte >= 0x80
    }
}
