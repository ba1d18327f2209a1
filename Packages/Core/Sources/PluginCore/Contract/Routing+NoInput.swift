/// Contracts of routes without parameters.
extension Routing {
    /// The address of a contract's route; see ``address(for:_:)``.
    public func address<Output>(for contract: RouteContract<NoValue, Output>) throws -> ResourceURI {
        try address(for: contract, NoValue())
    }

    /// Opens the page, or runs the handler, of a contract; see ``open(_:_:userInfo:presentation:)``.
    @discardableResult
    public func open<Output>(
        _ contract: RouteContract<NoValue, Output>, userInfo: ActionParameters = [:], presentation: Presentation = .push
    ) async throws -> RouteOutcome {
        try await open(contract, NoValue(), userInfo: userInfo, presentation: presentation)
    }

    /// Asks for the object of a contract, or runs its handler; see ``value(of:_:userInfo:)``.
    public func value<Output>(
        of contract: RouteContract<NoValue, Output>, userInfo: ActionParameters = [:]
    ) async throws -> Output {
        try await value(of: contract, NoValue(), userInfo: userInfo)
    }
}
