import FoundationEssentials
public import PluginCore

/// The imports of the plugins in a workspace: each plugin is a folder in `Plugins`, whose modules are the folders in its `Sources`.
///
/// ```swift
/// let problems = try PluginImports(of: FilePath(#filePath).parent.parent.parent).problems()
/// #expect(problems == [])
/// ```
public struct PluginImports {
    private let plugins: FilePath

    /// Creates the imports of a workspace.
    ///
    /// - Parameter workspace: The folder that contains the folder `Plugins`.
    public init(of workspace: FilePath) { plugins = workspace.appending("Plugins") }

    /// Returns a sentence for each import of a module of another plugin that is not its Interface.
    ///
    /// - Throws: The errors of reading the folders and files; ``FixtureError`` if there is no plugin.
    public func problems() throws -> [String] {
        let all = try Self.names(in: plugins).compactMap { name -> (plugin: String, modules: [String])? in
            guard let modules = try? Self.names(in: plugins.appending("\(name)/Sources")) else { return nil }
            return (name, modules)
        }
        if all.isEmpty { throw FixtureError("there is no plugin with sources in \(plugins)") }
        return try all.flatMap { plugin, _ in
            let hidden = all.filter { $0.plugin != plugin }.flatMap(\.modules).filter { !$0.hasSuffix("Interface") }
            let folder = plugins.appending("\(plugin)/Sources")
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.string)
            return try files.filter { $0.hasSuffix(".swift") }.sorted().flatMap { file -> [String] in
                let bytes = try Data(contentsOf: URL(filePath: folder.appending(file).string))
                return String(decoding: bytes, as: UTF8.self)
                    .matches(
                        of:
                            /(?m)^[ \t@\w()]*\bimport (?:(?:struct|class|enum|protocol|func|var|let|typealias|actor) )?(\w+)/
                    ).map { String($0.1) }
                    .filter(hidden.contains)
                    .map { "\(plugin)/Sources/\(file) imports \($0); it may import Interfaces" }
            }
        }
    }

    private static func names(in folder: FilePath) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.string).filter { !$0.hasPrefix(".") }.sorted()
    }
}
