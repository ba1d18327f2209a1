import PluginCore

extension Router {
    /// The number of retries if a bundle is unloaded between finding it and calling it.
    private static let attempts = 100

    /// Runs a closure that finds routes and calls their bundles. If one of them is unloaded in between, runs it again.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` if this happens too often, and the errors of `body`.
    func retryingLookUp<R>(_ body: () async throws -> R) async throws -> R {
        for _ in 1..<Self.attempts {
            await provider.catchUp()
            do { return try await body() } catch is Lease.Revoked {}
        }
        await provider.catchUp()
        do {
            return try await body()
        } catch let gone as Lease.Revoked {
            throw AtriumError.unloaded(gone.owner)
        }
    }
}

extension RouteMatch {
    /// Runs a closure as a call into the code that registered the route.
    ///
    /// - Throws: ``Lease/Revoked`` if that code was unloaded, and the errors of `body`.
    func whileOpen<R>(_ body: () async throws -> R) async throws -> R {
        guard let lease else { return try await body() }
        return try await lease.whileOpen(body)
    }
}

extension Lease {
    /// An error that indicates that a bundle was unloaded before it could be called.
    struct Revoked: Error {
        let owner: String
    }

    /// Runs a closure as a call, which must end before the lease is drained.
    ///
    /// - Throws: ``Revoked``, and the errors of `body`.
    func whileOpen<R>(_ body: () async throws -> R) async throws -> R {
        guard begin() else { throw Revoked(owner: owner) }
        defer { end() }
        return try await body()
    }

    /// Runs a closure as a call and records the page that it returns.
    ///
    /// See ``whileOpen(_:)``.
    func recordingPages(_ body: () async throws -> Resource) async throws -> Resource {
        try await whileOpen {
            let resource = try await body()
            pages.add(resource)
            return resource
        }
    }
}
