/// The reason for an error as data: a name and named values.
///
/// A command line or an app keeps one sentence per name, in which it inserts the values.
///
/// ```swift
/// ErrorReason("versionActive", ["version": "1.1.0"])
/// ```
public struct ErrorReason: Hashable, Sendable, Codable {
    /// The name in lower camel case.
    public let name: String
    /// The values by name.
    public let values: [String: Value]

    /// Creates a reason.
    public init(_ name: String, _ values: [String: Value] = [:]) {
        self.name = name
        self.values = values
    }

    /// Creates a reason whose text is shown as it is, because it comes from below, such as the dynamic loader's message.
    public static func verbatim(_ text: String) -> ErrorReason { ErrorReason("verbatim", ["text": .text(text)]) }

    /// Returns the reason for a problem at a place in a file, such as `requires[0].bundle`.
    public static func at(_ place: String, _ problem: ErrorReason) -> ErrorReason {
        ErrorReason("at", ["place": .text(place), "problem": .reason(problem)])
    }

    /// Returns the reason for a field that does not exist, with the field that was probably meant.
    public static func unknownField(nearest: String?) -> ErrorReason {
        nearest.map { ErrorReason("fieldMisspelled", ["nearest": .text($0)]) } ?? ErrorReason("fieldUnknown")
    }

    /// Returns a reason that describes another error with its code.
    public static func error(_ error: any Error) -> ErrorReason {
        guard let error = error as? AtriumError, error.message == nil else { return .verbatim("\(error)") }
        var values: [String: Value] = ["code": .text(error.code.name), "subject": .text(error.subject)]
        guard let reasons = all(of: error.reasons) else {
            return ErrorReason("error", values)
        }
        values["reason"] = .reason(reasons)
        return ErrorReason(error.reason == nil ? "errorWithProblems" : "errorWithReason", values)
    }

    /// Returns one reason for several: nil for none, and the reason itself for one.
    public static func all(of reasons: [ErrorReason]) -> ErrorReason? {
        reasons.count < 2 ? reasons.first : ErrorReason("several", ["reasons": .reasons(reasons)])
    }

    /// A value of a reason.
    public enum Value: Hashable, Sendable {
        /// A text, such as a name or a path.
        case text(String)
        /// A number.
        case integer(Int)
        /// Several texts.
        case list([String])
        /// Another reason, such as that of the error that led to this one.
        case reason(ErrorReason)
        /// Several reasons.
        case reasons([ErrorReason])
    }
}

extension ErrorReason.Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
    /// Creates a text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Creates a number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates several texts.
    public init(arrayLiteral elements: String...) { self = .list(elements) }
}

extension ErrorReason.Value {
    /// Creates a text from a bundle's identifier.
    public static func text(_ identifier: BundleIdentifier) -> Self { .text(identifier.text) }
}

extension ErrorReason: CustomStringConvertible {
    /// The name, and the values in parentheses, for logs.
    public var description: String {
        if values.isEmpty { return name }
        if name == "verbatim", case .text(let text) = values["text"] { return text }
        return "\(name)(\(values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")))"
    }
}

extension ErrorReason.Value: CustomStringConvertible {
    /// The value for logs.
    public var description: String {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .list(let texts): "[\(texts.joined(separator: ", "))]"
        case .reason(let reason): "\(reason)"
        case .reasons(let reasons): "[\(reasons.map(\.description).joined(separator: ", "))]"
        }
    }
}

// In JSON, a value of a reason is a text, a number, a list or a reason: {"name": "chain", "values": {"path": ["a", "b"]}}.
extension ErrorReason.Value: Codable {
    /// Reads a value. An empty list is one of texts.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let value: Self? =
            (try? container.decode(String.self)).map { .text($0) } ?? (try? container.decode(Int.self)).map {
                .integer($0)
            }
            ?? (try? container.decode([String].self)).map { .list($0) }
            ?? (try? container.decode([ErrorReason].self)).map { .reasons($0) }
        self = try value ?? .reason(container.decode(ErrorReason.self))
    }

    /// Writes the value without the name of its case.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .list(let texts): try container.encode(texts)
        case .reason(let reason): try container.encode(reason)
        case .reasons(let reasons): try container.encode(reasons)
        }
    }
}

/// Suggestions for a mistyped word: the known words that are nearest to it.
///
/// ```swift
/// Nearest.words(to: "app://shp/cart", in: ["app://shop/item", "app://shop/cart"])  // ["app://shop/cart"]
/// ```
public enum Nearest {
    /// The maximum length of a word for which there are suggestions, in Unicode scalars.
    private static let longestWord = 256
    /// The maximum number of edits, however long the word is.
    private static let mostEdits = 4
    /// The minimum length of a prefix for which a word is suggested.
    private static let shortestBeginning = 3

    /// Returns the known words that are near a given word, nearest first. Words at the same distance keep their order.
    ///
    /// A word is near if it takes at most one edit for every three Unicode scalars of the given word, at least one and at most four, and
    /// fewer than would replace the whole word: `ab` is not near `x`. An edit inserts, deletes or replaces a scalar, or swaps two
    /// neighbors; case is ignored. If no word is near, a given word of three scalars or more that is the prefix of exactly one known word
    /// suggests that word.
    ///
    /// - Parameters:
    ///   - word: The given word. There are no suggestions for more than 256 scalars.
    ///   - known: The known words.
    ///   - limit: The maximum number of suggestions.
    public static func words(to word: String, in known: some Sequence<String>, limit: Int = 3) -> [String] {
        let written = scalars(of: word)
        guard !written.isEmpty, written.count <= longestWord, limit > 0 else { return [] }
        let allowed = min(max(1, written.count / 3), mostEdits)
        var near: [(edits: Int, index: Int, word: String)] = []
        var begun: [String] = []
        for (index, candidate) in known.enumerated() {
            let name = scalars(of: candidate)
            if name.starts(with: written) { begun.append(candidate) }
            guard abs(name.count - written.count) <= allowed else { continue }
            let edits = distance(written, name)
            if edits <= allowed, edits < max(written.count, name.count) { near.append((edits, index, candidate)) }
        }
        if near.isEmpty, written.count >= shortestBeginning, begun.count == 1 { return begun }
        return near.sorted { ($0.edits, $0.index) < ($1.edits, $1.index) }.prefix(limit).map(\.word)
    }

    /// Returns the known identifiers that a word may stand for.
    ///
    /// These are the identifiers whose last labels equal the word, because people type `shop` for `com.example.app.shop`; otherwise those
    /// near the word.
    ///
    /// - Parameters:
    ///   - word: The given word.
    ///   - known: The known identifiers.
    public static func identifiers(to word: String, in known: [some CustomStringConvertible]) -> [String] {
        let known = known.map(\.description)
        let ending = known.filter { $0.hasSuffix(".\(word)") }
        return ending.isEmpty ? words(to: word, in: known) : ending
    }

    /// Returns the number of edits that turn one text into another, ignoring case.
    ///
    /// This is the optimal string alignment distance (Damerau-Levenshtein with each part edited once) on Unicode scalars. It takes time
    /// proportional to the product of both lengths, so limit the length of untrusted input first.
    public static func distance(_ one: String, _ other: String) -> Int {
        distance(scalars(of: one), scalars(of: other))
    }

    private static func scalars(of text: String) -> [Unicode.Scalar] {
        Array(text.lowercased().unicodeScalars)
    }

    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row] + Array(repeating: 0, count: right.count)
            for column in 1...right.count {
                let same = left[row - 1] == right[column - 1]
                var best = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    best = min(best, beforeLast[column - 2] + 1)
                }
                current[column] = best
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
