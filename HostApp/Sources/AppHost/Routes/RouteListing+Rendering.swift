import Console

extension RouteListing {
    /// A table, a route a line.
    func text(for terminal: Terminal) -> String {
        guard !lines.isEmpty else { return "There are no routes.\n" }
        var table = Table([
            Table.Column("PATTERN", style: .bold), Table.Column("KIND"), Table.Column("EXPOSURE"),
            Table.Column("PRIORITY", .trailing), Table.Column("OWNER"), Table.Column("SERVES"),
            Table.Column("INTERCEPTORS"),
        ])
        for line in lines {
            let style: TextStyle = line.isInstalled ? [] : .dim
            table.add(
                [
                    line.pattern.isEmpty ? "/" : line.pattern, line.kind, line.exposure, String(line.priority),
                    line.owner + (line.isInstalled ? "" : " (not installed)"), line.served,
                    line.interceptors.isEmpty ? "-" : line.interceptors.joined(separator: ", "),
                ], style: style)
        }
        return table.rendered(for: terminal)
    }

    /// The document that ``read(_:)`` reads.
    var json: JSONText {
        ["formatVersion": .integer(Self.formatVersion), "routes": .array(lines.map(\.json))]
    }
}

extension RouteListing.Line {
    /// What serves it, in words.
    var served: String {
        let query = parameters.isEmpty ? "" : "?" + parameters
        let rule = source == "manifest" ? "" : " (bundle.json)"
        return (layout ?? name) + query + rule
    }

    var json: JSONText {
        [
            "pattern": .string(pattern), "source": .string(source), "kind": .string(kind), "owner": .string(owner),
            "name": .string(name), "layout": .string(orNull: layout), "exposure": .string(exposure),
            "priority": .integer(priority), "interceptors": .strings(interceptors), "parameters": .string(parameters),
            "isInstalled": .bool(isInstalled),
        ]
    }
}
