/// A recursive listing of a folder on disk as items for an archive.
enum FolderWalk {
    static func items(below path: String, prefix: String, method: ZipMethod) throws(ZipError) -> [ZipWriter.Item] {
        var items: [ZipWriter.Item] = []
        let namePrefix = prefix.isEmpty ? "" : prefix + "/"
        if !prefix.isEmpty {
            items.append(try ZipWriter.Item(namePrefix, .folder, .stored))
        }
        let root = try FileDescriptor.openFolder(path)
        try visit(root, namePrefix, method, &items)
        return items
    }

    private static func visit(
        _ folder: FileDescriptor, _ prefix: String, _ method: ZipMethod, _ items: inout [ZipWriter.Item]
    ) throws(ZipError) {
        for name in try folder.names() {
            guard let name else {
                throw ZipError(.unsafeName, path: folder.path, detail: "holds a name that is not UTF-8")
            }
            let path = "\(folder.path)/\(name)"
            switch try folder.status(of: name).kind {
            case .file:
                items.append(try ZipWriter.Item(prefix + name, .file(path), method))
            case .folder:
                // The path is validated first, which limits the depth of this recursion.
                items.append(try ZipWriter.Item("\(prefix)\(name)/", .folder, .stored))
                try visit(try folder.openFolder(name), "\(prefix)\(name)/", method, &items)
            case .special:
                throw ZipError(.specialFile, path: path, detail: "neither a file nor a folder")
            }
        }
    }
}
