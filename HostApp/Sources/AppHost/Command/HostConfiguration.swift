public import PluginCore
public import PluginRouter
public import PluginRuntime

/// The parts of a host that are its own: its name, and what it offers to its plugins.
///
/// ```swift
/// await HostCommandLine(
///     HostConfiguration(
///         name: "acme", version: "2.1.0", libraries: ["libAcmeKit.so"],
///         targets: [ActionTarget("Acme", actions: [Action("user") { _ in "Ada" }])])
/// ).main()
/// ```
public struct HostConfiguration: Sendable {
    /// The command's name, in help and in what errors say to do.
    public var name: String
    /// The release, which `--version` prints.
    public var version: String
    /// The name of the app's folder in the user's data folder and in `share` beside the program.
    ///
    /// Plugins go to `$XDG_DATA_HOME/FOLDER/sandbox`; `trust.json`, `bundle.json` and `plugins` are looked for in `../share/FOLDER`.
    public var folder: String
    /// The file names of the dynamic libraries that the program is linked with and that plugins may need, beside Core, SQLite and
    /// Swift's runtime.
    public var libraries: [String]
    /// The targets of the host itself, which any plugin may call, and links from outside may not.
    public var targets: [ActionTarget]
    /// The services of the host itself.
    public var services: [HostService]
    /// The types that captures of routes can ask for.
    public var converters: RouteConverters
    /// The text of a `bundle.json`, for a host that has its composition built in; `nil` for the file beside the program. The option
    /// `--composition` comes before both.
    public var composition: String?

    /// A host of a name.
    ///
    /// - Parameter folder: by default the name.
    public init(
        name: String, version: String = CoreVersion.release, folder: String? = nil, libraries: [String] = [],
        targets: [ActionTarget] = [], services: [HostService] = [], converters: RouteConverters = .standard,
        composition: String? = nil
    ) {
        self.name = name
        self.version = version
        self.folder = folder ?? name
        self.libraries = libraries
        self.targets = targets
        self.services = services
        self.converters = converters
        self.composition = composition
    }

    /// The host that `Scripts/build` makes.
    public static let standard = HostConfiguration(name: standardName, folder: "atrium")

    /// The host whose command runs; errors and help are made far from where it is known.
    @TaskLocal static var current = standard

    /// The name that texts of the host are written with.
    private static let standardName = "hostapp"

    /// A text of this program, such as a remedy, with the command's name in place of `hostapp`.
    func naming(_ text: String) -> String {
        guard name != Self.standardName else { return text }
        let named = text.replacing("\"\(Self.standardName) ", with: "\"\(name) ")
        return named.hasPrefix("\(Self.standardName) ") ? name + named.dropFirst(Self.standardName.count) : named
    }

    /// A help of this program.
    func named(help: String) -> String {
        name == Self.standardName ? help : help.replacing(Self.standardName, with: name)
    }
}
