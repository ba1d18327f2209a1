extension Routing {
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
