internal import PluginCore

extension FaultOperation {
    /// Returns the operations that fetch from a published catalog.
    ///
    /// - `download` installs a bundle and its requirements into a new sandbox, over HTTP.
    /// - `refresh` fetches the metadata of a newer publication.
    ///
    /// - Parameters:
    ///   - identifier: The bundle.
    ///   - site: The catalog.
    public static func published(_ identifier: String, on site: PublishedSite) -> [FaultOperation] {
        let trust = Step.run("catalog", "trust", site.root.string)
        return [
            FaultOperation(
                "download", preparation: [.perform { try site.show(.newer) }, trust], command: ["install", identifier],
                address: site.address),
            FaultOperation(
                "refresh",
                preparation: [
                    .perform { try site.show(.older) }, trust, .run("catalog", "refresh"),
                    .perform { try site.show(.newer) },
                ], command: ["catalog", "refresh"], address: site.address),
        ]
    }
}
