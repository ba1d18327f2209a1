import Console

/// A handler's result for scripts: what JSON has a form for, else its description. An optional is what it holds, or null.
func valueJSON(_ value: Any) -> JSONText {
    switch value {
    case is Void: .null
    case let value as any OptionalValue: value.content.map(valueJSON) ?? .null
    case let value as Bool: .bool(value)
    case let value as Int: .integer(value)
    case let value as Double: .number(value)
    case let value as String: .string(value)
    case let value as [Any]: .array(value.map(valueJSON))
    case let value as [String: Any]:
        .object(value.sorted { $0.key < $1.key }.map { ($0.key, valueJSON($0.value)) })
    default: .string(String(describing: value))
    }
}

/// What every optional is, whatever it is an optional of.
private protocol OptionalValue {
    var content: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var content: Any? { self }
}
