public import PluginCore

extension FaultOperation {
    /// What a host does with one bundle, in a sandbox that also has another one. Both keep data. `first` installs its oldest
    /// version where there is no sandbox, `install` where there is one, `together` its newest with all that it requires;
    /// `erase` uninstalls it with its data, and `gc` has something to collect.
    ///
    /// - Parameters:
    ///   - identifier: the bundle.
    ///   - versions: its versions in the catalog; with a single one nothing is updated or rolled back.
    ///   - neighbour: the other bundle, of the same catalog; `nil` for none.
    public static func standard(
        for identifier: String, versions: [SemanticVersion], beside neighbour: String?
    ) -> [FaultOperation] {
        let versions = versions.sorted()
        guard let oldest = versions.first, let newest = versions.last else { return [] }
        let others = neighbour.map { [Step.run("install", $0), data(of: $0)] } ?? []
        let old = others + [.run("install", "\(identifier)@\(oldest)"), data(of: identifier)]
        var operations = [
            FaultOperation("first", preparation: [], command: ["install", "\(identifier)@\(oldest)"]),
            FaultOperation("install", preparation: others, command: ["install", "\(identifier)@\(oldest)"]),
            FaultOperation("together", preparation: others, command: ["install", identifier]),
        ]
        if newest > oldest {
            let both = old + [.run("update", identifier)]
            operations += [
                FaultOperation("update", preparation: old, command: ["update", identifier]),
                FaultOperation("rollback", preparation: both, command: ["rollback", identifier]),
                FaultOperation("uninstall", preparation: both, command: ["uninstall", identifier]),
                FaultOperation("erase", preparation: both, command: ["uninstall", identifier, "--delete-data"]),
            ]
        } else {
            operations += [
                FaultOperation("uninstall", preparation: old, command: ["uninstall", identifier]),
                FaultOperation("erase", preparation: old, command: ["uninstall", identifier, "--delete-data"]),
            ]
        }
        // What an interrupted install and a replaced version leave behind.
        let remains = [
            Step.file("Containers/Staging/\(identifier)-0/lib/half", content: "half of it"),
            .file("Containers/Bundle/Plugins/\(identifier)/0.0.0-000000000000/manifest.json", content: "{}"),
        ]
        return operations + [FaultOperation("gc", preparation: old + remains, command: ["gc"])]
    }

    private static func data(of identifier: String) -> Step {
        .file("Containers/Data/Plugins/\(identifier)/Documents/kept.txt", content: "what \(identifier) keeps\n")
    }
}
