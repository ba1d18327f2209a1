/// The type of a plugin's principal object, which declares what the plugin provides and starts it.
public struct PrincipalType: Sendable {
    /// The identity of the class, which differs between two loaded versions of a plugin.
    public let identity: ObjectIdentifier
    private let declared: @MainActor @Sendable () -> BundleDeclarations
    private let started: @MainActor @Sendable (BundleContext) async throws -> Principal

    /// Creates a description of a class.
    public init<Bundle: BundleDelegate>(_ type: Bundle.Type) {
        identity = ObjectIdentifier(type)
        declared = { BundleDeclarations(of: Bundle.self) }
        started = { context in
            let bundle = try await Bundle(context: context)
            let services = Bundle.services.bindings
            for index in services.indices {
                let service = services[index]
                try await context.services.provide(service.name, policy: service.policy) {
                    try await service.make(bundle)
                }
            }
            return Principal(bundle)
        }
    }

    /// Everything that the class declares. No principal object is created for it.
    @MainActor
    public var declarations: BundleDeclarations { declared() }

    /// Creates the principal object and provides its services.
    ///
    /// - Throws: The errors of the object's `init`, and of ``ServiceRegistry/provide(_:policy:make:)``.
    @MainActor
    public func start(_ context: BundleContext) async throws -> Principal { try await started(context) }
}
