import FoundationEssentials

/// A JSON value that the kernel keeps for a layer without understanding it.
package indirect enum ManifestJSON: Hashable, Sendable, Codable {
    case string(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    case list([ManifestJSON])
    case object([String: ManifestJSON])
    case null

    /// The value on one line, the same for equal values.
    package var text: String { String(decoding: encoded([]), as: UTF8.self) }

    /// The value as the content of a file, the same for equal values.
    package var content: [UInt8] { encoded(.prettyPrinted) + [UInt8(ascii: "\n")] }

    private func encoded(_ formatting: JSONEncoder.OutputFormatting) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
        return (try? encoder.encode(self)).map(Array.init) ?? []
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let members = try? container.decode([String: Self].self) {
            self = .object(members)
        } else if let elements = try? container.decode([Self].self) {
            self = .list(elements)
        } else if container.decodeNil() {
            self = .null
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .number(let number) where number.isFinite: try container.encode(number)
        // The reader rejects the text.
        case .number(let number): try container.encode("\(number)")
        case .flag(let flag): try container.encode(flag)
        case .list(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        case .null: try container.encodeNil()
        }
    }
}
