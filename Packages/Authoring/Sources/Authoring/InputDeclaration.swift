import HostSystem
public import PluginCore
public import PluginExtension

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

/// The declarations in the code of a built library, for tools that pack it.
public enum LibraryDeclarations: Hashable, Sendable, Codable {
    /// The declarations of a plugin with its extension points, and the parameters and results of its routes and actions, which are not part of a
    /// manifest.
    case plugin(BundleDeclarations, points: [ExtensionPointDeclaration], inputs: [InputDeclaration])
    /// The point of an extension.
    case `extension`(ExtensionPointDeclaration)

    /// Loads a library and returns the declarations of its principal object's type.
    ///
    /// The library's initializers, its entry and the static declarations run; no object is created. Such code can end or block the
    /// process, so this belongs in a process of its own.
    ///
    /// - Parameters:
    ///   - library: the path by which the loader opens the library.
    ///   - others: the libraries that it is linked with and that this process doesn't have, each after those that it needs itself.
    ///   - bundle: the bundle, for errors.
    /// - Throws: ``AtriumError`` with code `libraryUnloadable`, `libraryIncompatible` or `inputOutput`.
    @MainActor
    public static func read(
        _ library: FilePath, after others: [FilePath], of bundle: BundleIdentity
    ) throws(AtriumError) -> LibraryDeclarations {
        let entry = try DynamicLibrary(opening: library.string, at: library, after: others, of: bundle).entry(
            of: bundle)
        if let type = entry.extensionType { return .extension(type.declaration) }
        guard let type = entry.principalType else {
            throw AtriumError(.libraryIncompatible, bundle.description, reason: "entryOfLibrary")
        }
        let inputs = type.contracts.map { InputDeclaration(of: $0) }
        return .plugin(type.declarations, points: type.extensionPoints, inputs: inputs)
    }
}
