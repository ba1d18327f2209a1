package import PluginCore

/// The pages of an extension's requests.
extension ObjectConnection {
    /// Returns the object with number 0 of an extension's host, whose only function shows the page of a request.
    ///
    /// - Parameter show: Shows a page for the request with a number.
    package static func root(
        showing show: @escaping @Sendable (_ request: UInt32, RemotePage) async throws -> Void
    ) -> any ExportedObject {
        let function: @Sendable (UInt32, PassedPage) async throws -> Void = { request, passed in
            // An extension has no pages of its host.
            guard let page = passed.page as? RemotePage else { throw WireReader.Malformed() }
            try await show(request, page)
        }
        return ExportedClosure(function)
    }

    /// Lets the host show a page for the request with a number.
    package func show(_ page: any Page, for request: UInt32) async throws {
        try await call(ExportedClosure.Function.call, request, PassedPage(page))
    }
}
