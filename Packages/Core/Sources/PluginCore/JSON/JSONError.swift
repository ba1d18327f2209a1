/// An error in a JSON text, with its line and column.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule that the text breaks.
    public enum Rule: Hashable, Sendable {
        /// It is not JSON in UTF-8.
        case syntax
        /// A name occurs twice in an object: some readers take the first, others the last.
        case repeatedName
        /// A text holds half of a character.
        case halfCharacter
        /// More marks stand on one letter than anybody writes.
        case stackedMarks
        /// It is nested too deep.
        case depth
        /// It has more values than allowed.
        case valueCount
    }

    /// The rule that the text breaks.
    public let rule: Rule
    /// The line, counted from 1.
    public let line: Int
    /// The column, counted from 1 in Unicode scalars.
    public let column: Int
    /// What is wrong there, in a clause.
    public let finding: String

    /// `line 3, column 5: no comma may stand before "}"`.
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
        // Every byte but those that continue a scalar.
        column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    }
}

/// An error by its offset in the text.
struct JSONFlaw: Error {
    let rule: JSONError.Rule
    let finding: String
    let offset: Int
}
