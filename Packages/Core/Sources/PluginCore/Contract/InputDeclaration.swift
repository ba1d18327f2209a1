/// The parameters that a route or an action takes, as the type of its input declares them.
///
/// `bundletool lint` compares them with those of the last published version: a new required parameter breaks callers. The captures of a
/// pattern are not among them, because every address contains them.
public struct InputDeclaration: Hashable, Sendable, Codable {
    /// A parameter.
    public struct Parameter: Hashable, Sendable, Codable {
        /// The name.
        public let name: String
        /// A Boolean value that indicates whether a request without the parameter is an error.
        public let isRequired: Bool

        /// Creates a parameter.
        public init(_ name: String, isRequired: Bool) {
            self.name = name
            self.isRequired = isRequired
        }
    }

    /// The pattern of a route, or an action as `Target.action`.
    public let subject: String
    /// The parameters in the order in which the type decodes them.
    public let parameters: [Parameter]
    /// A Boolean value that indicates whether all parameters are known.
    ///
    /// They are found by decoding the type without values. A type that rejects every value that is tried in place of one hides the
    /// parameters that it decodes after it.
    public let isComplete: Bool

    /// Creates a declaration.
    public init(of subject: String, parameters: [Parameter], isComplete: Bool = true) {
        self.subject = subject
        self.parameters = parameters
        self.isComplete = isComplete
    }

    /// Finds the parameters of a type.
    ///
    /// - Parameter captures: The names that an address always contains.
    init<Input: Decodable>(of subject: String, _ type: Input.Type, captures: Set<String> = []) {
        let record = ParameterRecord()
        let isComplete = type == NoValue.self || (try? ParameterProbe(name: nil, record: record).value(type)) != nil
        self.init(
            of: subject, parameters: record.parameters.filter { !captures.contains($0.name) }, isComplete: isComplete)
    }
}

extension InputDeclaration {
    /// The parameters of a route's input.
    init<Input: Codable, Output>(of contract: RouteContract<Input, Output>) {
        let names = contract.names
        // An input that is a single value is the pattern's only capture.
        let captures = names.captures.union([names.rest, ParameterProbe.onlyName].compactMap(\.self))
        self.init(of: contract.pattern, Input.self, captures: captures)
    }

    /// The parameters of an action's input.
    init<Input: Codable, Output>(of contract: ActionContract<Input, Output>) {
        self.init(of: "\(contract.target).\(contract.name)", Input.self)
    }
}
