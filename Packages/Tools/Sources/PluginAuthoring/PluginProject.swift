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
