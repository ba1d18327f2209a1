package import PluginCore
internal import SQLite

extension Registry {
    /// Returns the requirements that must be active before a bundle's active version is loaded.
    ///
    /// A record that was read as an active version has them already.
    package func hardRequirements(of bundle: PluginBundle) throws(AtriumError) -> [BundleRequirement] {
        if let requirements = bundle.hardRequirements { return requirements }
        return try read { database in
            try database.query(
                "SELECT bundle, versions FROM requirement WHERE owner = ? AND on_demand = 0 ORDER BY bundle",
                bundle.identity.identifier
            ) { row in try Self.requirement(try row[0], try row[1], of: bundle) }
        } ?? []
    }

    static func requirement(
        _ identifier: String, _ range: String, of bundle: PluginBundle
    ) throws(AtriumError) -> BundleRequirement {
        guard let versions = VersionRange(range) else {
            throw AtriumError(
                .registryDamaged, bundle.identity.description, detail: "range \"\(range)\" cannot be read")
        }
        return BundleRequirement(identifier: identifier, versions: versions)
    }
}
