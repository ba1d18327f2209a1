import Console
import HostSystem
import PluginCore

extension AppGraph {
    private struct Header: Codable { let formatVersion: Int }

    private struct Document: Codable {
        let title: String
        let nodes: [GraphNode]
        let edges: [GraphEdge]
    }

    /// The only supported format version of the document.
    static let formatVersion = 1
    /// The limits of a document that is read: its size in bytes, its values, its nodes and its edges.
    static let limits = (size: 16 << 20, values: 1_000_000, nodes: 10_000, edges: 50_000)

    /// Reads a graph that was written as ``json``.
    ///
    /// - Parameter name: the name of the file, for errors.
    /// - Throws: ``AtriumError`` with code `documentInvalid`.
    init(document bytes: [UInt8], named name: String) throws(AtriumError) {
        func invalid(_ reason: String, _ values: [String: ErrorReason.Value] = [:]) -> AtriumError {
            AtriumError(.documentInvalid, name, reason: reason, values)
        }
        guard bytes.count <= Self.limits.size else {
            throw invalid("fileTooLarge", ["limit": .integer(Self.limits.size)])
        }
        let document: Document
        do {
            guard
                try StrictJSON.decode(Header.self, from: bytes, values: Self.limits.values).formatVersion
                    == Self.formatVersion
            else { throw invalid("formatExpected", ["expected": .integer(Self.formatVersion)]) }
            document = try StrictJSON.decode(Document.self, from: bytes, values: Self.limits.values)
        } catch let error as AtriumError {
            throw error
        } catch {
            throw invalid("notGraph")
        }
        guard document.nodes.count <= Self.limits.nodes, document.edges.count <= Self.limits.edges else {
            throw invalid(
                "graphTooLarge", ["nodes": .integer(Self.limits.nodes), "edges": .integer(Self.limits.edges)])
        }
        self.init(title: document.title)
        document.nodes.filter(\.kind.isCard).forEach { add($0) }
        for node in document.nodes where !node.kind.isCard {
            guard let parent = node.parent.flatMap(self.node), parent.kind.isCard else { throw invalid("notGraph") }
            add(node)
        }
        for edge in document.edges {
            guard node(edge.from) != nil, node(edge.to) != nil, 0...1_000_000_000 ~= edge.count else {
                throw invalid("notGraph")
            }
            add(edge)
        }
        guard nodes.count == document.nodes.count, edges.count == document.edges.count else {
            throw invalid("notGraph")
        }
    }

    /// The graph as a document.
    var json: JSONText {
        [
            "formatVersion": .integer(Self.formatVersion), "title": .string(title),
            "nodes": .array(nodes.map(\.json)), "edges": .array(edges.map(\.json)),
        ]
    }
}

extension GraphNode {
    var json: JSONText {
        [
            "id": .string(id), "kind": .string(kind.rawValue), "name": .string(name),
            "parent": .string(orNull: parent), "team": .string(orNull: team), "isMissing": .bool(isMissing),
            "facts": .array(facts.map { ["name": .string($0.name), "value": .string($0.value)] }),
        ]
    }
}

extension GraphEdge {
    var json: JSONText {
        [
            "kind": .string(kind.rawValue), "from": .string(from), "to": .string(to), "label": .string(label),
            "count": .integer(count),
        ]
    }
}
