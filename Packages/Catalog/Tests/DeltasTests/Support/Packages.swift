import Deltas
import TUFMetadata
import Testing

extension TestFolder {
    /// Packs files into an archive with zlib, and also writes them into a folder. Returns their paths in the order of a base.
    @discardableResult
    func pack(_ name: String, _ files: [String: [UInt8]], level: Int = 6, isStored: Bool = false) throws -> [String] {
        let names = files.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for file in names { try write(files[file] ?? [], to: "\(name).files/\(file)") }
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w", \(isStored ? "zipfile.ZIP_STORED" : "zipfile.ZIP_DEFLATED, compresslevel=\(level)")) as z:
                z.writestr(zipfile.ZipInfo("folder/"), b"")
                for name in sys.argv[3:]:
                    z.write(sys.argv[2] + "/" + name, name)
            """
        let result = try runProgram("python3", ["-c", script, place(name), place("\(name).files")] + names.reversed())
        try #require(result.status == 0, "\(result.output)")
        return names.map { place("\(name).files/\($0)") }
    }

    /// Applies a delta, and returns the package.
    func apply(
        _ delta: String, to base: DeltaBase, for package: String, limits: DeltaLimits = DeltaLimits()
    ) throws -> [UInt8] {
        let expected = try bytes(package)
        try Delta.apply(
            place(delta), to: base, length: Int64(expected.count),
            sha256: HashAlgorithm.sha256.digest(of: expected), at: place("result"), limits: limits)
        return try bytes("result")
    }
}

/// Returns random bytes, which differ with a number, and are about half as long when they are compressed.
func noise(_ length: Int, number: UInt64 = 0) -> [UInt8] {
    var state = 0x9E37_79B9_7F4A_7C15 &+ number
    return (0..<length).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state & 15)
    }
}
