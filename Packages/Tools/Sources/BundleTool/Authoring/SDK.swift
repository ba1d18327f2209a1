import Console
import FoundationEssentials
import HostSystem
import PluginCore

/// A folder with everything that an author needs besides Swift: libraries with their modules, headers, and the programs.
///
/// ```
/// bin/       hostapp, bundletool, extension-runner
/// lib/       the shared libraries of Core, Router, Runtime, SQLite, TUF, Zip and TestKit
/// modules/   their Swift modules, for one version of the compiler
/// include/   the C header of a plugin's entry
/// components/  the modules and libraries of the sample plugins' Interfaces, and of the libraries that these plugins share
/// ```
///
/// The folder can be moved. The `build` folder of a checkout has the same layout.
struct SDK {
    /// The folder.
    let root: FilePath

    /// The facts of `sdk.json`. The folder `build` of a checkout has none.
    struct Facts: Decodable {
        let version, swift: String
        let coreABI: Int?
    }

    /// The SDK to which this program belongs: the folder above that of the program.
    ///
    /// - Throws: ``CommandError`` if it isn't in an SDK.
    static func own() throws -> SDK { try SDK(at: System.program.parent.parent) }

    /// Creates the SDK in a folder.
    ///
    /// - Throws: ``CommandError`` if there is none.
    init(at root: FilePath) throws {
        self.root = root
        let isComplete = ["modules", "include", "lib"].allSatisfy { root.appending($0).isFolder } && hostapp.isFile
        guard isComplete, bundletool.isFile else { throw CommandError(.notFound, root, reason: "sdkMissing") }
    }

    /// The facts of `sdk.json`; `nil` for the folder `build` of a checkout.
    var facts: Facts? {
        try? StrictJSON.decode(Facts.self, from: Files.bytes(of: root.appending("sdk.json"), limit: 1 << 16))
    }

    /// The libraries that plugins, tests and hosts are linked with if they use them.
    private static let libraries = [
        "PluginCore", "PluginDatabase", "PluginExtension", "SQLite", "PluginTestKit", "AppHost", "Atrium",
        "PluginRouter", "PluginRuntime", "HostSystem", "Processes", "RemoteCatalog", "Trust", "PageLayouts",
    ]

    /// The host that runs plugins.
    var hostapp: FilePath { root.appending("bin/hostapp") }
    /// The program for authors.
    var bundletool: FilePath { root.appending("bin/bundletool") }

    /// The content of a file for the option `--toolset` of `swift build`.
    ///
    /// With it, a package imports the SDK's modules and links its libraries without an unsafe flag of its own.
    ///
    /// Format: SwiftPM's toolset.json, version 1.0 (Swift Evolution SE-0387).
    ///
    /// - Parameters:
    ///   - isHost: whether the package is a host, whose program must find the library that keeps plugins from ending it before the C
    ///     library, which has the same functions.
    ///   - added: the folders of libraries that were added to the package, which come before those of the SDK.
    func toolset(ofHost isHost: Bool, adding added: [FilePath] = []) -> JSONText {
        let (lib, components) = ("\(root)/lib", "\(root)/components")
        let modules =
            added.map(\.string) + ["modules", "include/CPluginEntry", "include/CModules"].map { "\(root)/\($0)" }
            + [components]
        // A plugin and its extensions have an entry function of the same name, and the plugin's tests contain all of them. Of the
        // SDK's libraries, each file is linked with those that it uses, so that packages name none of them.
        let linker =
            (added.map { "\($0)/\(Platform.triple)" } + [lib, components]).flatMap { ["-L", $0, "-rpath", $0] } + [
                "-rpath", "$ORIGIN/../lib", "--allow-multiple-definition",
            ]
            + (isHost ? ["-lProcesses"] : []) + ["--as-needed"] + Self.libraries.map { "-l\($0)" } + ["--no-as-needed"]
        return [
            "schemaVersion": "1.0",
            "swiftCompiler": JSONText(["extraCLIOptions": modules.flatMap { ["-I", $0] }]),
            "linker": JSONText(["extraCLIOptions": linker]),
        ]
    }

    /// Checks that the installed Swift is the one whose modules the SDK has. The folder `build` of a checkout names none.
    ///
    /// This takes a process, so it is called when a command of Swift has failed.
    ///
    /// - Throws: ``CommandError``
    func requireSwift() throws {
        guard let facts else { return }
        let child = try ChildProcess(running: "/usr/bin/env", ["swift", "--version"], within: .seconds(60))
        let output = String(decoding: child.output, as: UTF8.self)
        guard let installed = output.firstMatch(of: /Swift version ([0-9.]+)/)?.1, installed != facts.swift
        else { return }
        throw CommandError(.notFound, installed, reason: "swiftDiffers", ["needed": "\(facts.swift)"])
    }
}

/// Copies of packages that are linked with libraries of the SDK in place of building the packages outside of their folders.
///
/// With `USE_LIB=1` in the environment, that holds for all other packages; `MONEY_USE_LIB=0` or `1` decides for one. A copy has links to the files
/// of the package, and a manifest that ends with other dependencies.
enum BinaryPackages {
    /// Copies a package, and those that are built with it, side by side.
    ///
    /// - Returns: The folder of the package's copy.
    @discardableResult
    static func copy(_ package: FilePath, into folder: FilePath) throws -> FilePath {
        let copy = folder.appending(package.lastComponent)
        try Files.makeFolder(copy)
        for name in try Files.names(in: package) where name != "Package.swift" && name != ".build" {
            try FileManager.default.createSymbolicLink(
                atPath: copy.appending(name).string, withDestinationPath: package.appending(name).string)
        }
        let bytes = try Files.bytes(of: package.appending("Package.swift"), limit: 1 << 20)
        let manifest = String(decoding: bytes, as: UTF8.self)
        let others = manifest.matches(of: /"(\.\.\/[^"\\]+)"/).map { package.appending(String($0.1)) }
        let built = others.filter { !isBinary($0.lastComponent) }
        for other in built where !folder.appending(other.lastComponent).exists {
            try self.copy(other, into: folder)
        }
        let binary = others.map(\.lastComponent).filter(isBinary)
        let change = try PluginTemplate.text(
            "binary", ["BINARY": "\(binary)", "BUILT": "\(built.map(\.lastComponent))"])
        // Files beside the package, such as those with settings, are found from its own folder.
        let own = manifest.replacing("Context.packageDirectory", with: "\"\(package)\"")
        try Files.replace(copy.appending("Package.swift"), with: own + change)
        return copy
    }

    private static func isBinary(_ package: String) -> Bool {
        let variables = ProcessInfo.processInfo.environment
        return (variables["\(package.uppercased())_USE_LIB"] ?? variables["USE_LIB"]) == "1"
    }
}
