import Console

/// A bundle or the host as it is drawn: a title with sections of rows.
struct GraphCard: Sendable {
    /// A line of a card.
    enum Row: Sendable {
        case section(String)
        case part(GraphNode)

        var height: Double {
            switch self {
            case .section: 20
            case .part: 20
            }
        }
    }

    static let titleHeight = 46.0
    static let bottom = 6.0
    /// The width of a letter of the monospaced font in rows.
    private static let letter = 6.75
    /// The largest number of columns that a name takes; longer names are cut, and shown whole by a tool tip.
    static let columns = 38

    let node: GraphNode
    let rows: [Row]

    init(_ node: GraphNode, parts: [GraphNode]) {
        self.node = node
        let sections: [(String, Set<GraphNode.Kind>)] = [
            ("Routes", [.route]), ("Interface", [.action, .service]), ("Extensions", [.extension]),
            ("Extension points", [.extensionPoint]),
        ]
        rows = sections.flatMap { title, kinds -> [Row] in
            let found = parts.filter { kinds.contains($0.kind) }
            return found.isEmpty ? [] : [.section(title)] + found.map(Row.part)
        }
    }

    /// The first line of the title.
    var title: String { cut(node.name, to: 28) }

    /// The second line of the title.
    var subtitle: String {
        let version = node.fact("version").map { " \($0)" } ?? ""
        return cut((node.fact("identifier") ?? "") + version, to: Self.columns + 6)
    }

    var width: Double {
        let rows = rows.map { row -> Double in
            guard case .part(let node) = row else { return 0 }
            return 74 + Double(displayWidth(of: Self.name(of: node))) * Self.letter
                + (node.isExternal ? 52 : 0)
        }
        let title = 44 + Double(displayWidth(of: self.title)) * 8.6
        let subtitle = 28 + Double(displayWidth(of: self.subtitle)) * 6.1
        return max(150, title, subtitle, rows.max() ?? 0).rounded(.up)
    }

    var height: Double { Self.titleHeight + rows.reduce(0) { $0 + $1.height } + (rows.isEmpty ? 0 : Self.bottom) }

    /// Returns the name of a part as its row shows it.
    static func name(of node: GraphNode) -> String { GraphCard.cut(node.name.isEmpty ? "/" : node.name, to: columns) }

    private func cut(_ text: String, to columns: Int) -> String { Self.cut(text, to: columns) }

    /// Returns a text without controls and with a limited width.
    static func cut(_ text: String, to columns: Int) -> String {
        let visible = printable(text)
        guard displayWidth(of: visible) > columns else { return visible }
        var (result, width) = ("", 1)
        for character in visible {
            width += displayWidth(of: String(character))
            if width > columns { break }
            result.append(character)
        }
        return result + "…"
    }
}

extension GraphNode {
    /// A Boolean value that indicates whether links from outside the app reach the part.
    var isExternal: Bool { fact("exposure") == "external" }
}
