internal import FoundationEssentials
internal import PluginCore

/// The pictures in the plugin's container: PNG files in one folder.
struct PictureLibrary: Sendable {
    private let folder: FilePath

    init(in container: BundleContainer) { folder = container.documents.appending("Pictures") }

    /// Returns all pictures, sorted by name.
    ///
    /// - Throws: the errors of the file system.
    func pictures() throws -> [Picture] {
        guard FileManager.default.fileExists(atPath: folder.string) else { return [] }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.string)
        return try names.filter { $0.hasSuffix(".png") }.sorted().map { try Picture(at: folder.appending($0)) }
    }

    /// Adds a picture, and replaces one of the same name.
    ///
    /// - Throws: the errors of the file system.
    func add(_ bytes: [UInt8], named name: String) throws {
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: folder.appending(name).string), options: .atomic)
    }
}

/// A picture in a PNG file.
struct Picture: Sendable {
    let path: FilePath
    /// Width and height in pixels; `nil` for a file that is not a PNG.
    let size: (width: Int, height: Int)?

    /// Reads the head of a file.
    ///
    /// - Throws: the errors of the file system.
    init(at path: FilePath) throws {
        self.path = path
        // A mapped file is not read any further than its head.
        let file = try Data(contentsOf: URL(filePath: path.string), options: .mappedIfSafe)
        size = Self.size(in: [UInt8](file.prefix(Self.headLength)))
    }

    /// The name of the file.
    var name: String { path.lastComponent }

    // The signature, the length and name of the first chunk, and the first two of its fields; see RFC 2083, chapters 3 and 4.
    private static let headLength = 24
    private static let start: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
    ]

    private static func size(in head: [UInt8]) -> (width: Int, height: Int)? {
        guard head.count == headLength, head.starts(with: start) else { return nil }
        func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
        return (number(head[16..<20]), number(head[20..<24]))
    }
}
