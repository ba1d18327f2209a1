/// A documentation comment: lines that begin with `///`.
struct DocComment: Sendable, Equatable {
    /// The line of its first line.
    let line: Int
    /// The first paragraph, joined to one line.
    let abstract: String

    /// Finds the documentation comments among the comments of a file.
    static func all(in comments: [Int: String]) -> [DocComment] {
        func text(_ line: Int) -> String? {
            guard let comment = comments[line], comment.hasPrefix("///") else { return nil }
            return String(comment.dropFirst(3).drop { $0 == " " })
        }
        return comments.keys.sorted().compactMap { first in
            guard text(first) != nil, text(first - 1) == nil else { return nil }
            var paragraph: [String] = []
            var line = first
            while let next = text(line), !next.isEmpty, !next.hasPrefix("- "), !next.hasPrefix("```") {
                paragraph.append(next)
                line += 1
            }
            return DocComment(line: first, abstract: paragraph.joined(separator: " "))
        }
    }
}
