public import PluginCore

extension Lease {
    /// Runs code of the bundle, and names the bundle in what it throws.
    ///
    /// - Parameter request: what the code serves: an address or `Target.action`.
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

    /// Returns an error of the bundle's code with the bundle's name; one of the host's code, and a cancellation, as it is.
    ///
    /// - Parameters:
    ///   - request: what the code was serving.
    ///   - chain: the requests that led there, itself last; `nil` when it is the first.
    func failure(_ error: any Error, in request: String, chain: [String]?) -> any Error {
        guard let bundle, !(error is CancellationError) else { return error }
        let source = AtriumError.Source(bundle: bundle.description, request: request, chain: chain ?? [request])
        return AtriumError.from(error, in: source)
    }

    /// Returns an error that an action of one of the bundle's pages threw, with the bundle's name and the requests that led to the
    /// page, where they are known.
    public func failure(_ error: any Error, of action: String, on page: any Page) -> any Error {
        let path = pages.path(to: page) ?? []
        let address = path.last.map { " of \($0)" } ?? ""
        return failure(error, in: "the page action \"\(action)\"\(address)", chain: path + [action])
    }
}
