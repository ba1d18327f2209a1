public import Console
public import PluginCore

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
