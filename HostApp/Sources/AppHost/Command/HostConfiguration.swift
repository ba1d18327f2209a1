public import PluginCore
public import PluginRouter
public import PluginRuntime

/// The configuration of a host, consisting of its name and of the features that it offers to plugins.
///
/// ```swift
/// await HostCommandLine(
///     HostConfiguration(
///         name: "acme", version: "2.1.0", libraries: ["libAcmeKit.so"],
///         targets: [ActionTarget("Acme", actions: [Action("user") { _ in "Ada" }])])
/// ).main()
/// ```
public struct HostConfiguration: Sendable {
    /// The command's name in help texts and error messages.
    public var name: String
    /// The release that `--version` prints.
    public var version: String
    /// The name of the app's folder in the user's data folder and in `share` beside the program.
    ///
    /// Plugins are installed in `$XDG_DATA_HOME/FOLDER/sandbox`. The files `trust.json` and `bundle.json` and the folder `plugins`
    /// are read from `../share/FOLDER`.
    public var folder: String
    /// The file names of dynamic libraries that the program links and that plugins may also link.
    ///
    /// Core, SQLite and Swift's runtime are always included.
    public var libraries: [String]
    /// The action targets of the host itself, which any plugin may call and external links may not.
    public var targets: [ActionTarget]
    /// The services of the host itself.
    public var services: [HostService]
    /// The types that the captures of routes can be converted to.
    public var converters: RouteConverters
    /// The text of a built-in composition file; `nil` for the file beside the program.
    ///
    /// The option `--composition` overrides both.
    public var composition: String?
    /// The schemes of the app's links, which are never passed on to the system.
    public var linkSchemes: [String]

    /// Creates the configuration of a host.
    ///
    /// - Parameter folder: the same as the name by default.
    public init(
        name: String, version: String = CoreVersion.release, folder: String? = nil, libraries: [String] = [],
        targets: [ActionTarget] = [], services: [HostService] = [], converters: RouteConverters = .standard,
        composition: String? = nil, linkSchemes: [String] = ["app"]
    ) {
        self.name = name
        self.version = version
        self.folder = folder ?? name
        self.libraries = libraries
        self.targets = targets
        self.services = services
        self.converters = converters
        self.composition = composition
        self.linkSchemes = linkSchemes
    }

    /// The host that `Scripts/build` builds.
    public static let standard = HostConfiguration(name: standardName, folder: "atrium")

    /// The configuration of the running command, for errors and help texts that are created without access to it.
    @TaskLocal static var current = standard

    /// The command name that the texts in this program's source contain.
    private static let standardName = "hostapp"

    /// Returns a text of this program, such as a remedy, with this host's command name.
    func naming(_ text: String) -> String {
        guard name != Self.standardName else { return text }
        let named = ["\"", "“"].reduce(text) { text, quote in
            text.replacing("\(quote)\(Self.standardName) ", with: "\(quote)\(name) ")
        }
        return named.hasPrefix("\(Self.standardName) ") ? name + named.dropFirst(Self.standardName.count) : named
    }

    /// Returns a help text of this program with this host's command name and folder.
    func named(help: String) -> String {
        let named = name == Self.standardName ? help : help.replacing(Self.standardName, with: name)
        return named.replacing("\(Self.standard.folder)/", with: "\(folder)/")
    }
}
