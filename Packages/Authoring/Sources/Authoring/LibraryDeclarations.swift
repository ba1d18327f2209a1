import HostSystem
public import PluginCore

/// The declarations in the code of a built library, for tools that pack it.
public enum LibraryDeclarations: Hashable, Sendable, Codable {
    /// The declarations of a plugin, and the parameters and results of its routes and actions, which are not part of a manifest.
    case plugin(BundleDeclarations, inputs: [InputDeclaration])
    /// The point of an extension.
    case `extension`(ExtensionPointDeclaration)

    /// Loads a library and returns the declarations of its principal object's type.
    ///
    /// The library's initializers, its entry and the static declarations run; no object is created. Such code can end or block the
    /// process, so this belongs in a process of its own.
    ///
    /// - Parameters:
    ///   - library: the path by which the loader opens the library.
    ///   - others: the libraries that it is linked with and that this process doesn't have, each after those that it needs itself.
    ///   - bundle: the bundle, for errors.
    /// - Throws: ``AtriumError`` with code `libraryUnloadable`, `libraryIncompatible` or `inputOutput`.
    @MainActor
    public static func read(
        _ library: FilePath, after others: [FilePath], of bundle: BundleIdentity
    ) throws(AtriumError) -> LibraryDeclarations {
        let entry = try DynamicLibrary(opening: library.string, at: library, after: others, of: bundle).entry(
            of: bundle)
        if let type = entry.principal as? any DeclaredExtension { return .extension(type.declaration) }
        guard let type = entry.principalType else {
            throw AtriumError(.libraryIncompatible, bundle.description, reason: "entryOfLibrary")
        }
        return .plugin(type.declarations, inputs: type.contracts.map { InputDeclaration(of: $0) })
    }
}
