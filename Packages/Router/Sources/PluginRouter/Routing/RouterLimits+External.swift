import PluginCore

extension RouterLimits {
    /// Refuses an address from outside that is too large, before anybody looks at what it says.
    ///
    /// - Throws: ``AtriumError`` with code `requestTooLarge`.
    func check(_ uri: ResourceURI, from origin: RequestOrigin) throws(AtriumError) {
        guard origin == .external else { return }
        func refuse(_ what: String, _ size: Int, _ limit: Int) -> AtriumError {
            // What is too long to be opened is too long to be quoted.
            let quoted = uri.text.prefix(80)
            return AtriumError(
                .requestTooLarge, quoted.endIndex == uri.text.endIndex ? uri.text : quoted + "...",
                detail: "\(what): \(size), at most \(limit)"
            )
        }
        let length = uri.text.utf8.count
        if length > externalAddressBytes { throw refuse("bytes", length, externalAddressBytes) }
        let items = uri.parameters.items + (uri.fragmentAddress?.parameters.items ?? [])
        if items.count > externalParameters { throw refuse("parameters", items.count, externalParameters) }
        let longest = items.map { max($0.name.utf8.count, $0.value.utf8.count) }.max() ?? 0
        if longest > externalValueBytes { throw refuse("bytes of one parameter", longest, externalValueBytes) }
    }
}
