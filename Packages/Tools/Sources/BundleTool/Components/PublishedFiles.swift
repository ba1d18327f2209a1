import BundleFormat
import CatalogFormat
import CatalogPublisher
import Console
import HostSystem
import PluginCore
import Processes

/// The files that a publication names: packages with the Interfaces beside them, and archives of SDKs.
struct PublishedFiles {
    /// The packages.
    private(set) var packages: [FilePath] = []
    /// The Interfaces, each once.
    private(set) var interfaces: [FilePath] = []
    /// The archives of SDKs.
    private(set) var sdks: [FilePath] = []

    /// Finds the files.
    ///
    /// - Throws: ``CommandError`` for a path that doesn't exist.
    init(_ paths: [FilePath]) throws {
        for path in paths {
            switch Files.kind(of: path) {
            case .file: add(path)
            case .folder:
                let names = try Files.names(in: path).sorted()
                for name in names where PackageFile.identity(named: name) != nil { add(path.appending(name)) }
                for name in names where InterfaceArchive.isName(name) { addInterface(path.appending(name)) }
            case .other, nil: throw CommandError.notThere(path, remedy: "publish")
            }
        }
    }

    private mutating func add(_ path: FilePath) {
        let name = path.lastComponent
        if name.hasSuffix(".tar.gz") { return sdks.append(path) }
        if InterfaceArchive.isName(name) { return addInterface(path) }
        packages.append(path)
        guard let identity = PackageFile.identity(named: name) else { return }
        let interface = path.parent.appending(InterfaceArchive.name(of: identity))
        if interface.isFile { addInterface(interface) }
    }

    private mutating func addInterface(_ path: FilePath) {
        if !interfaces.contains(path) { interfaces.append(path) }
    }
}

/// The sources of a plugin's Interface in the author's folder.
struct InterfaceSources {
    /// The name of the module.
    let module: String
    /// The contents by their paths in the module's folder.
    let files: [String: [UInt8]]

    private static let sizeLimit = 1 << 22

    /// Reads the sources of the target `<Name>Interface`, where `lib<Name>.so` is the library in the manifest.
    ///
    /// Pages of documentation and hidden files stay behind. All other files are taken, and what is not a Swift source is refused when the
    /// archive is written.
    ///
    /// - Throws: ``CommandError`` with `noSources`, or with `invalid` for a link.
    init(of manifest: Manifest, in folder: FilePath) throws {
        let module = "\(PluginProject.module(of: manifest.entry) ?? "Plugin")Interface"
        let sources = folder.appending("Sources/\(module)")
        var files: [String: [UInt8]] = [:]
        for path in sources.isFolder ? try Files.names(below: sources) : [] {
            let names = path.split(separator: "/")
            guard !names.contains(where: { $0.hasPrefix(".") || $0.hasSuffix(".docc") }) else { continue }
            switch Files.kind(of: sources.appending(path), followingLinks: false) {
            case .folder, nil: continue
            case .other: throw CommandError.interfaceInvalid(module, problems: ["\(path): it is a link or no file"])
            case .file: files[path] = try Files.bytes(of: sources.appending(path), limit: Self.sizeLimit)
            }
        }
        guard files.keys.contains(where: { $0.hasSuffix(".swift") }) else {
            throw CommandError(
                .notFound, sources, code: "interfaceMissing", reason: "sourcesMissing", ["module": "\(module)"])
        }
        (self.module, self.files) = (module, files)
    }
}

/// The archive of an SDK, as `Scripts/sdk` makes it.
struct SDKArchive {
    let path: FilePath
    let description: CatalogSDK

    private struct Facts: Decodable {
        let version, triple, swift: String
    }

    /// Reads which version an archive has, and for which platform.
    ///
    /// - Throws: ``CommandError`` with `notSDK`.
    init(_ path: FilePath) throws {
        func refusal(_ problem: String) -> CommandError {
            CommandError(.badInput, path, reason: "sdkInvalid", ["problem": "\(problem)"])
        }
        let name = path.lastComponent.hasSuffix(".tar.gz") ? String(path.lastComponent.dropLast(7)) : ""
        let child = try ChildProcess(
            running: "/usr/bin/env", ["tar", "-xzOf", path.string, "\(name)/sdk.json"], within: .seconds(120))
        guard case .exited(status: 0) = child.end, let facts = try? StrictJSON.decode(Facts.self, from: child.output)
        else { throw refusal("it has no \"\(name)/sdk.json\"") }
        guard let version = SemanticVersion(facts.version),
            let description = CatalogSDK(version: version, platform: facts.triple, swift: facts.swift)
        else { throw refusal("its sdk.json names no version and platform") }
        let expected = FilePath(CatalogPath.sdk(description)).lastComponent
        guard path.lastComponent == expected else { throw refusal("by its sdk.json, its name is \"\(expected)\"") }
        (self.path, self.description) = (path, description)
    }
}
