extension AtriumError {
    /// The bundle and the request in which an error occurred.
    public struct Source: Hashable, Sendable {
        /// The bundle, such as com.example.app.shop@1.1.0, or its identifier alone for a page described by data.
        public let bundle: String
        /// The request that the bundle handled: an address, a target with its action, or a page action.
        public let request: String
        /// The requests that led to this one, starting with the user's.
        public let chain: [String]

        /// Creates a source.
        public init(bundle: String, request: String, chain: [String]) {
            self.bundle = bundle
            self.request = request
            self.chain = chain
        }
    }

    /// Returns the error with the bundle and the request in which it occurred.
    ///
    /// An error that already has a source keeps it, so the bundle that failed first is named and not the bundles that passed the error on.
    /// An error of another type becomes one with code `pluginFailed`, because a caller in another bundle cannot know the type; the original
    /// error is then ``underlying``.
    public static func from(_ error: any Error, in source: Source) -> AtriumError {
        var result: AtriumError
        if let error = error as? AtriumError {
            result = error
        } else {
            result = AtriumError(.pluginFailed, source.bundle, reason: .verbatim("\(error)"))
            result.underlying = error
        }
        result.source = result.source ?? source
        return result
    }

    /// Returns the error with another one as its cause.
    public func caused(by error: any Error) -> AtriumError {
        var result = self
        result.underlying = error
        return result
    }
}
