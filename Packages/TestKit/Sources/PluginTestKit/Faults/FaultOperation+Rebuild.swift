public import PluginCore

extension FaultOperation {
    /// Returns the operation that rebuilds the registry.
    ///
    /// The sandbox contains a bundle that was rolled back, so its active version is not the highest, and another bundle.
    ///
    /// - Parameters:
    ///   - identifier: The bundle.
    ///   - versions: Its versions in the catalog.
    ///   - neighbor: Another bundle of the catalog, or `nil`.
    public static func rebuild(
        for identifier: String, versions: [SemanticVersion], beside neighbor: String?
    ) -> FaultOperation {
        let others = neighbor.map { [Step.run("install", $0)] } ?? []
        let versions = versions.sorted()
        let first = versions.first.map { [Step.run("install", "\(identifier)@\($0)")] } ?? []
        let back = versions.count > 1 ? [Step.run("update", identifier), .run("rollback", identifier)] : []
        let kept = Step.file("Containers/Data/Plugins/\(identifier)/0/Documents/kept.txt", content: "what it keeps\n")
        return FaultOperation(
            "rebuild", preparation: others + first + back + [kept], command: ["doctor", "--rebuild"])
    }
}
