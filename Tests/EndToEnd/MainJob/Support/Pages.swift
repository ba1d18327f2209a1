extension MainJob {
    /// The output of `open --json`.
    struct Opening: Decodable {
        let url: String
        let page: Page?
        let stack: [String]
        let waiting: Bool
        let notices: [String]
        let steps: [Step]
    }

    /// An opening or a tap in the output.
    struct Step: Decodable {
        let tap: String?
        let page: Page?
        let notices: [String]
    }

    struct Page: Decodable {
        let title: String
        let content: [Element]
        let actions: [Action]

        /// Returns the value of the field with a label.
        func value(of label: String) -> String? { content.first { $0.label == label }?.value }

        /// The titles of all rows of lists.
        var rows: [String] { content.flatMap { $0.rows ?? [] }.map(\.title) }

        var headings: [String] { content.compactMap(\.heading) }
        var texts: [String] { content.compactMap(\.text) }
    }

    struct Element: Decodable {
        struct Row: Decodable {
            let title: String
            let detail: String
        }

        let heading: String?
        let text: String?
        let label: String?
        let value: String?
        let rows: [Row]?
    }

    struct Action: Decodable {
        let id: String
        let title: String
    }
}
