// Capitalized, because a binding reads like a declaration; members of the delegate, because `Page` is also a protocol.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The routes of a principal object, each bound to a closure on the main actor.
extension BundleDelegate {
    /// Binds a page without input.
    public static func Page(
        _ contract: RouteContract<NoValue, NoValue>,
        _ make: @escaping @MainActor @Sendable (Self) async throws -> any Page
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .page) { bundle, _ in .page(try await make(bundle)) }
    }

    /// Binds a page.
    public static func Page<Input: Codable & Sendable>(
        _ contract: RouteContract<Input, NoValue>,
        _ make: @escaping @MainActor @Sendable (Self, Input) async throws -> any Page
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .page) { bundle, request in
            .page(try await make(bundle, request.input(of: contract)))
        }
    }

    /// Binds a page that needs the whole request, such as its user info or its origin.
    public static func Page<Input: Codable & Sendable>(
        _ contract: RouteContract<Input, NoValue>,
        _ make: @escaping @MainActor @Sendable (Self, Input, ResourceRequest) async throws -> any Page
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .page) { bundle, request in
            .page(try await make(bundle, request.input(of: contract), request))
        }
    }

    /// Binds an object without input.
    public static func Object<Output: Codable & Sendable>(
        _ contract: RouteContract<NoValue, Output>,
        _ make: @escaping @MainActor @Sendable (Self) async throws -> Output
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .object) { bundle, _ in try .output(of: contract, await make(bundle)) }
    }

    /// Binds an object.
    public static func Object<Input: Codable & Sendable, Output: Codable & Sendable>(
        _ contract: RouteContract<Input, Output>,
        _ make: @escaping @MainActor @Sendable (Self, Input) async throws -> Output
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .object) { bundle, request in
            try .output(of: contract, await make(bundle, request.input(of: contract)))
        }
    }

    /// Binds an object that needs the whole request, such as its user info or its origin.
    public static func Object<Input: Codable & Sendable, Output: Codable & Sendable>(
        _ contract: RouteContract<Input, Output>,
        _ make: @escaping @MainActor @Sendable (Self, Input, ResourceRequest) async throws -> Output
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .object) { bundle, request in
            try .output(of: contract, await make(bundle, request.input(of: contract), request))
        }
    }

    /// Binds a handler without input.
    @_disfavoredOverload
    public static func Handler<Output: Codable & Sendable>(
        _ contract: RouteContract<NoValue, Output>,
        _ run: @escaping @MainActor @Sendable (Self) async throws -> Output
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .handler) { bundle, _ in try .output(of: contract, await run(bundle)) }
    }

    /// Binds a handler.
    @_disfavoredOverload
    public static func Handler<Input: Codable & Sendable, Output: Codable & Sendable>(
        _ contract: RouteContract<Input, Output>,
        _ run: @escaping @MainActor @Sendable (Self, Input) async throws -> Output
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .handler) { bundle, request in
            try .output(of: contract, await run(bundle, request.input(of: contract)))
        }
    }

    /// Binds a handler that needs the whole request, such as its user info or its origin.
    @_disfavoredOverload
    public static func Handler<Input: Codable & Sendable, Output: Codable & Sendable>(
        _ contract: RouteContract<Input, Output>,
        _ run: @escaping @MainActor @Sendable (Self, Input, ResourceRequest) async throws -> Output
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .handler) { bundle, request in
            try .output(of: contract, await run(bundle, request.input(of: contract), request))
        }
    }

    /// Binds a handler without input and result.
    public static func Handler(
        _ contract: RouteContract<NoValue, NoValue>,
        _ run: @escaping @MainActor @Sendable (Self) async throws -> Void
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .handler) { bundle, _ in .object(try await run(bundle)) }
    }

    /// Binds a handler without result.
    public static func Handler<Input: Codable & Sendable>(
        _ contract: RouteContract<Input, NoValue>,
        _ run: @escaping @MainActor @Sendable (Self, Input) async throws -> Void
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .handler) { bundle, request in
            .object(try await run(bundle, request.input(of: contract)))
        }
    }

    /// Binds a handler without result that needs the whole request, such as its user info or its origin.
    public static func Handler<Input: Codable & Sendable>(
        _ contract: RouteContract<Input, NoValue>,
        _ run: @escaping @MainActor @Sendable (Self, Input, ResourceRequest) async throws -> Void
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .handler) { bundle, request in
            .object(try await run(bundle, request.input(of: contract), request))
        }
    }
}
