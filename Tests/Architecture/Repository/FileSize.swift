import Foundation

/// The size of a file of the repository, without its comments and blank lines.
struct FileSize: CheckedFile, Sendable {
    let path: String
    /// The lines of code; in a page, its words.
    let count: Int
    /// The bytes of these lines, without indentation.
    let bytes: Int

    init(path: String, text: String) {
        self.path = path
        if path.hasSuffix(".md") {
            count = text.split(whereSeparator: \.isWhitespace).count
            bytes = 0
            return
        }
        let isSource = [".swift", ".c", ".h", ".js", ".rs"].contains(where: path.hasSuffix)
        let marks = isSource ? ["//"] : path.hasSuffix(".json") ? [] : ["#"]
        var isComment = false
        let code = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            line in
            if isSource, !isComment, line.hasPrefix("/*") { isComment = true }
            defer { if isComment, line.contains("*/") { isComment = false } }
            return !line.isEmpty && !isComment && !marks.contains(where: line.hasPrefix)
        }
        count = code.count
        bytes = code.reduce(0) { $0 + $1.utf8.count }
    }
}

extension Repository {
    /// The sizes of all files that contain text.
    static func sizes(of paths: Set<String>, in root: String) -> [FileSize] {
        paths.sorted().compactMap { path in
            (try? String(contentsOfFile: root + "/" + path, encoding: .utf8)).map { FileSize(path: path, text: $0) }
        }
    }
}
