public import Console
public import PluginCore

/// An author's folder with a plugin: a Swift package, and a manifest.
public struct PluginProject: Sendable {
    /// The configuration of a build.
    public enum Configuration: String, Sendable {
        case debug, release
    }

    /// The folder.
    public let folder: FilePath

    /// Creates a reference to a folder, which need not exist.
    public init(folder: FilePath) { self.folder = folder }

    /// The plugin's manifest.
    public var manifest: FilePath { folder.appending("manifest.json") }
    /// The Swift package; a bundle of kind assets has none.
    public var package: FilePath { folder.appending("Package.swift") }
    /// The folder for files that can be made again: the toolset, and the host in which the plugin is tried.
    public var workFolder: FilePath { folder.appending(".build/atrium") }
    /// The file for the option `--toolset` of `swift build`.
    public var toolset: FilePath { workFolder.appending("toolset.json") }
    /// The link to the host in which the plugin is tried, by which a debugger finds it.
    public var hostLink: FilePath { workFolder.appending("hostapp") }
    /// The sandbox of the host in which the plugin is tried.
    public var sandbox: FilePath { workFolder.appending("sandbox") }
    /// The folder with the package of the plugin for that host.
    public var catalog: FilePath { workFolder.appending("catalog") }
    /// The name of the key with which that package is signed. No other host trusts it.
    public var developmentKey: FilePath { workFolder.appending("development") }

    /// Returns the path of a built library.
    public func library(_ entry: String, _ configuration: Configuration) -> FilePath {
        folder.appending(".build").appending(configuration.rawValue).appending(entry)
    }

    /// Returns the arguments of `swift` for a command such as `build` or `test`.
    public func arguments(_ command: String, _ configuration: Configuration = .debug) -> [String] {
        [
            command, "--package-path", folder.string, "--toolset", toolset.string, "--configuration",
            configuration.rawValue,
        ]
    }
}

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
public struct SDK: Sendable {
    /// The folder.
    public let root: FilePath

    /// Creates a reference to an SDK, which need not exist.
    public init(root: FilePath) { self.root = root }

    /// The folder of the Swift modules.
    public var modules: FilePath { root.appending("modules") }
    /// The folder of the shared libraries.
    public var libraries: FilePath { root.appending("lib") }
    /// The folder with a folder of headers for each C module.
    public var headers: FilePath { root.appending("include") }
    /// The folder of the modules and libraries that plugins offer to other plugins.
    public var components: FilePath { root.appending("components") }
    /// The file with the version of the SDK and that of the Swift it needs, which only an unpacked archive has.
    public var facts: FilePath { root.appending("sdk.json") }
    /// The host that runs plugins.
    public var hostapp: FilePath { root.appending("bin/hostapp") }

    /// Returns the content of a file for the option `--toolset` of `swift build`.
    ///
    /// With it, a package imports the SDK's modules and links its libraries without an unsafe flag of its own.
    ///
    /// Format: SwiftPM's toolset.json, version 1.0 (Swift Evolution SE-0387).
    public func toolset() -> JSONText {
        let compiler =
            ["-I", modules.string, "-I", headers.appending("CPluginEntry").string]
            + ["-I", headers.appending("CModules").string, "-I", components.string]
        // A plugin and its extensions have an entry function of the same name, and the plugin's tests contain all of them.
        let folders = [libraries, components].flatMap { ["-L", $0.string, "-rpath", $0.string] }
        let linker = folders + ["--allow-multiple-definition"]
        return [
            "schemaVersion": "1.0", "swiftCompiler": ["extraCLIOptions": .strings(compiler)],
            "linker": ["extraCLIOptions": .strings(linker)],
        ]
    }
}
