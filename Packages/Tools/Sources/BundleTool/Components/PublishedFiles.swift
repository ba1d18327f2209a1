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

/// The sources of a plugin's Interface in the author's folder, or what others need of a library.
struct InterfaceSources {
    /// The name of the module.
    let module: String
    /// The contents by their paths in the folder for them.
    let files: [String: [UInt8]]

    private static let sizeLimit = 1 << 22

    /// Reads the sources of a plugin's Interface; of a library, the textual interface of its module, and the library for each platform.
    ///
    /// - Parameter libraries: The libraries of the bundle.
    /// - Throws: ``CommandError`` with `interfaceMissing` or `componentInvalid`.
    init(of manifest: Manifest, in folder: FilePath, _ libraries: [PlatformLibraries]) throws {
        let name = PluginProject.module(of: manifest.entry) ?? "Plugin"
        let isLibrary = manifest.kind == .lib
        module = isLibrary ? name : "\(name)Interface"
        files =
            isLibrary
            ? try Self.library(named: name, libraries)
            : try Self.sources(of: module, in: folder.appending("Sources/\(module)"))
    }

    private static func library(
        named name: String, _ libraries: [PlatformLibraries]
    ) throws -> [String: [UInt8]] {
        // SwiftPM writes it beside the other files of the module.
        let path = (libraries.first?.library?.parent ?? "").appending("Modules/\(name).swiftinterface")
        guard path.isFile else {
            throw CommandError(.notFound, path, code: "interfaceMissing", reason: "moduleInterfaceMissing")
        }
        let text = String(decoding: try Files.bytes(of: path, limit: sizeLimit), as: UTF8.self)
        // Users of the library compile it for their own platform.
        let portable = text.replacing(#/(?m)^(// swift-module-flags:.*?) -target \S+/#) { $0.1 }
        var files = ["\(name).swiftinterface": Array(portable.utf8)]
        for case let (platform, library?) in libraries.map({ ($0.platform, $0.library) }) {
            // Of several builds for a platform, the first is that of this SDK, like the interface.
            let path = "\(LibraryBuild(platform).platform)/lib\(name).so"
            if files[path] == nil { files[path] = try LibraryContent(reading: library, remedy: "library").bytes }
        }
        return files
    }

    /// Pages of documentation and hidden files stay behind. All other files are taken, and what is not a Swift source is refused when the
    /// archive is written.
    ///
    /// - Throws: ``CommandError`` with `noSources`, or with `invalid` for a link.
    private static func sources(of module: String, in sources: FilePath) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for path in sources.isFolder ? try Files.names(below: sources) : [] {
            let names = path.split(separator: "/")
            guard !names.contains(where: { $0.hasPrefix(".") || $0.hasSuffix(".docc") }) else { continue }
            switch Files.kind(of: sources.appending(path), followingLinks: false) {
            case .folder, nil: continue
            case .other: throw CommandError.interfaceInvalid(module, problems: ["\(path): it is a link or no file"])
            case .file: files[path] = try Files.bytes(of: sources.appending(path), limit: sizeLimit)
            }
        }
        guard files.keys.contains(where: { $0.hasSuffix(".swift") }) else {
            throw CommandError(
                .notFound, sources, code: "interfaceMissing", reason: "sourcesMissing", ["module": "\(module)"])
        }
        return files
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
