public import PluginCore

/// What bundles get and give of their resources.
extension BundleManager {
    /// The resources of a bundle, without loading its code.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `bundleUnavailable`, and as a load does when who sealed the bundle
    ///   is not believed any more, or its seal is not there.
    public func resources(of identifier: String) async throws -> BundleResources {
        while true {
            guard let bundle = try registry.active(identifier) else {
                throw AtriumError(.bundleNotInstalled, identifier)
            }
            do {
                try hold(bundle)
                try requireTrust(in: bundle)
                let resources = resources(of: bundle)
                lend(resources, of: bundle)
                return resources
            } catch is BundleStart.CutOff {
                // What is active by now has the resources.
            }
        }
    }

    /// The resources of a version, each held against the seal when it is read.
    func resources(of bundle: PluginBundle) -> BundleResources {
        let (sealed, log) = (sealedResources.resources(of: bundle), services.log)
        return BundleResources(root: sealed.root, languages: services.languages) {
            [gate, seals] name throws(AtriumError) in
            let bytes = try sealed.bytes(of: name)
            // Not before: what is refused writes nothing.
            gate.keep()
            seals.keep()
            return bytes
        } onRefusedTexts: { error in
            guard sealed.isFirst("\(error)") else { return }
            log(bundle.identity.identifier, .error, "texts of \(bundle.identity.version) are not shown: \(error)")
        } onMissingText: { sentence in
            guard sealed.isFirst(sentence) else { return }
            log(bundle.identity.identifier, .debug, sentence)
        }
    }
}
