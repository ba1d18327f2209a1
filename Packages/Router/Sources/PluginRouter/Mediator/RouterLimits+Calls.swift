import PluginCore

extension RouterLimits {
    /// Throws for an address from outside that is larger than such may be.
    ///
    /// - Throws: ``AtriumError`` with code `requestTooLarge`; its subject is the beginning of the address.
    func requireSmall(_ uri: ResourceURI) throws(AtriumError) {
        let items = uri.parameters.items
        let detail: String? =
            if uri.text.utf8.count > externalAddressBytes {
                "it has \(uri.text.utf8.count) bytes, and may have \(externalAddressBytes)"
            } else if items.count > externalParameters {
                "it has \(items.count) parameters, and may have \(externalParameters)"
            } else if items.contains(where: { max($0.name.utf8.count, $0.value.utf8.count) > externalValueBytes }) {
                "a parameter of it has more than \(externalValueBytes) bytes"
            } else { nil }
        if let detail { throw AtriumError(.requestTooLarge, String(uri.text.prefix(64)), detail: detail) }
    }
}
