/// Calls of other plugins by their contracts.
extension BundleContext {
    /// Performs the action of a contract; see ``Mediating/perform(_:_:userInfo:)``.
    @discardableResult
    public func call<Input: Codable & Sendable, Output: Sendable>(
        _ contract: ActionContract<Input, Output>, _ input: Input, userInfo: ActionParameters = [:]
    ) async throws -> Output {
        try await mediator.perform(contract, input, userInfo: userInfo)
    }

    /// Performs the action of a contract without input; see ``Mediating/perform(_:_:userInfo:)``.
    @discardableResult
    public func call<Output: Sendable>(
        _ contract: ActionContract<NoValue, Output>, userInfo: ActionParameters = [:]
    ) async throws -> Output {
        try await mediator.perform(contract, userInfo: userInfo)
    }

    /// Opens the page of a contract, or runs its handler; see ``Routing/open(_:_:userInfo:presentation:)``.
    @discardableResult
    public func open<Contract: RouteContract>(
        _ contract: Contract, _ input: Contract.Input, userInfo: ActionParameters = [:],
        presentation: Presentation = .push
    ) async throws -> RouteOutcome {
        try await router.open(contract, input, userInfo: userInfo, presentation: presentation)
    }

    /// Opens the page of a contract without input, or runs its handler; see ``Routing/open(_:userInfo:presentation:)``.
    @discardableResult
    public func open<Contract: RouteContract<NoValue, Output>, Output>(
        _ contract: Contract, userInfo: ActionParameters = [:], presentation: Presentation = .push
    ) async throws -> RouteOutcome {
        try await router.open(contract, userInfo: userInfo, presentation: presentation)
    }

    /// Returns the object of a contract, or the result of its handler; see ``Routing/value(of:_:userInfo:)``.
    public func value<Contract: AnsweringRoute>(
        of contract: Contract, _ input: Contract.Input, userInfo: ActionParameters = [:]
    ) async throws -> Contract.Output {
        try await router.value(of: contract, input, userInfo: userInfo)
    }

    /// Returns the object of a contract without input, or the result of its handler; see ``Routing/value(of:_:userInfo:)``.
    public func value<Contract: AnsweringRoute<NoValue, Output>, Output>(
        of contract: Contract, userInfo: ActionParameters = [:]
    ) async throws -> Output {
        try await router.value(of: contract, userInfo: userInfo)
    }

    /// Returns the address of a contract for a row, or nil for an input that an address cannot contain.
    public func address<Contract: RouteContract>(for contract: Contract, _ input: Contract.Input) -> ResourceURI? {
        try? router.address(for: contract, input)
    }

    /// Returns the address of a contract without input for a row.
    public func address<Contract: RouteContract<NoValue, Output>, Output>(for contract: Contract) -> ResourceURI? {
        try? router.address(for: contract)
    }
}
