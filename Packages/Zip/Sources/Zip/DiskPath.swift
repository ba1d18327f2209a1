import HostSystem

/// A path, split into an existing folder and the name to create in it.
package struct DiskPath {
    package let folder: String
    package let name: String

    package init(_ path: String) throws(ZipError) {
        var bytes = path.utf8[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        (folder, name) = NewFile<ZipError>.location(of: String(Substring(bytes)))
        guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
            throw ZipError(.unsafeName, path: path, detail: "the path must end in a name")
        }
    }
}
