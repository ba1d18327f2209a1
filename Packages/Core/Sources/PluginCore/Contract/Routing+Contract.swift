extension Routing {
    /// Returns the address of a contract's route for an input.
    ///
    /// The contract's pattern matches the address, and decoding it returns an equal input.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType` for an input that an address cannot contain, and the
    ///   errors of ``address(of:_:scheme:)``.
    public func address<Input: Codable & Sendable, Output: Codable & Sendable>(
        for contract: RouteContract<Input, Output>, _ input: Input
    ) throws -> ResourceURI {
        try address(of: contract.pattern, contract.parts(of: input), scheme: contract.scheme)
    }

    /// Opens the page of a contract, or runs its handler.
    ///
    /// - Throws: The errors of ``address(for:_:)`` and ``open(_:userInfo:presentation:)``.
    @discardableResult
    public func open<Input: Codable & Sendable, Output: Codable & Sendable>(
        _ contract: RouteContract<Input, Output>, _ input: Input, userInfo: ActionParameters = [:],
        presentation: Presentation = .push
    ) async throws -> RouteOutcome {
        try await open(address(for: contract, input), userInfo: userInfo, presentation: presentation)
    }

    /// Returns the object of a contract, or the result of its handler.
    ///
    /// - Throws: The errors of ``address(for:_:)``, ``object(for:userInfo:)`` and ``open(_:userInfo:presentation:)``; ``AtriumError`` with
    ///   code `routeKind` for the contract of a page, and `resultType` for a value that is not an `Output`.
    public func value<Input: Codable & Sendable, Output: Codable & Sendable>(
        of contract: RouteContract<Input, Output>, _ input: Input, userInfo: ActionParameters = [:]
    ) async throws -> Output {
        let uri = try address(for: contract, input)
        switch contract.kind {
        case .object: return try contract.output(await object(for: uri, userInfo: userInfo))
        case .handler:
            let outcome = try await open(uri, userInfo: userInfo, presentation: .push)
            guard case .handled(let value) = outcome else {
                throw AtriumError(.routeKind, uri, reason: "handlerShowedPage")
            }
            return try contract.output(value)
        case .page: throw AtriumError(.routeKind, uri, reason: "addressOfPage")
        }
    }

    /// Registers the object or handler route of a contract. The route is removed when this router's bundle is unloaded.
    ///
    /// - Throws: The errors of ``register(_:kind:options:handler:)``; ``AtriumError`` with code `routeKind` for the contract of a page.
    public func register<Input: Codable & Sendable, Output: Codable & Sendable>(
        _ contract: RouteContract<Input, Output>, options: RouteOptions = RouteOptions(),
        _ serve: @escaping @Sendable (Input) async throws -> Output
    ) async throws {
        guard contract.kind != .page else {
            throw AtriumError(
                .routeKind, contract.pattern, reason: "patternOfPage")
        }
        try await register(contract.pattern, kind: contract.kind, options: options) { request in
            try .output(of: contract, await serve(request.input(of: contract)))
        }
    }

    /// Registers the page route of a contract. The route is removed when this router's bundle is unloaded.
    ///
    /// - Throws: The errors of ``register(_:kind:options:handler:)``; ``AtriumError`` with code `routeKind` for a contract of another kind.
    public func registerPage<Input: Codable & Sendable, Output: Codable & Sendable>(
        _ contract: RouteContract<Input, Output>, options: RouteOptions = RouteOptions(),
        _ serve: @escaping @Sendable (Input) async throws -> any Page
    ) async throws {
        guard contract.kind == .page else {
            throw AtriumError(.routeKind, contract.pattern, reason: "patternOfNoPage")
        }
        try await register(contract.pattern, kind: .page, options: options) { request in
            .page(try await serve(request.input(of: contract)))
        }
    }
}

/// Convenience methods for contracts without parameters.
extension Routing {
    /// Returns the address of a contract's route.
    ///
    /// See ``address(for:_:)``.
    public func address<Output: Codable & Sendable>(for contract: RouteContract<NoValue, Output>) throws -> ResourceURI
    {
        try address(for: contract, NoValue())
    }

    /// Opens the page of a contract, or runs its handler.
    ///
    /// See ``open(_:_:userInfo:presentation:)``.
    @discardableResult
    public func open<Output: Codable & Sendable>(
        _ contract: RouteContract<NoValue, Output>, userInfo: ActionParameters = [:], presentation: Presentation = .push
    ) async throws -> RouteOutcome {
        try await open(contract, NoValue(), userInfo: userInfo, presentation: presentation)
    }

    /// Returns the object of a contract, or the result of its handler.
    ///
    /// See ``value(of:_:userInfo:)``.
    public func value<Output: Codable & Sendable>(
        of contract: RouteContract<NoValue, Output>, userInfo: ActionParameters = [:]
    ) async throws -> Output {
        try await value(of: contract, NoValue(), userInfo: userInfo)
    }

    /// Returns the page of a contract, without showing it.
    ///
    /// - Throws: The errors of ``address(for:_:)`` and ``page(for:userInfo:)``.
    public func page<Input: Codable & Sendable, Output: Codable & Sendable>(
        for contract: RouteContract<Input, Output>, _ input: Input, userInfo: ActionParameters = [:]
    ) async throws -> any Page {
        try await page(for: address(for: contract, input), userInfo: userInfo)
    }

    /// Returns the page of a contract without parameters, without showing it.
    ///
    /// - Throws: The errors of ``address(for:)`` and ``page(for:userInfo:)``.
    public func page<Output: Codable & Sendable>(
        for contract: RouteContract<NoValue, Output>, userInfo: ActionParameters = [:]
    ) async throws -> any Page {
        try await page(for: contract, NoValue(), userInfo: userInfo)
    }
}

extension Resource {
    /// Returns the resource for the output of an object or handler route.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` for a value that cannot be encoded.
    public static func output<Input: Codable & Sendable, Output: Codable & Sendable>(
        of contract: RouteContract<Input, Output>, _ value: Output
    ) throws(AtriumError) -> Resource {
        .object(try OutputCoding.encode(value))
    }
}

extension RouteContract where Output: Codable {
    /// Converts a value from another plugin to the contract's output.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` and the pattern as subject.
    func output(_ object: any Sendable) throws(AtriumError) -> Output {
        try OutputCoding.decode(object, pattern)
    }
}
