public import PluginCore

extension FaultOperation {
    /// The registry made anew, of a bundle that was rolled back, so that not the highest of its versions is active, and of
    /// another one.
    ///
    /// - Parameters:
    ///   - identifier: the bundle.
    ///   - versions: its versions in the catalog.
    ///   - neighbour: the other bundle, of the same catalog; `nil` for none.
    public static func rebuild(
        for identifier: String, versions: [SemanticVersion], beside neighbour: String?
    ) -> FaultOperation {
        let others = neighbour.map { [Step.run("install", $0)] } ?? []
        let versions = versions.sorted()
        let first = versions.first.map { [Step.run("install", "\(identifier)@\($0)")] } ?? []
        let back = versions.count > 1 ? [Step.run("update", identifier), .run("rollback", identifier)] : []
        let kept = Step.file("Containers/Data/Plugins/\(identifier)/Documents/kept.txt", content: "what it keeps\n")
        return FaultOperation(
            "rebuild", preparation: others + first + back + [kept], command: ["doctor", "--rebuild"])
    }
}
