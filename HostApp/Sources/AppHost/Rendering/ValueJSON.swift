import Console

/// Converts a handler's result to JSON.
///
/// A value without a JSON representation becomes its description. An optional becomes its wrapped value or null.
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

/// A type-erased view of any optional value.
private protocol OptionalValue {
    var content: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var content: Any? { self }
}
