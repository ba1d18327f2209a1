import Console

extension RouteListing {
    /// Renders a table with one line per route.
    func text(for terminal: Terminal) -> String {
        guard !lines.isEmpty || !fallbacks.isEmpty else { return "No routes.\n" }
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
        let others = fallbacks.map { fallback in
            printable("\(fallback.words) have no route lead to \(fallback.to)") + "\n"
        }
        return table.rendered(for: terminal) + (others.isEmpty ? "" : "\n" + others.joined())
    }

    /// The listing as a JSON document for `--diff`.
    var json: JSONText {
        [
            "formatVersion": .integer(Self.formatVersion), "routes": .array(lines.map(\.json)),
            "fallbacks": .array(fallbacks.map(\.json)),
        ]
    }
}

extension RouteListing.Line {
    /// The page, handler or object, with the parameters that the route adds to those of the address.
    var service: String { (layout ?? name) + (parameters.isEmpty ? "" : "?" + parameters) }

    /// The page, handler or object with its source, deadline and right to decline, as people read it.
    var served: String {
        let rule = source == "manifest" ? "" : " (bundle.json)"
        let time = deadline.map { " within \(Int($0.rounded(.up))) s" } ?? ""
        return service + rule + time + (mayDecline ? ", or declines" : "")
    }

    var json: JSONText {
        [
            "pattern": .string(pattern), "source": .string(source), "kind": .string(kind), "owner": .string(owner),
            "name": .string(name), "layout": .string(orNull: layout), "exposure": .string(exposure),
            "priority": .integer(priority), "interceptors": .strings(interceptors),
            "deadline": deadline.map { .number($0) } ?? .null, "mayDecline": .bool(mayDecline),
            "parameters": .string(parameters),
            "isInstalled": .bool(isInstalled),
        ]
    }
}

extension RouteListing.Fallback {
    var json: JSONText { ["of": .string(of), "to": .string(to)] }

    /// The addresses of the fallback, as people read them.
    var words: String {
        if of.isEmpty { return "Addresses that" }
        return of.hasSuffix("://") ? "Addresses that start with \(of) and" : "Addresses that match \(of) and"
    }
}
