/// Finds names that cannot exist side by side in one folder tree.
enum NameClash {
    /// Refuses a path that occurs twice, and a file that another path needs as a folder.
    static func judge(_ paths: [EntryPath]) throws(ZipError) {
        let sorted = paths.sorted(by: EntryPath.isBefore)
        for (path, next) in zip(sorted, sorted.dropFirst()) where path.contains(next) {
            if next.components.count == path.components.count {
                throw ZipError(.nameClash, entry: next.name, detail: "the name occurs twice")
            }
            if !path.isFolder {
                throw ZipError(.nameClash, entry: path.name, detail: "also needed as a folder by \(next.name)")
            }
        }
    }
}

extension EntryPath {
    var name: String {
        components.map(\.text).joined(separator: "/") + (isFolder ? "/" : "")
    }
}
