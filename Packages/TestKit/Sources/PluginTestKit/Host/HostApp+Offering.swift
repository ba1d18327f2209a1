internal import FoundationEssentials
public import PluginCore
internal import PluginRuntime

extension HostApp {
    /// The built host with a sandbox of its own, and with a catalog that offers a plugin as it was built for the tests: packed and
    /// signed with a test key, which this host trusts.
    ///
    /// ```swift
    /// @Test("opens its page in the real host")
    /// func opened() async throws {
    ///     let host = try await HostApp.offering()
    ///     let result = try await host.run("open", "app://hello")
    ///     #expect(result.status == 0 && result.stdout.hasPrefix("Hello\n"), "\(result)")
    /// }
    /// ```
    ///
    /// Sandbox and catalog go with the last copy of the host.
    ///
    /// - Parameters:
    ///   - plugin: the plugin's folder; by default the one that the calling file is in.
    ///   - library: its built library; by default the one that lies beside the test bundle, where `swift test` puts the dynamic
    ///     library products of the package that it tests.
    ///   - dependencies: packages of the libraries (kind `lib`) that it is linked with; the catalog offers them too.
    ///   - hostLibraries: the libraries that its hosts offer beside those of Atrium.
    ///   - others: further packages that the catalog offers, such as plugins that it calls.
    ///   - file: where plugin and build are looked for; by default the calling file.
    /// - Throws: ``FixtureError`` when no build or no library is found, or `bundletool pack` refuses the plugin, with what it says.
    public static func offering(
        _ plugin: PluginFolder? = nil, library: FilePath? = nil, dependencies: [FilePath] = [],
        hostLibraries: [FilePath] = [], beside others: [FilePath] = [], from file: String = #filePath
    ) async throws -> HostApp {
        let build = try find(from: file)
        let plugin = plugin ?? PluginFolder(of: file)
        let manifest = try plugin.manifest()
        let signer = try SigningIdentity(forBundle: manifest.identity.identifier)
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

extension PluginFolder {
    /// The library that lies beside the test bundle which runs.
    ///
    /// - Throws: ``FixtureError`` when it is not there.
    static func builtLibrary(named name: String) throws -> FilePath {
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return try builtLibrary(named: name, beside: FilePath(bundle))
    }

    static func builtLibrary(named name: String, beside bundle: FilePath) throws -> FilePath {
        let library = bundle.parent.appending(name)
        guard FileManager.default.fileExists(atPath: library.string) else {
            throw FixtureError(
                "there is no \(name) beside the tests in \(bundle.parent); declare a library product of type .dynamic that "
                    + "is called so, or name the file with library:")
        }
        return library
    }
}

extension SigningIdentity {
    /// A team that may sign a bundle: that of the sample plugins for one of theirs, else a new one that is called like the first
    /// two parts of the identifier.
    init(forBundle identifier: String) throws {
        if identifier.hasPrefix(Self.sampleTeam + "."), let development = Self.development {
            self = development
        } else {
            try self.init(team: identifier.split(separator: ".").prefix(2).joined(separator: "."))
        }
    }
}
