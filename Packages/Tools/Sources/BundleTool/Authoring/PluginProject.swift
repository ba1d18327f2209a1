import BundleFormat
import Console
import FoundationEssentials
import HostSystem
import PluginCore
import TUFMetadata

/// An author's folder with a plugin: a Swift package, and a manifest.
struct PluginProject {
    /// The configuration of a build.
    enum Configuration: String {
        case debug, release
    }

    /// The part of the manifest that a build needs. Everything else is read when the plugin is packed.
    struct Outline: Decodable {
        /// The identifier of the bundle.
        var identifier: String?
        /// The kind of the bundle.
        var kind: String?
        /// The name of the library.
        var entry: String?
    }

    /// The folder.
    let folder: FilePath

    /// The plugin's manifest.
    var manifest: FilePath { folder.appending("manifest.json") }
    /// The Swift package; a bundle of kind assets has none.
    var package: FilePath { folder.appending("Package.swift") }
    /// The folder for files that can be made again: the toolset, and the host in which the plugin is tried.
    var workFolder: FilePath { folder.appending(".build/atrium") }
    /// The file for the option `--toolset` of `swift build`.
    var toolset: FilePath { workFolder.appending("toolset.json") }

    /// Returns a plugin's folder, which is the working folder by default.
    ///
    /// - Parameter mayBeHost: Whether the folder may also be that of a host, which has a Swift package and no manifest.
    /// - Throws: ``CommandError`` for a folder without a manifest, `UsageError` if the current folder is missing.
    static func at(_ path: String?, mayBeHost: Bool = false) throws -> PluginProject {
        let folder = FilePath(path ?? ".")
        // The toolset and the host need absolute paths.
        let project = Self(folder: try CurrentFolder.resolve(folder.string, in: ["bundletool"]))
        let isHost = mayBeHost && (project.hasPackage || Workspace(in: project.folder) != nil)
        guard path != "", project.manifest.isFile || isHost else {
            throw CommandError(.notFound, folder, reason: "pluginMissing")
        }
        return project
    }

    /// Returns whether the plugin has code that is built from this folder.
    var hasPackage: Bool { package.isFile }

    /// Checks that the plugin has code that is built from this folder.
    func requirePackage() throws {
        if !hasPackage { throw CommandError(.notFound, folder, reason: "packageMissing") }
    }

    /// Reads the outline of the manifest. An invalid manifest has an empty outline, and so has a host, which has none; `pack` reports errors.
    func outline() throws -> Outline {
        if !manifest.exists { return Outline() }
        let bytes = try Files.bytes(of: manifest, limit: ManifestReader.sizeLimit)
        return (try? StrictJSON.decode(Outline.self, from: bytes)) ?? Outline()
    }

    /// Locks a file in the work folder until this program ends.
    ///
    /// - Throws: ``CommandError`` if another command builds or runs the plugin.
    func lock(_ name: String) throws {
        try Files.makeFolder(workFolder)
        guard try Files.lockUntilEnd(workFolder.appending(name)) else {
            throw CommandError(.refused, folder, reason: "projectBusy")
        }
    }

    /// Runs a command of `swift` with the SDK of this program.
    ///
    /// - Parameter reading: Gets what it prints on standard output, which is shown only then.
    /// - Throws: ``CommandError`` if the command fails.
    private func runSwift(
        _ command: String, _ configuration: Configuration, _ words: [String] = [],
        environment: [String: String] = [:], isQuiet: Bool, reading: ((String) -> Void)? = nil
    ) throws {
        let sdk = try SDK.own()
        try requireComponents()
        try Files.makeFolder(workFolder)
        let document = try sdk.toolset(
            ofHost: !manifest.exists, adding: linkedModules().map { components.appending("\($0)/Library") })
        try Files.replace(toolset, with: document.text(pretty: true) + "\n")
        // By this link, a debugger finds the host in which the plugin is tried.
        let link = workFolder.appending("hostapp").string
        try? FileManager.default.removeItem(atPath: link)
        try? FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: sdk.hostapp.string)
        let options = [
            command, "--package-path", try plannedPackage().string, "--scratch-path", workFolder.parent.string,
            "--toolset", toolset.string, "--configuration", configuration.rawValue,
        ]
        let status: Int32
        if let reading {
            let (end, output) = try InheritingProcess.output(of: "swift", options + words, environment: environment)
            let text = String(decoding: output, as: UTF8.self)
            StandardOutput.note(text)
            reading(text)
            status = end
        } else {
            status = try InheritingProcess.run("swift", options + words, environment: environment, isQuiet: isQuiet)
        }
        guard status == 0 else {
            try sdk.requireSwift()
            throw CommandError.programFailed("swift \(command)", status: status)
        }
    }

    /// Runs the tests, and returns whether there are any.
    ///
    /// Tests find the host of the SDK and the packages by the variables of `HostApp` in PluginTestKit.
    ///
    /// - Parameter given: The packages of the command line, besides those that are recorded.
    /// - Throws: ``CommandError`` if a test fails.
    func runTests(
        _ configuration: Configuration, _ words: [String], with given: [FilePath], isQuiet: Bool
    ) throws -> Bool {
        func reports() throws -> [FilePath] {
            try Files.names(in: workFolder).filter { $0.hasPrefix("tests") }.map(workFolder.appending)
        }
        if workFolder.exists { try reports().forEach(Files.removeTree) }
        let report = workFolder.appending("tests.xml").string
        // The tests of an app use its own host.
        let isGiven = !manifest.exists || ProcessInfo.processInfo.environment["ATRIUM_BUILD"] != nil
        let build = isGiven ? [:] : ["ATRIUM_BUILD": try SDK.own().root.string]
        let packages = try packages(besides: given).map { try CurrentFolder.resolve($0.string, in: ["bundletool"]) }
        try runSwift(
            "test", configuration, ["--xunit-output", report] + words,
            environment: build.merging(["ATRIUM_DEPENDENCIES": packages.map(\.string).joined(separator: "\n")]) { $1 },
            isQuiet: isQuiet)
        // The tests of XCTest and of Swift Testing are in a file each.
        let hasTests = try reports().contains { file in
            let bytes = try Files.bytes(of: file, limit: 1 << 28)
            return String(decoding: bytes, as: UTF8.self).contains("<testcase ")
        }
        return hasTests || words.contains("--list-tests")
    }

    /// Returns the folder of the package that is built: this one, or a copy that is linked with libraries of the SDK.
    ///
    /// If packages now choose other libraries, SwiftPM's plan of the build is removed, because SwiftPM would use it again.
    private func plannedPackage() throws -> FilePath {
        let sources = try componentLock().components.map(\.sourceVariable)
        let choice = Environment.variables().filter {
            let name = $0.prefix { $0 != "=" }
            return name.hasSuffix("USE_LIB") || sources.contains(String(name))
        }.sorted()
        try record(choice.joined(separator: "\n"), as: "components") {
            for plan in try Files.names(in: workFolder.parent) where plan.hasSuffix(".yaml") {
                Files.removeTree(workFolder.parent.appending(plan))
            }
            // A module that was built from source before would be found before the library that is linked now.
            for module in try linkedModules() {
                for name in ["Modules/\(module).swiftmodule", "Modules/\(module).swiftinterface", "lib\(module).so"] {
                    for folder in ["debug", "release"] {
                        Files.removeTree(workFolder.parent.appending("\(folder)/\(name)"))
                    }
                }
            }
        }
        guard choice.contains(where: { $0.hasSuffix("USE_LIB=1") }) else { return folder }
        let copies = workFolder.appending("binary")
        Files.removeTree(copies)
        return try BinaryPackages.copy(folder, into: copies)
    }

    /// Writes a file of the work folder after a change that is made only if the file has another content yet.
    func record(_ content: String, as name: String, after change: () throws -> Void) throws {
        let file = workFolder.appending(name)
        guard (try? Files.bytes(of: file, limit: 1 << 16)) ?? [] != Array(content.utf8) else { return }
        try change()
        try Files.replace(file, with: content)
    }

    /// Builds the plugin, unless it has no code.
    ///
    /// - Parameters:
    ///   - words: Further options of `swift build`.
    ///   - reading: Gets what the compiler prints, which is shown on standard error when the build has ended.
    /// - Returns: The path of its library; `nil` for a bundle without code, and for a manifest that names none.
    /// - Throws: ``CommandError`` if the build fails, or doesn't build the library that the manifest names.
    func build(
        _ configuration: Configuration, _ words: [String] = [], isQuiet: Bool, reading: ((String) -> Void)? = nil
    ) throws -> FilePath? {
        let outline = try outline()
        guard hasPackage else {
            if outline.entry != nil || outline.kind == BundleKind.app.rawValue { try requirePackage() }
            return nil
        }
        let library = outline.entry.map { folder.appending(".build/\(configuration.rawValue)/\($0)") }
        var missing: CommandError {
            CommandError(.badInput, outline.entry ?? "", reason: "libraryNotBuilt", ["folder": "\(folder)"])
        }
        if outline.entry?.contains("/") == true { throw missing }
        // A library of an earlier build, which the package no longer builds, must not be taken for a new one.
        if let library { Files.removeTree(library) }
        try runSwift("build", configuration, words, isQuiet: isQuiet, reading: reading)
        if let library, !library.isFile { throw missing }
        return library
    }
}

extension PluginProject {
    /// The folder of the components, with the lock file and what is trusted.
    var components: FilePath { folder.appending("Components") }
    /// The file with the trusted teams, in the format of a host's file.
    var componentTrust: FilePath { components.appending("trust.json") }

    /// Returns the name of the file with the pinned root of a catalog.
    func rootName(of catalog: String) throws -> String {
        "\(try HashAlgorithm.sha256.digest(of: Array(catalog.utf8)).prefix(16)).root.json"
    }

    /// Reads the lock file; an empty one if there is none.
    func componentLock() throws -> ComponentLock {
        let file = components.appending(ComponentLock.fileName)
        guard file.isFile else { return ComponentLock() }
        return try ComponentLock(reading: Files.bytes(of: file, limit: 1 << 20), of: file)
    }

    /// Returns the modules of the libraries among the components that are not built from source.
    private func linkedModules() throws -> [String] {
        let variables = ProcessInfo.processInfo.environment
        return try componentLock().components.filter { $0.isLibrary && variables[$0.sourceVariable] == nil }
            .map(\.module)
    }

    /// Checks that all components of the lock file are there.
    ///
    /// - Throws: ``CommandError`` with `componentMissing` or `lockInvalid`.
    private func requireComponents() throws {
        for component in try componentLock().components {
            let folder = components.appending(component.module)
            guard folder.appending("Package.swift").isFile else {
                throw CommandError(.notFound, component.module, reason: "componentMissing", ["folder": "\(folder)"])
            }
        }
    }
}
