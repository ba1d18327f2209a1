import Foundation

extension Rule {
    private static func docComments(in repository: Repository) -> [(file: String, comment: DocComment)] {
        repository.packages.flatMap(\.targets).flatMap(\.sources).flatMap { source in
            source.docComments.map { (source.path, $0) }
        }
    }

    static let cannot = Rule("sources and pages write \"cannot\" as one word") { repository in
        let sources = repository.packages.flatMap(\.targets).flatMap(\.sources).map { ($0.path, $0.text) }
        let others = repository.pages.map { ($0.path, $0.text) } + repository.languages.map { ($0.path, $0.source) }
        return (sources + others).compactMap { path, text in
            // The words can be on two lines of a comment.
            let range = text.range(of: #"\bcan[ \n/*#]+not\b"#, options: [.regularExpression, .caseInsensitive])
            return range.map { found in
                let line = text[..<found.lowerBound].count { $0 == "\n" } + 1
                return Finding(file: path, line: line, message: "two words; allowed: \"cannot\"")
            }
        }
    }

    static let openings = Rule("a doc comment begins with the thing that it describes") { repository in
        docComments(in: repository).compactMap { file, comment in
            let word = comment.abstract.prefix { $0.isLetter }
            guard ["What", "Who", "Whom", "Whose", "Whoever", "Whether"].contains(word) else { return nil }
            return Finding(
                file: file, line: comment.line,
                message: "begins with \"\(word)\"; allowed: a noun phrase, or a verb such as \"Returns\"")
        }
    }

    static let abstracts = Rule("the first paragraph of a doc comment has at most 150 characters") { repository in
        docComments(in: repository).compactMap { file, comment in
            guard comment.abstract.count > 150 else { return nil }
            return Finding(
                file: file, line: comment.line,
                message: "has \(comment.abstract.count) characters; allowed: 150, and more after an empty line")
        }
    }
}
