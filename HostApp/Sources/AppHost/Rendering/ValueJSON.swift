import Console

/// A handler's result for scripts: what JSON has a form for, else its description.
func valueJSON(_ value: any Sendable) -> JSONText {
    switch value {
    case is Void: .null
    case let value as Bool: .bool(value)
    case let value as Int: .integer(value)
    case let value as Double: .number(value)
    case let value as String: .string(value)
    case let value as [any Sendable]: .array(value.map(valueJSON))
    case let value as [String: any Sendable]:
        .object(value.sorted { $0.key < $1.key }.map { ($0.key, valueJSON($0.value)) })
    default: .string(String(describing: value))
    }
}
