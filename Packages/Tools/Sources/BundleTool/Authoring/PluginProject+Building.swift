import BundleFormat
import Console
import FoundationEssentials
import HostSystem
import PluginAuthoring
import PluginComponents
import PluginCore
import TUFMetadata
import Trust

extension SDK {
    /// The SDK to which this program belongs: the folder above that of the program.
    ///
    /// - Throws: ``CommandError`` if it isn't in an SDK.
    static func own() throws(CommandError) -> SDK {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let sdk = SDK(root: FilePath(program).parent.parent)
        for folder in [sdk.modules, sdk.headers, sdk.libraries] where Files.kind(of: folder) != .folder {
            throw .noSDK(sdk.root)
        }
        guard case .file = Files.kind(of: sdk.hostapp) else { throw .noSDK(sdk.root) }
        return sdk
    }

    /// Checks that the installed Swift is the one whose modules the SDK has. The folder `build` of a checkout names none.
    ///
    /// This takes a process, so it is called when a command of Swift has failed.
    ///
    /// - Throws: ``CommandError``
    fileprivate func requireSwift() throws {
        struct Facts: Decodable { let swift: String }

        guard case .file = Files.kind(of: facts),
            let facts = try? StrictJSON.decode(
                Facts.self, from: Files.bytes(of: facts, limit: 1 << 16, remedy: "unpack the SDK again"))
        else { return }
        let child = try ChildProcess(running: "/usr/bin/env", ["swift", "--version"], within: .seconds(60))
        let output = String(decoding: child.output, as: UTF8.self)
        guard let installed = output.firstMatch(of: /Swift version ([0-9.]+)/)?.1, installed != facts.swift else {
            return
        }
        throw CommandError.swiftDiffers(installed: String(installed), needed: facts.swift)
    }
}

extension PluginProject {
    /// The part of the manifest that a build needs. Everything else is read when the plugin is packed.
    struct Outline: Decodable {
        /// The identifier of the bundle.
        let identifier: String?
        /// The kind of the bundle.
        let kind: String?
        /// The name of the library.
        let entry: String?
    }

    /// Reads the outline of the manifest. An invalid manifest has an empty outline, and so has a host, which has none; `pack` reports errors.
    func outline() throws -> Outline {
        if Files.kind(of: manifest) == nil { return Outline(identifier: nil, kind: nil, entry: nil) }
        let bytes = try Files.bytes(of: manifest, limit: ManifestReader.sizeLimit, remedy: "make the manifest smaller")
        return (try? StrictJSON.decode(Outline.self, from: bytes)) ?? Outline(identifier: nil, kind: nil, entry: nil)
    }

    /// Returns a plugin's folder, which is the working folder by default.
    ///
    /// - Parameter mayBeHost: Whether the folder may also be that of a host, which has a Swift package and no manifest.
    /// - Throws: ``CommandError`` for a folder without a manifest, `UsageError` if the current folder is missing.
    static func at(_ path: String?, mayBeHost: Bool = false) throws -> PluginProject {
        let folder = FilePath(path ?? ".")
        guard path != "" else { throw CommandError.noPlugin(folder) }
        // The toolset and the host need absolute paths.
        let project = PluginProject(folder: try CurrentFolder.resolve(folder.string, in: ["bundletool"]))
        if mayBeHost, project.hasPackage { return project }
        guard case .file = Files.kind(of: project.manifest) else { throw CommandError.noPlugin(folder) }
        return project
    }

    /// Returns whether the plugin has code that is built from this folder.
    var hasPackage: Bool { if case .file = Files.kind(of: package) { true } else { false } }

    /// Runs a command of `swift` with the SDK of this program.
    ///
    /// - Throws: ``CommandError`` if the command fails.
    func runSwift(_ command: String, _ configuration: Configuration, _ words: [String] = [], isQuiet: Bool) throws {
        let sdk = try SDK.own()
        try requireComponents()
        try Files.makeFolder(workFolder)
        try Files.replace(toolset, with: sdk.toolset().text(pretty: true) + "\n")
        try Files.replaceLink(hostLink, to: sdk.hostapp)
        try replanIfNeeded()
        let status = try InheritingProcess.run("swift", arguments(command, configuration) + words, isQuiet: isQuiet)
        guard status == 0 else {
            try sdk.requireSwift()
            throw CommandError.programFailed("swift \(command)", status: status)
        }
    }

    /// Runs the tests.
    ///
    /// - Throws: ``CommandError`` if a test fails, or if there is none.
    func runTests(_ configuration: Configuration, _ words: [String], isQuiet: Bool) throws {
        let report = workFolder.appending("tests")
        let folder = report.parent
        for name in try Files.kind(of: folder) == nil ? [] : Files.names(in: folder) where name.hasPrefix("tests") {
            Files.removeTree(folder.appending(name))
        }
        try runSwift("test", configuration, ["--xunit-output", report.string + ".xml"] + words, isQuiet: isQuiet)
        // The tests of XCTest and of Swift Testing are in a file each.
        let reports = try Files.names(in: folder).filter { $0.hasPrefix("tests") && $0.hasSuffix(".xml") }
        let hasTests = try reports.contains { name in
            let bytes = try Files.bytes(of: folder.appending(name), limit: 1 << 28, remedy: "run fewer tests")
            return String(decoding: bytes, as: UTF8.self).contains("<testcase ")
        }
        guard hasTests || words.contains("--list-tests") else { throw CommandError.noTests(self.folder) }
    }

    /// Removes SwiftPM's plan of the build if packages now choose other components as binaries.
    ///
    /// SwiftPM would use the plan again, because the manifests, whose variables have changed, are the same.
    private func replanIfNeeded() throws {
        let file = workFolder.appending("components")
        let choice = Environment.variables(findingLibrariesIn: []).filter {
            $0.prefix { $0 != "=" }.hasSuffix("USE_LIB")
        }.sorted().joined(separator: "\n")
        let last = Files.kind(of: file) == nil ? [] : try Files.bytes(of: file, limit: 1 << 16, remedy: "delete it")
        guard last != Array(choice.utf8) else { return }
        for plan in try Files.names(in: workFolder.parent) where plan.hasSuffix(".yaml") {
            Files.removeTree(workFolder.parent.appending(plan))
        }
        try Files.replace(file, with: choice)
    }

    /// Builds the plugin, unless it has no code.
    ///
    /// - Parameter words: Further options of `swift build`.
    /// - Returns: The path of its library; `nil` for a bundle without code, and for a manifest that names none.
    /// - Throws: ``CommandError`` if the build fails, or doesn't build the library that the manifest names.
    func build(
        _ configuration: Configuration, _ words: [String] = [], isQuiet: Bool
    ) throws -> FilePath? {
        let outline = try outline()
        guard hasPackage else {
            if outline.entry != nil || outline.kind == BundleKind.app.rawValue {
                throw CommandError.noPackage(folder)
            }
            return nil
        }
        guard let entry = outline.entry else {
            try runSwift("build", configuration, words, isQuiet: isQuiet)
            return nil
        }
        guard !entry.contains("/") else { throw CommandError.libraryNotBuilt(folder, entry: entry) }
        let library = library(entry, configuration)
        // A library of an earlier build, which the package no longer builds, must not be taken for a new one.
        Files.removeTree(library)
        try runSwift("build", configuration, words, isQuiet: isQuiet)
        guard case .file = Files.kind(of: library) else { throw CommandError.libraryNotBuilt(folder, entry: entry) }
        return library
    }
}

extension PluginProject {
    /// The folder of the components, with the lock file and what is trusted.
    var components: FilePath { folder.appending("Components") }
    /// The lock file.
    var componentLockFile: FilePath { components.appending("components.json") }
    /// The file with the trusted teams, in the format of a host's file.
    var componentTrust: FilePath { components.appending("trust.json") }
    /// The folder of the states of all catalogs, which can be made again.
    var componentCatalogs: FilePath { workFolder.appending("catalogs") }

    /// Returns the name of the file with the pinned root of a catalog.
    func rootName(of catalog: String) throws -> String {
        "\(try HashAlgorithm.sha256.digest(of: Array(catalog.utf8)).prefix(16)).root.json"
    }

    /// Reads the lock file; `nil` if there is none.
    func componentLock() throws -> ComponentLock? {
        guard case .file = Files.kind(of: componentLockFile) else { return nil }
        let bytes = try Files.bytes(
            of: componentLockFile, limit: ComponentLock.sizeLimit, remedy: "restore it from version control")
        return try ComponentLock(reading: bytes, of: componentLockFile)
    }

    /// Checks that all components of the lock file are there.
    ///
    /// - Throws: ``CommandError`` with `componentMissing` or `lockInvalid`.
    func requireComponents() throws {
        for component in try componentLock()?.components ?? [] {
            let folder = components.appending(component.module)
            guard case .file = Files.kind(of: folder.appending("Package.swift")) else {
                throw CommandError.componentMissing(folder, module: component.module)
            }
        }
    }
}
