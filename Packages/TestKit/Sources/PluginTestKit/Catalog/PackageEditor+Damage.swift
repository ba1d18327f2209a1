internal import PluginCore
internal import Zip

extension PackageEditor {
    /// Changes the bytes of the finished archive, after all changes of its content.
    public mutating func editArchive(_ change: @escaping @Sendable (inout [UInt8]) throws -> Void) {
        edits.append(change)
    }

    /// Turns all bits of some bytes of the finished archive.
    ///
    /// - Parameter offset: of the first byte; below zero it counts from the archive's end.
    public mutating func damage(at offset: Int, count: Int = 1) {
        editArchive { bytes in
            let start = offset < 0 ? bytes.count + offset : offset
            guard count > 0, start >= 0, start < bytes.count, count <= bytes.count - start else {
                throw FixtureError("the archive of \(bytes.count) bytes has no \(count) bytes at \(offset)")
            }
            for index in start..<(start + count) { bytes[index] = ~bytes[index] }
        }
    }

    /// Turns all bits of the last byte of a file's content, as it lies in the archive: its checksum no longer fits.
    public mutating func damage(contentOf file: String) {
        editArchive { bytes in
            let folder = try ThrowawayFolder()
            let archive = try ZipArchive(path: try folder.write(bytes, to: "package.zip").string)
            guard let entry = archive.entry(named: file), entry.compressedSize > 0 else {
                throw FixtureError("the archive has no content of \(file)")
            }
            // APPNOTE 4.3.7: 30 bytes, the name, and no extra field, because the writer puts none.
            let end = Int(entry.offset) + 30 + file.utf8.count + Int(entry.compressedSize)
            bytes[end - 1] = ~bytes[end - 1]
        }
    }

    /// Keeps only the first bytes of the finished archive.
    ///
    /// - Parameter count: how many; below zero, how many go.
    public mutating func truncate(to count: Int) {
        editArchive { bytes in
            let left = count < 0 ? bytes.count + count : count
            guard left >= 0, left < bytes.count else {
                throw FixtureError("an archive of \(bytes.count) bytes cannot be cut to \(count)")
            }
            bytes.removeSubrange(left...)
        }
    }

    /// Replaces bytes of the finished archive wherever they occur, which reaches names that no honest writer writes:
    ///
    /// ```swift
    /// package.set("Resources/_./evil", to: "x")
    /// package.patch("Resources/_./evil", with: "Resources/../evil")
    /// ```
    ///
    /// - Parameter other: as many bytes as `text` has, so that all else stays where it is.
    public mutating func patch(_ text: String, with other: String) {
        editArchive { bytes in
            let (old, new) = (Array(text.utf8), Array(other.utf8))
            guard !old.isEmpty, old.count == new.count else {
                throw FixtureError("\"\(text)\" and \"\(other)\" are not of the same length")
            }
            var index = 0
            var isFound = false
            while index + old.count <= bytes.count {
                if bytes[index] == old[0], bytes[index..<(index + old.count)].elementsEqual(old) {
                    bytes.replaceSubrange(index..<(index + old.count), with: new)
                    index += old.count
                    isFound = true
                } else {
                    index += 1
                }
            }
            if !isFound { throw FixtureError("the archive does not contain \"\(text)\"") }
        }
    }
}
