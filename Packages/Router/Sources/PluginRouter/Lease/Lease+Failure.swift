public import PluginCore

extension Lease {
    /// Runs code of the bundle and adds the bundle as the source of its errors.
    ///
    /// - Parameter request: The request that the code handles: an address or `Target.action`.
    @inline(__always)
    func naming<R>(
        _ request: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> R
    ) async throws -> R {
        do {
            return try await body()
        } catch {
            throw failure(error, in: request(), chain: RequestChain.current?.path)
        }
    }

    /// Returns an error with the bundle as its source. Errors of the host's code and cancellations are returned unchanged.
    ///
    /// - Parameters:
    ///   - request: The request that the code handled.
    ///   - chain: The requests that led there, including the request itself, or `nil` if it is the first.
    func failure(_ error: any Error, in request: String, chain: [String]?) -> any Error {
        guard let bundle, !(error is CancellationError) else { return error }
        let source = AtriumError.Source(bundle: bundle.description, request: request, chain: chain ?? [request])
        return AtriumError.from(error, in: source)
    }

    /// Returns an error of a page action with the bundle as its source and, if known, the requests that led to the page.
    public func failure(_ error: any Error, of action: String, on page: any Page) -> any Error {
        let path = pages.path(to: page) ?? []
        let address = path.last.map { " of \($0)" } ?? ""
        return failure(error, in: "the page action \"\(action)\"\(address)", chain: path + [action])
    }
}
