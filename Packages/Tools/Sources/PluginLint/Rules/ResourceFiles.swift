import Console
import PageLayouts
import PluginCore

extension LintRule {
    static let resourceInvalid = LintRule("resource-invalid", .error) { $0.refusals["resource-invalid"] ?? [] }

    package static let fileStray = LintRule("file-stray", .warning) { subject in
        subject.resources.names.compactMap { name in
            StrayFile.doubt(about: name).map { Problem("Resources/\(name)", $0) }
        }
    }

    package static let fileScale = LintRule("file-scale", .warning) { subject in
        let known = Set(subject.resources.names)
        return subject.resources.names.compactMap { name in
            ScaledFile.doubt(about: name, among: known).map { Problem("Resources/\(name)", $0) }
        }
    }
}

/// The detection of files for a scale that a host or a plugin does not find.
enum ScaledFile {
    /// Returns the reason to suspect that a file for a scale is not found; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - path: the path below `Resources`, such as `images/icon@2x.png`.
    ///   - others: the paths of all resources.
    static func doubt(about path: String, among others: Set<String>) -> String? {
        guard let (base, scale) = parts(of: path) else { return nil }
        guard let scale, (2...BundleResources.largestScale).contains(scale) else {
            return "a file for a scale ends in @2x or @3x, and the one for scale 1 in neither; rename it"
        }
        if others.contains(base) { return nil }
        return "there is no \(quoted(base)), so code that asks for that name without a scale finds nothing; add it"
    }

    /// Returns the names of the files that an image can have, such as `icon.png` and `icon@2x.png`.
    static func names(of name: String) -> [String] {
        guard let match = name.wholeMatch(of: /(.*?[^\/])(\.[^\/.]*)?/) else { return [name] }
        return [name] + (2...BundleResources.largestScale).map { "\(match.1)@\($0)x\(match.2 ?? "")" }
    }

    /// Returns the name without the scale modifier, and the scale; `nil` for a name without one.
    private static func parts(of path: String) -> (base: String, scale: Int?)? {
        path.wholeMatch(of: /(.*[^\/])@([0-9]+)x(\.[^\/.]*)?/).map { ("\($0.1)\($0.3 ?? "")", Int($0.2)) }
    }
}

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
