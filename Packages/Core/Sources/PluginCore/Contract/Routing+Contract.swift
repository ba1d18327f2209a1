extension Routing {
    /// Returns the address of a contract's route for an input.
    ///
    /// The contract's pattern matches the address, and decoding it returns an equal input.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType` for an input that an address cannot contain, and the
    ///   errors of ``address(of:_:scheme:)``.
    public func address<Contract: RouteContract>(for contract: Contract, _ input: Contract.Input) throws -> ResourceURI
    {
        try address(of: contract.pattern, contract.parts(of: input), scheme: contract.route.scheme)
    }

    /// Opens the page of a contract, or runs its handler.
    ///
    /// - Throws: The errors of ``address(for:_:)`` and ``open(_:userInfo:presentation:)``.
    @discardableResult
    public func open<Contract: RouteContract>(
        _ contract: Contract, _ input: Contract.Input, userInfo: ActionParameters = [:],
        presentation: Presentation = .push
    ) async throws -> RouteOutcome {
        try await open(address(for: contract, input), userInfo: userInfo, presentation: presentation)
    }

    /// Returns the object of a contract, or the result of its handler.
    ///
    /// - Throws: The errors of ``address(for:_:)``, ``object(for:userInfo:)`` and ``open(_:userInfo:presentation:)``; ``AtriumError`` with
    ///   code `routeKind` for a handler that showed a page, and `resultType` for a value that is not the contract's output.
    public func value<Contract: AnsweringRoute>(
        of contract: Contract, _ input: Contract.Input, userInfo: ActionParameters = [:]
    ) async throws -> Contract.Output {
        let uri = try address(for: contract, input)
        if Contract.kind == .object { return try contract.output(await object(for: uri, userInfo: userInfo)) }
        let outcome = try await open(uri, userInfo: userInfo, presentation: .push)
        guard case .handled(let value) = outcome else {
            throw AtriumError(.routeKind, uri, reason: "handlerShowedPage")
        }
        return try contract.output(value)
    }

    /// Returns the page of a contract, without showing it.
    ///
    /// - Throws: The errors of ``address(for:_:)`` and ``page(for:userInfo:)``.
    public func page<Input: Codable & Sendable>(
        for contract: PageRoute<Input>, _ input: Input, userInfo: ActionParameters = [:]
    ) async throws -> any Page {
        try await page(for: address(for: contract, input), userInfo: userInfo)
    }

    /// Registers the route of a contract. The route is removed when this router's bundle is unloaded.
    ///
    /// - Throws: The errors of ``register(_:kind:options:handler:)``.
    public func register<Contract: RouteContract>(
        _ contract: Contract, options: RouteOptions = RouteOptions(),
        _ serve: @escaping @Sendable (Contract.Input) async throws -> Contract.Answer
    ) async throws {
        try await register(contract.pattern, kind: Contract.kind, options: options) { request in
            try Contract.resource(of: await serve(contract.input(of: request)))
        }
    }
}

/// Convenience methods for contracts without parameters.
extension Routing {
    /// Returns the address of a contract's route; see ``address(for:_:)``.
    public func address<Contract: RouteContract<NoValue, Output>, Output>(for contract: Contract) throws -> ResourceURI
    {
        try address(for: contract, NoValue())
    }

    /// Opens the page of a contract, or runs its handler; see ``open(_:_:userInfo:presentation:)``.
    @discardableResult
    public func open<Contract: RouteContract<NoValue, Output>, Output>(
        _ contract: Contract, userInfo: ActionParameters = [:], presentation: Presentation = .push
    ) async throws -> RouteOutcome {
        try await open(contract, NoValue(), userInfo: userInfo, presentation: presentation)
    }

    /// Returns the object of a contract, or the result of its handler; see ``value(of:_:userInfo:)``.
    public func value<Contract: AnsweringRoute<NoValue, Output>, Output>(
        of contract: Contract, userInfo: ActionParameters = [:]
    ) async throws -> Output {
        try await value(of: contract, NoValue(), userInfo: userInfo)
    }

    /// Returns the page of a contract, without showing it; see ``page(for:_:userInfo:)``.
    public func page(for contract: PageRoute<NoValue>, userInfo: ActionParameters = [:]) async throws -> any Page {
        try await page(for: contract, NoValue(), userInfo: userInfo)
    }
}
