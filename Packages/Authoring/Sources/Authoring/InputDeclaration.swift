import PluginCore

/// The parameters that a route or an action takes and the result that it returns, as the types of its contract declare them.
///
/// `bundletool lint` compares them with those of the last published version: a new required parameter and another type break callers.
public struct InputDeclaration: Hashable, Sendable, Codable {
    /// A parameter.
    public struct Parameter: Hashable, Sendable, Codable {
        /// The name.
        public let name: String
        /// A Boolean value that indicates whether a request without the parameter is an error.
        public let isRequired: Bool
        /// The form of its values, or nil if it is not known.
        public let shape: ValueShape?

        /// Creates a parameter.
        public init(_ name: String, isRequired: Bool, shape: ValueShape? = nil) {
            self.name = name
            self.isRequired = isRequired
            self.shape = shape
        }
    }

    /// The pattern of a route, or an action as `Target.action`.
    public let subject: String
    /// The parameters in the order in which the type decodes them, without captures.
    public let parameters: [Parameter]
    /// The parameters that are captures of the route's pattern, which every address contains.
    public let captures: [Parameter]
    /// The form of the result; nil if it is not known, and for a route that shows a page.
    public let output: ValueShape?
    /// A Boolean value that indicates whether all parameters are known.
    ///
    /// They are found by decoding the type without values. A type that rejects every value that is tried in place of one hides the
    /// parameters that it decodes after it.
    public let isComplete: Bool

    /// Creates a declaration.
    public init(
        of subject: String, parameters: [Parameter], captures: [Parameter] = [], output: ValueShape? = nil,
        isComplete: Bool = true
    ) {
        self.subject = subject
        self.parameters = parameters
        self.captures = captures
        self.output = output
        self.isComplete = isComplete
    }
}

extension InputDeclaration {
    /// The name of the parameter of an input that is a single value.
    private static let only = "value"

    /// Finds the parameters of a contract's input, and the form of its result.
    init(of contract: BoundContract) {
        let (parameters, isComplete) = Self.parameters(of: contract.input)
        // An input that is a single value is the pattern's only capture.
        let captures = contract.captures.isEmpty ? [] : contract.captures.union([Self.only])
        self.init(
            of: contract.subject, parameters: parameters.filter { !captures.contains($0.name) },
            captures: parameters.filter { captures.contains($0.name) },
            output: contract.output.map { contract.passesUncoded ? .value("\($0)") : ValueShape(of: $0) },
            isComplete: isComplete)
    }

    private static func parameters(of type: any Decodable.Type) -> ([Parameter], isComplete: Bool) {
        if type == NoValue.self { return ([], true) }
        let shape = ValueShape(of: type)
        let (record, isComplete) = ShapeProbe.record(of: type)
        guard record.isStructure else { return ([Parameter(only, isRequired: true, shape: shape.wrapped)], true) }
        let parameters = record.properties.map { name, shape in
            Parameter(name, isRequired: shape.map { $0 == $0.wrapped } ?? false, shape: shape?.wrapped)
        }
        return (parameters, isComplete)
    }
}

extension ValueShape {
    /// The form of the value that may be absent, or this form.
    fileprivate var wrapped: ValueShape { if case .optional(let wrapped) = self { wrapped } else { self } }
}
