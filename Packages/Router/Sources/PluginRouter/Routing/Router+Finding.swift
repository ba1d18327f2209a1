import PluginCore

extension Router {
    /// How often a request looks again when a bundle that it has found goes before it is asked for anything.
    private static let attempts = 100

    /// Runs `body`, which finds routes and asks their bundles, on what is installed now; again, when one of the bundles goes in
    /// between: its successor serves the request.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` when they go faster than they can be asked, and what `body`
    ///   throws.
    func finding<R>(_ body: () async throws -> R) async throws -> R {
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
    /// Runs `body` as a call into the code that registered the route.
    ///
    /// - Throws: ``Lease/Revoked`` when it has gone, and what `body` throws.
    func holding<R>(_ body: () async throws -> R) async throws -> R {
        guard let lease else { return try await body() }
        return try await lease.holding(body)
    }
}

extension Lease {
    /// Nothing has been asked of a bundle, because it has gone.
    struct Revoked: Error {
        let owner: String
    }

    /// Runs `body` as a call that ends before the lease is drained.
    ///
    /// - Throws: ``Revoked``, and what `body` throws.
    func holding<R>(_ body: () async throws -> R) async throws -> R {
        guard begin() else { throw Revoked(owner: owner) }
        defer { end() }
        return try await body()
    }

    /// As ``holding(_:)``, for a call that hands something out.
    func handing(_ body: () async throws -> Resource) async throws -> Resource {
        try await holding {
            let resource = try await body()
            pages.add(resource)
            return resource
        }
    }
}
