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
}
