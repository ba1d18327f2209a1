import BundleFormat
import Console
import PluginCore

extension Command.Item {
    /// A version in the catalog that `--to` names.
    static let publishedVersion = Command.Item("publishedVersion")
}

/// The versions in the folder of a catalog, for completion.
///
/// They are known by the names of files alone, so nothing is verified.
enum PublishedItems {
    /// Returns the items of a kind.
    static func list(_ item: Command.Item, _ context: CompletionContext) -> [Completion.Candidate] {
        guard item == .publishedVersion, let folder = context.value("to") else { return [] }
        let names = (try? Files.names(below: FilePath(folder).appending("targets"))) ?? []
        let identities = names.compactMap { path -> BundleIdentity? in
            // A digest and a dot come before the name of the file.
            guard let name = path.split(separator: "/").last, let dot = name.firstIndex(of: ".") else { return nil }
            return PackageFile.identity(named: String(name[name.index(after: dot)...]))
        }
        return Set(identities).map(\.description).sorted().map { Completion.Candidate($0) }
    }
}
