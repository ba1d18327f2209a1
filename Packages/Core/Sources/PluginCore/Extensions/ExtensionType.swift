/// The type of an extension's principal object, which declares its extension point and starts the extension.
public struct ExtensionType: Sendable {
    private let declared: @MainActor @Sendable () -> (point: String, limits: ExtensionLimits)
    private let started: @MainActor @Sendable (ExtensionEnvironment) async throws -> ExtensionPrincipal

    /// Creates a description of a class.
    public init<Extension: ExtensionDelegate>(_ type: Extension.Type) {
        declared = { (Extension.point.identifier, Extension.point.limits) }
        started = { ExtensionPrincipal(try await Extension(environment: $0)) }
    }

    /// The identifier of the extension point.
    @MainActor
    public var point: String { declared().point }

    /// The limits of the extension point.
    @MainActor
    public var limits: ExtensionLimits { declared().limits }

    /// Creates the principal object.
    ///
    /// - Throws: The errors of the object's `init`.
    @MainActor
    public func start(_ environment: ExtensionEnvironment) async throws -> ExtensionPrincipal {
        try await started(environment)
    }
}

/// The principal object of a started extension, as the process that runs it calls it.
public struct ExtensionPrincipal: Sendable {
    private let beginBody:
        @MainActor @Sendable (CodedValue, [ExtensionItem], any ExtensionRequestHost) async throws -> Void
    private let endBody: @MainActor @Sendable () async -> Void

    /// Creates the principal of an extension's object. Tests of extensions call this.
    @MainActor
    public init<Extension: ExtensionDelegate>(_ object: Extension) {
        beginBody = { input, items, host in
            let input = try input.value(as: Extension.Input.self)
            try await object.beginRequest(input, in: ExtensionContext(items: items, host: host))
        }
        endBody = { await object.extensionWillEnd() }
    }

    /// Handles a request. The result arrives at the host's side of the request, now or later.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` for an input that is not the extension point's, and the errors of the extension.
    @MainActor
    public func beginRequest(
        _ input: CodedValue, items: [ExtensionItem], host: any ExtensionRequestHost
    ) async throws {
        try await beginBody(input, items, host)
    }

    /// Prepares the extension for the end of its process.
    @MainActor
    public func extensionWillEnd() async { await endBody() }
}
