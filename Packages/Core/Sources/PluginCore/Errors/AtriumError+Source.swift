extension AtriumError {
    /// Where in a bundle an error came up.
    public struct Source: Hashable, Sendable {
        /// The bundle: `com.example.app.shop@1.1.0`; without the version for a page that is data.
        public let bundle: String
        /// The request that the bundle's code was serving: an address, `Target.action`, an action of a page.
        public let request: String
        /// The requests that led to one another, the user's first.
        public let chain: [String]

        /// Names a bundle and what it was doing.
        public init(bundle: String, request: String, chain: [String]) {
            self.bundle = bundle
            self.request = request
            self.chain = chain
        }
    }

    /// Returns an error that came out of a bundle's code, with the place where it did.
    ///
    /// An error that already has a place keeps it: the code that failed first is named, and not the bundles that passed the error
    /// on. An error of another type becomes one with code `pluginFailed`, because a caller in another bundle cannot know the
    /// type; it is then ``underlying``.
    public static func from(_ error: any Error, in source: Source) -> AtriumError {
        var result: AtriumError
        if let error = error as? AtriumError {
            result = error
        } else {
            result = AtriumError(.pluginFailed, source.bundle, detail: "\(error)")
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
