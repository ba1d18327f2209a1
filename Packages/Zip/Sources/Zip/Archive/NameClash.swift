/// Finds names that cannot exist side by side in one folder tree, on whatever file system it lies: on some, case or
/// the way that an accent is written makes no difference.
enum NameClash {
    private struct Folded {
        let path: EntryPath
        let components: [String]
    }

    /// Refuses a path that occurs twice, a file that another path needs as a folder, and one folder in two spellings.
    static func judge(_ paths: [EntryPath]) throws(ZipError) {
        // Neighbours share the longest beginnings, so that whatever clashes with any does so with its neighbour.
        let sorted = paths.map { Folded(path: $0, components: $0.components.map { fold($0.text) }) }
            .sorted { $0.components.lexicographicallyPrecedes($1.components) }
        for (one, next) in zip(sorted, sorted.dropFirst()) {
            try judge(one, beside: next)
        }
    }

    private static func judge(_ one: Folded, beside next: Folded) throws(ZipError) {
        let shared = zip(one.components, next.components).prefix(while: ==).count
        let isFolder = shared < one.components.count || one.path.isFolder
        if shared == one.components.count {
            if shared == next.components.count {
                throw ZipError(
                    .nameClash, entry: next.path.name,
                    detail: one.path.components == next.path.components
                        ? "the name occurs twice" : "on some systems the same name as \(one.path.name)")
            }
            guard isFolder else {
                throw ZipError(
                    .nameClash, entry: one.path.name, detail: "also needed as a folder by \(next.path.name)")
            }
        }
        guard one.path.components.prefix(shared) == next.path.components.prefix(shared) else {
            throw ZipError(
                .nameClash, entry: next.path.name, detail: "on some systems in the same folder as \(one.path.name)")
        }
    }

    /// The same text for all names that some file system takes for one: `String` compares by canonical equivalence,
    /// and going up and down folds what has several lower forms, such as the final sigma.
    private static func fold(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        return text.uppercased().lowercased()
    }
}

extension EntryPath {
    var name: String {
        components.map(\.text).joined(separator: "/") + (isFolder ? "/" : "")
    }
}
