/// The change that the tab key makes to a line.
package struct LineChange: Sendable, Equatable {
    /// The number of code points before the cursor to remove.
    package var removed = 0
    /// The text to insert; `nil` for none.
    package var inserted: String?
    /// The lines to show below the line; `nil` for none.
    package var shown: String?

    /// Creates a change.
    package init(removed: Int = 0, inserted: String? = nil, shown: String? = nil) {
        self.removed = removed
        self.inserted = inserted
        self.shown = shown
    }

    /// No change.
    package static let none = LineChange()
}

extension LineChange {
    /// A text that can take the place of the word before the cursor.
    package struct Choice: Sendable, Equatable {
        /// The text as it stands in the line.
        package let text: String
        /// The text as it is listed.
        package let label: String
        /// A Boolean value that indicates whether no space follows it.
        package let isPart: Bool

        /// Creates a choice.
        package init(_ text: String, label: String, isPart: Bool) {
            self.text = text
            self.label = label
            self.isPart = isPart
        }
    }

    /// Completes a word as far as all choices agree, and lists them if this adds nothing.
    ///
    /// - Parameters:
    ///   - typed: The word before the cursor.
    ///   - width: The columns of the terminal.
    package init(_ choices: [Choice], for typed: String, width: Int) {
        guard let first = choices.first else { return }
        var common = Substring(first.text)
        for choice in choices.dropFirst() { common = common.prefix(Self.agreement(common, choice.text)) }
        let isOnly = choices.count == 1
        let text = isOnly && !first.isPart ? common + " " : common
        if isOnly || text.count > typed.count {
            removed = typed.unicodeScalars.count
            inserted = String(text)
        } else {
            shown = Self.columns(choices.map(\.label), width: width)
        }
    }

    private static func agreement(_ one: Substring, _ other: String) -> Int {
        zip(one, other).prefix { $0 == $1 }.count
    }

    /// Lays texts out in as many columns as fit, each read from top to bottom.
    private static func columns(_ labels: [String], width: Int) -> String {
        let widest = (labels.map(\.count).max() ?? 0) + 2
        let count = max(1, min(labels.count, width / max(1, widest)))
        let rows = (labels.count + count - 1) / count
        return (0..<rows).map { row in
            let cells = stride(from: row, to: labels.count, by: rows).map { labels[$0] }
            let padded = cells.dropLast().map { $0 + String(repeating: " ", count: widest - $0.count) }
            return padded.joined() + (cells.last ?? "") + "\n"
        }.joined()
    }
}
