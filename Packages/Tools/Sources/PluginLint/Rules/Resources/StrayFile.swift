import PluginCore

/// The detection of files and folders that were probably added by mistake.
package enum StrayFile {
    private static let names: Set = [".DS_Store", "Thumbs.db", "desktop.ini", ".directory", ".gitignore", ".gitkeep"]
    private static let folders: Set = [".git", ".svn", ".hg", "__MACOSX", ".idea", ".vscode"]
    private static let endings = ["~", ".swp", ".swo", ".bak", ".orig", ".rej", ".tmp"]
    private static let beginnings = ["._", ".#", "#"]

    /// Returns the reason to suspect that a file was added by mistake; `nil` if there is none.
    ///
    /// - Parameter path: the path below `Resources`.
    static func doubt(about path: String) -> String? {
        let components = path.split(separator: "/").map(String.init)
        guard let name = components.last else { return nil }
        if names.contains(name) || beginnings.contains(where: name.hasPrefix)
            || endings.contains(where: name.hasSuffix) || components.contains(where: folders.contains)
        {
            return "a desktop, an editor or a version control system created it, and it would be shipped; remove it"
        }
        if let first = components.first, components.count == 2, first != "Pages", first.lowercased() == "pages" {
            return "layouts are read from \"Pages\" only; rename \"\(first)\""
        }
        if components.count == 2, components[0].lowercased().hasSuffix(".lproj"),
            name.lowercased() == "localizable.json",
            name != "Localizable.json" || !components[0].hasSuffix(".lproj")
        {
            return "texts are read from \"<language>.lproj/Localizable.json\" only; rename it"
        }
        return nil
    }

    /// Returns warnings about folders that are not packed, because their names differ from `Resources` in case.
    package static func doubts(beside names: [String]) -> [String] {
        names.filter { $0 != "Resources" && $0.lowercased() == "resources" }.sorted().map {
            "\($0): it is not packed; the folder must be named \"Resources\""
        }
    }
}
