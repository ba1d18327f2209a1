internal import FoundationEssentials
public import PluginCore
internal import PluginRuntime

extension HostApp {
    /// Returns the built host with a new sandbox and a catalog that offers the plugin under test.
    ///
    /// The plugin is packed as it was built for the tests and signed with a test key that this host trusts.
    ///
    /// ```swift
    /// @Test("The plugin's page can be opened in the real host")
    /// func opened() async throws {
    ///     let host = try await HostApp.offering()
    ///     let result = try await host.run("open", "app://hello")
    ///     #expect(result.status == 0 && result.stdout.hasPrefix("Hello\n"), "\(result)")
    /// }
    /// ```
    ///
    /// Sandbox and catalog are removed with the last copy of the host.
    ///
    /// - Parameters:
    ///   - plugin: The plugin's folder, by default the one that contains the calling file.
    ///   - library: The built library, by default the one next to the test bundle, where `swift test` puts the dynamic library products of
    ///     the tested package.
    ///   - dependencies: The packages of the library bundles that it is linked with, which the catalog also offers.
    ///   - hostLibraries: The libraries that its hosts provide in addition to those of Atrium.
    ///   - others: Additional packages for the catalog, such as plugins that it calls.
    ///   - file: The file from which plugin and build are searched, by default the calling file.
    /// - Throws: ``FixtureError`` if no build or no library is found, or if `bundletool pack` rejects the plugin, with its output.
    public static func offering(
        _ plugin: PluginFolder? = nil, library: FilePath? = nil, dependencies: [FilePath] = [],
        hostLibraries: [FilePath] = [], beside others: [FilePath] = [], from file: String = #filePath
    ) async throws -> HostApp {
        let build = try find(from: file)
        let plugin = plugin ?? PluginFolder(of: file)
        let manifest = try plugin.manifest()
        let signer = try SigningIdentity(forBundle: manifest.identity.identifier.text)
        let (scratch, sandbox) = (try ThrowawayFolder(), try ThrowawaySandbox())
        let catalog = try ThrowawayCatalog(signedBy: signer)
        for package in dependencies + others { try catalog.add(package) }

        var words = ["pack", plugin.root.string, "--output", catalog.folder.string]
        words += ["--key", try signer.writeKey(in: scratch).string, "--team", signer.team]
        if let library = try library ?? manifest.entry.map(PluginFolder.builtLibrary) {
            words += ["--library", library.string]
        }
        words += dependencies.flatMap { ["--dependency", $0.string] }
        words += hostLibraries.flatMap { ["--host-library", $0.string] }
        let packed = try await build.bundletool.run(words)
        guard packed.status == 0 else {
            throw FixtureError("\(plugin.root) cannot be packed: \(packed.stderr)")
        }
        try sandbox.trust(signer)
        return build.with(sandbox: sandbox, catalog: catalog)
    }
}

extension SigningIdentity {
    /// Creates a team that may sign a bundle.
    ///
    /// It is the team of the sample plugins for one of those, and otherwise a new one named after the first two parts of the identifier.
    init(forBundle identifier: String) throws {
        if identifier.hasPrefix(Self.sampleTeam + "."), let development = Self.development {
            self = development
        } else {
            try self.init(team: identifier.split(separator: ".").prefix(2).joined(separator: "."))
        }
    }
}
