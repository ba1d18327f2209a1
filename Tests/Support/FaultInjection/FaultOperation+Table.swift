package import PluginCore

/// The operations that `Scripts/faults` tests: each is a command, and the steps that prepare its sandbox.
extension FaultOperation {
    /// Returns the standard operations of a host on one bundle, in a sandbox that also contains another bundle.
    ///
    /// Both bundles have data, and have run if there are addresses for it, so they have minimum versions.
    ///
    /// - `first` installs the oldest version into a new sandbox, `install` into an existing one, and `together` installs the newest version
    ///   with its requirements.
    /// - `use` opens the newest version for the first time, which raises its minimum version. `launch` opens it after it has run.
    /// - `activate` opens the bundle while a newer version is staged.
    /// - `quarantine` opens it after its newest version has crashed, without a catalog that could restore lost files.
    /// - `erase` uninstalls it with its data, and `gc` collects leftovers.
    ///
    /// - Parameters:
    ///   - identifier: The bundle.
    ///   - versions: Its versions in the catalog. With a single one, nothing is updated or rolled back.
    ///   - neighbor: Another bundle of the catalog, or `nil`.
    ///   - addresses: For each bundle, an address that its code handles in all versions; see ``address(of:versions:on:catalog:)``.
    package static func standard(
        for identifier: String, versions: [SemanticVersion], beside neighbor: String?,
        opening addresses: [String: String] = [:]
    ) -> [FaultOperation] {
        guard let oldest = versions.min(), let newest = versions.max() else { return [] }
        let address = addresses[identifier]
        let isUpdated = newest > oldest
        func run(_ identifier: String) -> [Step] { addresses[identifier].map { [.run("open", $0)] } ?? [] }
        let others = neighbor.map { [Step.run("install", $0), data(of: $0)] + run($0) } ?? []
        let new = others + [.run("install", "\(identifier)@\(oldest)"), data(of: identifier)]
        let old = new + run(identifier)
        let unused = isUpdated ? old + [.run("update", identifier)] : new
        let used = unused + run(identifier)
        // The leftovers of an interrupted installation and of a replaced version.
        let remains = [
            Step.file("Containers/Staging/\(identifier)-0/lib/half", content: "half of it"),
            .file("Containers/Bundle/Plugins/\(identifier)/0.0.0-000000000000/manifest.json", content: "{}"),
        ]
        var operations = [
            FaultOperation("first", preparation: [], command: ["install", "\(identifier)@\(oldest)"]),
            FaultOperation("install", preparation: others, command: ["install", "\(identifier)@\(oldest)"]),
            FaultOperation("together", preparation: others, command: ["install", identifier]),
        ]
        if let address {
            operations += [
                FaultOperation("use", preparation: unused, command: ["open", address]),
                FaultOperation("launch", preparation: used, command: ["open", address], hasCatalog: false),
            ]
        }
        if let address, isUpdated {
            let staged = old + [.run("update", identifier, "--stage")]
            // The reason for a kill is unknown, so a version is quarantined only after the second one.
            let crashed = unused + [.killed(["open", address]), .killed(["open", address])]
            operations += [
                FaultOperation("activate", preparation: staged, command: ["open", address], isPostponable: true),
                FaultOperation("quarantine", preparation: crashed, command: ["open", address], hasCatalog: false),
            ]
        }
        if isUpdated {
            operations += [
                FaultOperation("update", preparation: old, command: ["update", identifier]),
                FaultOperation("rollback", preparation: used, command: ["rollback", identifier]),
            ]
        }
        return operations + [
            FaultOperation("uninstall", preparation: used, command: ["uninstall", identifier]),
            FaultOperation("erase", preparation: used, command: ["uninstall", identifier, "--delete-data"]),
            FaultOperation("gc", preparation: old + remains, command: ["gc"]),
        ]
    }

    /// Returns the operations on a plugin of which a version with a higher data version is installed.
    ///
    /// - `raise` opens the newer version for the first time, which copies the data, and `go-back` opens the older one after a rollback, with the
    ///   data as it left it. `forward` opens the newer version again after that, which sets its data aside.
    ///
    /// - Parameters:
    ///   - identifier: The bundle.
    ///   - oldest: The version with the lower data version, in the catalog.
    ///   - package: The package of the newer version.
    ///   - address: An address that the code of both handles.
    package static func raising(
        _ identifier: String, from oldest: SemanticVersion, to package: FilePath, opening address: String
    ) -> [FaultOperation] {
        let old = [Step.run("install", "\(identifier)@\(oldest)"), data(of: identifier), .run("open", address)]
        let raised = old + [.run("install", package.string)]
        let back = raised + [.run("open", address), .run("rollback", identifier)]
        let forward = back + [.run("open", address), .run("rollback", identifier)]
        return [("raise", raised), ("go-back", back), ("forward", forward)].map { name, preparation in
            FaultOperation(name, preparation: preparation, command: ["open", address])
        }
    }

    /// Returns the operation that rebuilds the registry.
    ///
    /// The sandbox contains a bundle that was rolled back, so its active version is not the highest, and another bundle.
    ///
    /// - Parameters:
    ///   - identifier: The bundle.
    ///   - versions: Its versions in the catalog.
    ///   - neighbor: Another bundle of the catalog, or `nil`.
    package static func rebuild(
        for identifier: String, versions: [SemanticVersion], beside neighbor: String?
    ) -> FaultOperation {
        let others = neighbor.map { [Step.run("install", $0)] } ?? []
        let first = versions.min().map { [Step.run("install", "\(identifier)@\($0)")] } ?? []
        let back = versions.count > 1 ? [Step.run("update", identifier), .run("rollback", identifier)] : []
        return FaultOperation(
            "rebuild", preparation: others + first + back + [data(of: identifier)], command: ["doctor", "--rebuild"])
    }

    /// Returns the operations that fetch from a published catalog.
    ///
    /// - `download` installs a bundle and its requirements into a new sandbox, over HTTP.
    /// - `refresh` fetches the metadata of a newer publication.
    ///
    /// - Parameters:
    ///   - identifier: The bundle.
    ///   - site: The catalog.
    package static func published(_ identifier: String, on site: PublishedSite) -> [FaultOperation] {
        let trust = Step.run("catalog", "trust", site.root.string)
        let (older, newer) = (Step.perform { try site.show(.older) }, Step.perform { try site.show(.newer) })
        return [
            FaultOperation(
                "download", preparation: [newer, trust], command: ["install", identifier], address: site.address),
            FaultOperation(
                "refresh", preparation: [older, trust, .run("catalog", "refresh"), newer],
                command: ["catalog", "refresh"], address: site.address),
        ]
    }

    private static func data(of identifier: String) -> Step {
        .file("Containers/Data/Plugins/\(identifier)/0/Documents/kept.txt", content: "what \(identifier) keeps\n")
    }
}
