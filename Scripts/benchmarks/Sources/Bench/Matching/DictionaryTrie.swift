/// A straightforward router as a baseline, which splits an address and looks up each segment in a dictionary of child nodes.
final class DictionaryTrie {
    private final class Node {
        var literals: [Substring: Node] = [:]
        var capture: Node?
        var route: (value: Int, names: [String])?
    }

    private let root = Node()

    func add(_ pattern: String, _ value: Int) {
        var node = root
        var names: [String] = []
        for segment in pattern.split(separator: "/") {
            if segment.first == ":" {
                names.append(String(segment.dropFirst()))
                let next = node.capture ?? Node()
                node.capture = next
                node = next
            } else {
                let next = node.literals[segment] ?? Node()
                node.literals[segment] = next
                node = next
            }
        }
        node.route = (value, names)
    }

    /// Returns the route of an address with its captures.
    func first(for address: String) -> (value: Int, captures: [(name: String, text: Substring)])? {
        var captures: [Substring] = []
        guard let route = find(address.split(separator: "/")[...], below: root, &captures) else { return nil }
        return (route.value, Array(zip(route.names, captures)))
    }

    private func find(
        _ segments: ArraySlice<Substring>, below node: Node, _ captures: inout [Substring]
    ) -> (value: Int, names: [String])? {
        guard let segment = segments.first else { return node.route }
        if let next = node.literals[segment], let found = find(segments.dropFirst(), below: next, &captures) {
            return found
        }
        guard let next = node.capture else { return nil }
        captures.append(segment)
        if let found = find(segments.dropFirst(), below: next, &captures) { return found }
        captures.removeLast()
        return nil
    }
}
