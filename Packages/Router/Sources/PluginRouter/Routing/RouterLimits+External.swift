import PluginCore

extension RouterLimits {
    /// Throws an error for an external request whose address or user info is too large.
    ///
    /// - Throws: ``AtriumError`` with code `requestTooLarge`.
    func check(_ request: RouteRequest) throws(AtriumError) {
        try check(request.uri, from: request.origin)
        try check(request.userInfo, of: request.uri.text, from: request.origin)
    }

    /// Throws an error for an external address that is too large, before anything else is checked.
    ///
    /// - Throws: ``AtriumError`` with code `requestTooLarge`.
    func check(_ uri: ResourceURI, from origin: RequestOrigin) throws(AtriumError) {
        guard origin == .external else { return }
        let length = uri.text.utf8.count
        if length > externalAddressBytes { throw .tooLarge(uri.text, "bytes", length, externalAddressBytes) }
        let items = uri.parameters.items + (uri.fragmentAddress?.parameters.items ?? [])
        let longest = items.map { max($0.name.utf8.count, $0.value.utf8.count) }.max() ?? 0
        try check(items.count, longest: longest, of: uri.text)
    }

    /// Throws an error for parameters of an external caller that are too large.
    ///
    /// - Throws: ``AtriumError`` with code `requestTooLarge`.
    func check(
        _ parameters: ActionParameters, of subject: String, from origin: RequestOrigin
    ) throws(AtriumError) {
        guard origin == .external else { return }
        // The count is checked before each parameter is measured.
        try check(parameters.values.count, longest: 0, of: subject)
        let longest = parameters.values.map { name, value in
            max(name.utf8.count, ParameterSize.bytes(of: value, upTo: externalValueBytes))
        }
        try check(parameters.values.count, longest: longest.max() ?? 0, of: subject)
    }

    private func check(_ count: Int, longest: Int, of subject: String) throws(AtriumError) {
        if count > externalParameters { throw .tooLarge(subject, "parameters", count, externalParameters) }
        guard longest > externalValueBytes else { return }
        throw .tooLarge(subject, "bytes of one parameter", longest, externalValueBytes)
    }
}

extension AtriumError {
    /// Returns the error for a request that is too large.
    static func tooLarge(_ subject: String, _ what: String, _ size: Int, _ limit: Int) -> AtriumError {
        // A text that is too long to be opened is too long to be quoted.
        let quoted = subject.prefix(80)
        return AtriumError(
            .requestTooLarge, quoted.endIndex == subject.endIndex ? subject : quoted + "...",
            detail: "\(what): \(size), at most \(limit)"
        )
    }
}
