public import PluginCore
public import PluginRuntime

/// The settings of a host for the extensions that it runs.
public struct ExtensionSettings: Sendable {
    /// The program `extension-runner`.
    public var runner: FilePath
    /// The user's languages in order of preference, as BCP 47 tags.
    public var languages: [String]
    /// Logs a message of an extension with its identifier and a level.
    public var log: HostServices.Log
    /// Receives a line that an extension has printed, with its identifier; by default, it is logged.
    public var output: @Sendable (String, String) -> Void
    /// The extension points that the host declares in addition to the standard ones.
    public var points: [ExtensionPointDeclaration]

    /// Creates settings.
    public init(
        runner: FilePath, languages: [String], points: [ExtensionPointDeclaration] = [], log: @escaping HostServices.Log
    ) {
        self.runner = runner
        self.languages = languages
        self.points = points
        self.log = log
        output = { log($0, .info, .verbatim($1)) }
    }
}
