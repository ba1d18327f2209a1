// In JSON, a value of a reason is a text, a number, a list or a reason: {"name": "chain", "values": {"path": ["a", "b"]}}.
extension ErrorReason.Value: Codable {
    /// Reads a value. An empty list is one of texts.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let texts = try? container.decode([String].self) {
            self = .list(texts)
        } else if let reasons = try? container.decode([ErrorReason].self) {
            self = .reasons(reasons)
        } else {
            self = .reason(try container.decode(ErrorReason.self))
        }
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
