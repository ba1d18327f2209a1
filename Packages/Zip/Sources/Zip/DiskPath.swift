/// A path, split into an existing folder and the name to create in it.
package struct DiskPath {
    package let folder: String
    package let name: String

    package init(_ path: String) throws(ZipError) {
        var bytes = path.utf8[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") {
            bytes.removeLast()
        }
        let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
        let nameStart = slash.map { bytes.index(after: $0) } ?? bytes.startIndex
        name = String(Substring(bytes[nameStart...]))
        switch slash {
        case nil: folder = "."
        case bytes.startIndex: folder = "/"
        case .some(let end): folder = String(Substring(bytes[..<end]))
        }
        guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
            throw ZipError(.unsafeName, path: path, detail: "the path must end in a name")
        }
    }
}
