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

    /// Finds the parameters of a type.
    ///
    /// - Parameter captures: The names that an address always contains.
    init<Input: Decodable>(of subject: String, _ type: Input.Type, captures: Set<String> = [], output: ValueShape?) {
        let record = ParameterRecord()
        let isComplete = type == NoValue.self || (try? ParameterProbe(name: nil, record: record).value(type)) != nil
        let shape = ValueShape(of: type)
        let parameters = record.parameters.map { parameter in
            Parameter(parameter.name, isRequired: parameter.isRequired, shape: shape.parameter(parameter.name))
        }
        self.init(
            of: subject, parameters: parameters.filter { !captures.contains($0.name) },
            captures: parameters.filter { captures.contains($0.name) }, output: output, isComplete: isComplete)
    }
}

extension InputDeclaration {
    /// The parameters of a route's input.
    init<Input: Codable, Output>(of contract: RouteContract<Input, Output>) {
        let names = contract.names
        // An input that is a single value is the pattern's only capture.
        let captures = names.captures.union([names.rest, ParameterProbe.onlyName].compactMap(\.self))
        self.init(
            of: contract.pattern, Input.self, captures: captures,
            output: contract.kind == .page ? nil : ValueShape(ofOutput: Output.self))
    }

    /// The parameters of an action's input.
    init<Input: Codable, Output>(of contract: ActionContract<Input, Output>) {
        self.init(
            of: "\(contract.target).\(contract.name)", Input.self, output: ValueShape(ofOutput: Output.self))
    }
}

extension ValueShape {
    /// Returns the form of an input's property; that of the input itself if it is a single value.
    fileprivate func parameter(_ name: String) -> ValueShape? {
        switch self {
        case .structure(let properties, _):
            let shape = properties.first { $0.name == name }?.shape
            // Whether a parameter may be absent is known without its form.
            if case .optional(let wrapped) = shape { return wrapped }
            return shape
        case .optional(let wrapped): return wrapped.parameter(name)
        case .value, .list: return self
        }
    }
}

/// The names in a route pattern, found without parsing the full grammar, which the router does.
struct PatternNames: Hashable, Sendable {
    private(set) var captures: Set<String> = []
    private(set) var rest: String?

    /// Finds the names of a pattern. The result for a malformed pattern may be incomplete.
    init(_ pattern: String) {
        let bytes = Array(pattern.utf8)
        func name(at start: Int) -> String? {
            guard start < bytes.count, bytes[start].isNameByte, !bytes[start].isASCIIDigit else { return nil }
            return String(decoding: bytes[start...].prefix(while: \.isNameByte), as: UTF8.self)
        }
        for index in bytes.indices.dropLast() {
            switch (bytes[index], bytes[index + 1]) {
            case (.colon, UInt8(ascii: "{")): if let name = name(at: index + 2) { captures.insert(name) }
            case (.colon, _): if let name = name(at: index + 1) { captures.insert(name) }
            case (UInt8(ascii: "*"), UInt8(ascii: "*")): rest = name(at: index + 2) ?? "rest"
            default: continue
            }
        }
    }

    /// The only name, or nil if the pattern has none or several.
    var only: String? {
        switch (captures.count, rest) {
        case (0, let rest): rest
        case (1, nil): captures.first
        default: nil
        }
    }
}

extension UInt8 {
    fileprivate var isNameByte: Bool { isASCIILetter || isASCIIDigit || self == UInt8(ascii: "_") }
}
