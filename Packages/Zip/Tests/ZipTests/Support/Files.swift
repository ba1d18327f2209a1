import FoundationEssentials
import Testing
import ZipWriting

/// Runs a closure with the path of a new folder, which is removed afterward.
func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = try TestFolder()
    return try withExtendedLifetime(folder) { try body(folder.path) }
}

func writeFile(_ bytes: [UInt8], to path: String, mode: Int = 0o644) throws {
    try Data(bytes).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

func readFile(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
}

func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

func mode(of path: String) throws -> Int {
    let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    return try #require(value as? Int) & 0o7777
}

/// Returns all files below a folder with their contents. Names of folders end with a slash.
func tree(_ root: String) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
        var isFolder = false
        _ = FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isFolder)
        if isFolder {
            found[name + "/"] = []
        } else {
            found[name] = try readFile("\(root)/\(name)")
        }
    }
    return found
}

extension ZipWriter {
    /// Adds all files and folders below a folder.
    mutating func add(tree folder: String) throws {
        for name in try tree(folder).keys {
            if name.hasSuffix("/") { try add(emptyFolder: name) } else { try add(file: "\(folder)/\(name)", as: name) }
        }
    }
}
