public import PluginCore
internal import SQLite

extension Registry {
    /// What SQLite's own check finds wrong with the file, and rows that refer to nothing; empty for a sound registry, and
    /// for none. Reads every page.
    ///
    /// - Throws: ``AtriumError`` with code `registryDamaged`, `registryNewer`, `sandboxBusy`, `inputOutput` when it can not
    ///   even be opened.
    public func integrityProblems() throws(AtriumError) -> [String] {
        try read { try $0.integrityCheck() } ?? []
    }

    /// Every version that a row names, active or not, with the digest that its folder is called by.
    public func namedVersions() throws(AtriumError) -> [(identity: BundleIdentity, digest: String)] {
        try read { database in
            try database.query("SELECT identifier, version, digest FROM bundle ORDER BY 1, 2, 3") { row in
                let (identifier, text) = (try row[0, as: String.self], try row[1, as: String.self])
                guard let version = SemanticVersion(text) else {
                    throw AtriumError(.registryDamaged, identifier, detail: "version \"\(text)\" can not be read")
                }
                return (BundleIdentity(identifier: identifier, version: version), try row[2])
            }
        } ?? []
    }
}
