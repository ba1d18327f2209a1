/// An error in a JSON text, with its line and column.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule that the text breaks.
    public enum Rule: Hashable, Sendable {
        /// The text is not JSON in UTF-8.
        case syntax
        /// A name occurs twice in an object. Some readers use the first value, others the last.
        case repeatedName
        /// A string contains an unpaired surrogate.
        case halfCharacter
        /// A letter has more combining marks than any natural text.
        case stackedMarks
        /// The text is nested too deeply.
        case depth
        /// The text has more values than allowed.
        case valueCount
    }

    /// The rule that the text breaks.
    public let rule: Rule
    /// The line, counted from 1.
    public let line: Int
    /// The column, counted from 1 in Unicode scalars.
    public let column: Int
    /// A clause that describes the problem.
    public let finding: String

    /// The place and the problem, in one line.
    public var description: String { "line \(line), column \(column): \(finding)" }

    init(_ flaw: JSONFlaw, in bytes: [UInt8]) {
        self.init(flaw.rule, flaw.finding, at: flaw.offset, in: bytes)
    }

    init(_ rule: Rule, _ finding: String, at offset: Int, in bytes: [UInt8]) {
        self.rule = rule
        self.finding = finding
        let before = bytes[..<min(offset, bytes.count)]
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        // All bytes except those that continue a scalar.
        column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    }
}

/// An error with its byte offset in the text.
struct JSONFlaw: Error {
    let rule: JSONError.Rule
    let finding: String
    let offset: Int
}
