/// The form in which values of a type pass between plugins, as far as a caller notices.
///
/// Each plugin has its own copy of a contract's types, so the names of their own types don't count, but the names and types of their
/// properties do.
@frozen
public indirect enum ValueShape: Hashable, Sendable, Codable {
    /// A value of a type that is not divided further, such as `Int`.
    case value(String)
    /// A list.
    case list(ValueShape)
    /// A value that may be absent.
    case optional(ValueShape)
    /// A structure, with the properties in the order in which they are decoded.
    ///
    /// A type that rejects every value that is tried in place of one hides its further properties; then the structure is not complete.
    case structure([Property], isComplete: Bool)

    /// A property of a structure.
    public struct Property: Hashable, Sendable, Codable {
        /// The name.
        public let name: String
        /// The form of its values.
        public let shape: ValueShape

        /// Creates a property.
        public init(_ name: String, _ shape: ValueShape) {
            self.name = name
            self.shape = shape
        }
    }
}

extension ValueShape: CustomStringConvertible {
    /// The form as Swift spells it, and properties in braces.
    public var description: String {
        switch self {
        case .value(let name): name
        case .list(let element): "[\(element)]"
        case .optional(let wrapped): "\(wrapped)?"
        case .structure(let properties, let isComplete):
            "{"
                + (properties.map { "\($0.name): \($0.shape)" } + (isComplete ? [] : ["..."])).joined(separator: ", ")
                + "}"
        }
    }
}

extension ValueShape {
    /// Finds the form of a type's values.
    init(of type: Any.Type) { self = ShapeProbe.shape(of: type, inside: []) }

    /// Finds the form of an output, which passes as it is or coded.
    init(ofOutput type: Any.Type) {
        self = type is any BoundaryValue.Type ? .value("\(type)") : ValueShape(of: type)
    }
}
