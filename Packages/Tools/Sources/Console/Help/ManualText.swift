/// The source of a manual page, in the language of man(7).
struct ManualText {
    private static let width = 76

    private(set) var source = ""

    /// Adds a line as it is.
    mutating func line(_ line: String) { source += line + "\n" }

    /// Adds the title, which comes first.
    mutating func title(_ name: String, date: String, release: String) {
        line(
            ".TH \(Self.quoted(name)) 1 \"\(date.filter { $0.isNumber || $0 == "-" })\" \(Self.quoted(release)) \"User Commands\""
        )
    }

    /// Adds the line that lists of pages show, which comes second.
    mutating func name(_ name: String, _ phrase: String) {
        section("NAME")
        fill([Self.escaped(name), "\\-"] + Self.words(phrase))
    }

    /// Adds the heading of a section.
    mutating func section(_ name: String) { line(".SH \(Self.escaped(name))") }

    /// Adds text that is filled to the width of the page.
    mutating func text(_ text: String) {
        for sentence in Self.sentences(text) { fill(Self.words(sentence)) }
    }

    private mutating func fill(_ words: [String]) {
        var current = ""
        for word in words {
            if !current.isEmpty, current.utf8.count + 1 + word.utf8.count > Self.width {
                line(current)
                current = ""
            }
            current += (current.isEmpty ? "" : " ") + word
        }
        if !current.isEmpty { line(current) }
    }

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map { escaped(String($0)) }
    }

    /// Adds paragraphs, in which lines that begin with a space are not filled.
    mutating func paragraphs(_ text: String) {
        for paragraph in Self.paragraphs(text) {
            line(".PP")
            if paragraph.isLiteral {
                literal(paragraph.lines)
            } else {
                self.text(paragraph.lines.joined(separator: " "))
            }
        }
    }

    /// Adds a section with a term and its explanation in each row; nothing if there are no rows.
    mutating func list(_ name: String, _ rows: [(term: String, help: String)]) {
        if rows.isEmpty { return }
        section(name)
        for row in rows {
            line(".TP")
            line("\\fB\(Self.escaped(row.term))\\fR")
            text(row.help)
        }
    }

    /// Adds a command line with a caption.
    mutating func example(_ command: String, _ caption: String) {
        // The heading of the section begins a paragraph, too.
        if !source.hasSuffix(".SH EXAMPLES\n") { line(".PP") }
        if !caption.isEmpty { text(caption.last.map { ".:".contains($0) } == true ? caption : caption + ":") }
        literal([command])
    }

    /// Adds the references to other pages.
    mutating func seeAlso(_ pages: [String]) {
        if pages.isEmpty { return }
        section("SEE ALSO")
        for (index, page) in pages.enumerated() {
            line(".BR \(Self.escaped(page)) (1)\(index + 1 < pages.count ? "," : "")")
        }
    }

    private mutating func literal(_ lines: [String]) {
        line(".RS 4")
        line(".EX")
        for text in lines { line(Self.continued(Self.escaped(String(text.drop { $0 == " " })))) }
        line(".EE")
        line(".RE")
    }

    /// Breaks a long line of the source with a backslash at the end, which does not break it on the page.
    private static func continued(_ text: String) -> String {
        var (lines, current) = ([String](), "")
        for piece in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !current.isEmpty, current.utf8.count + piece.utf8.count > width {
                lines.append(current + "\\")
                current = ""
            }
            current += piece + " "
        }
        return (lines + [String(current.dropLast())]).joined(separator: "\n")
    }

    private static func paragraphs(_ text: String) -> [(lines: [String], isLiteral: Bool)] {
        var all: [(lines: [String], isLiteral: Bool)] = []
        var isOpen = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let isLiteral = line.hasPrefix(" ")
            if line.isEmpty {
                isOpen = false
            } else if isOpen, all[all.count - 1].isLiteral == isLiteral {
                all[all.count - 1].lines.append(line)
            } else {
                all.append(([line], isLiteral))
                isOpen = true
            }
        }
        return all
    }

    /// Splits a text into sentences, each of which has a line of its own in the source.
    private static func sentences(_ text: String) -> [String] {
        var sentences = [""]
        var isEnding = false
        for character in text {
            if isEnding, character == " " {
                sentences.append("")
            } else {
                sentences[sentences.count - 1].append(character)
            }
            isEnding = ".!?".contains(character) || isEnding && ")\"".contains(character)
        }
        return sentences
    }

    private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// Returns a text that means only itself in the source.
    static func escaped(_ text: String) -> String {
        let marks: [Character: String] = [
            "\\": "\\e", "-": "\\-", "'": "\\(aq", "\"": "\\(dq", "`": "\\(ga", "~": "\\(ti", "^": "\\(ha",
        ]
        let body = printable(text).map { marks[$0] ?? String($0) }.joined()
        return body.hasPrefix(".") ? "\\&" + body : body
    }
}
