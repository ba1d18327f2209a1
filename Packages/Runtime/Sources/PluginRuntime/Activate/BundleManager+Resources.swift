import Registry
public import PluginCore

/// The resources of bundles.
extension BundleManager {
    /// Returns the resources of a bundle, without loading its code.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `bundleUnavailable`, and the errors of loading when the signer
    ///   is no longer trusted or the seal is missing.
    public func resources(of identifier: String) async throws -> BundleResources {
        while true {
            guard let bundle = try registry.active.version(of: identifier) else {
                throw AtriumError(.bundleNotInstalled, identifier)
            }
            do {
                try lockVersion(bundle)
                try requireTrust(in: bundle)
                let resources = resources(of: bundle)
                track(resources, of: bundle)
                return resources
            } catch is BundleStart.CutOff {
                // Try again with the version that is active now.
            }
        }
    }

    /// Returns the resources of a version, each of which is verified when it is read.
    func resources(of bundle: PluginBundle) -> BundleResources {
        let (sealed, log) = (sealedResources.resources(of: bundle), services.log)
        return BundleResources(root: sealed.root, languages: services.languages) {
            [trustPolicy, seals] name throws(AtriumError) in
            let bytes = try sealed.bytes(of: name)
            // Only now, because a rejected version must not cause writes.
            trustPolicy.saveRecords()
            seals.saveRecords()
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
