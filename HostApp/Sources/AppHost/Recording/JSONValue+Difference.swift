import Console
import FoundationEssentials

extension JSONValue {
    /// The first difference between two values, in the order of names and elements.
    struct Difference {
        /// The path of the difference, such as `page.content[2].text`; empty for the whole value.
        let path: String
        /// The recorded value as JSON; `nil` if there is none.
        let recorded: String?
        let now: String?
    }

    /// Decodes a JSON document for comparison.
    init(_ text: JSONText) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: Data(text.text().utf8))
    }

    /// Returns the first difference from the current value; `nil` if the values are equal.
    func difference(from now: JSONValue, at path: String = "") -> Difference? {
        switch (self, now) {
        case (.object(let mine), .object(let theirs)):
            for name in Set(mine.keys).union(theirs.keys).sorted() {
                let place = path.isEmpty ? name : "\(path).\(name)"
                if let found = Self.difference(mine[name], theirs[name], at: place) { return found }
            }
            return nil
        case (.array(let mine), .array(let theirs)):
            for index in 0..<max(mine.count, theirs.count) {
                let one = index < mine.count ? mine[index] : nil
                let other = index < theirs.count ? theirs[index] : nil
                if let found = Self.difference(one, other, at: "\(path)[\(index)]") { return found }
            }
            return nil
        default:
            // Texts are equal only if their bytes are, whatever their Unicode normalization.
            guard !text.utf8.elementsEqual(now.text.utf8) else { return nil }
            return Difference(path: path, recorded: text, now: now.text)
        }
    }

    private static func difference(_ one: JSONValue?, _ other: JSONValue?, at path: String) -> Difference? {
        guard let one, let other else {
            return one == nil && other == nil ? nil : Difference(path: path, recorded: one?.text, now: other?.text)
        }
        return one.difference(from: other, at: path)
    }

    /// The value as JSON with sorted members.
    private var text: String { json.text() }

    private var json: JSONText {
        switch self {
        case .object(let members): .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
        case .array(let elements): .array(elements.map(\.json))
        case .string(let text): .string(text)
        case .number(let number): Int(exactly: number).map { .integer($0) } ?? .number(number)
        case .bool(let value): .bool(value)
        case .null: .null
        }
    }
}
