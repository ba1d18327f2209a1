import Foundation

/// A Markdown page or a script.
struct Page: CheckedFile, Sendable {
    /// From the repository's root.
    let path: String
    let text: String

    var isMarkdown: Bool { path.hasSuffix(".md") }

    /// The folder of the page, from the repository's root.
    var folder: String { RelativePath.join(path, "..") }

    /// The lines of the text, each with its number, from 1.
    var lines: [(number: Int, text: Substring)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0.offset + 1, $0.element) }
    }
}

extension Repository {
    /// The paths of all files and folders of a repository, without hidden ones and without builds.
    static func paths(in root: String) throws -> Set<String> {
        var found: Set<String> = []
        func add(_ folder: String) throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)
            where !name.hasPrefix(".") && !(folder == "." && name == "build") {
                let path = RelativePath.join(folder, name)
                found.insert(path)
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isFolder), isFolder.boolValue
                {
                    try add(path)
                }
            }
        }
        try add(".")
        return found
    }

    /// The Markdown pages, and the scripts of the folder `Scripts`.
    static func pages(among paths: Set<String>, in root: String) -> [Page] {
        paths.sorted().filter { path in
            path.hasSuffix(".md") || path.hasPrefix("Scripts/lib/")
                || (path.hasPrefix("Scripts/") && !path.dropFirst("Scripts/".count).contains("/"))
        }.compactMap { path in
            (try? String(contentsOfFile: root + "/" + path, encoding: .utf8)).map { Page(path: path, text: $0) }
        }
    }
}
