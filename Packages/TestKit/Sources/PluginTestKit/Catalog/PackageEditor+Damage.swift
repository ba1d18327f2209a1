internal import PluginCore
internal import Zip

extension PackageEditor {
    /// Changes the bytes of the finished archive, after all changes of its content.
    public mutating func editArchive(_ change: @escaping @Sendable (inout [UInt8]) throws -> Void) {
        edits.append(change)
    }

    /// Inverts bytes of the finished archive.
    ///
    /// - Parameters:
    ///   - offset: The offset of the first byte. A negative value counts from the end of the archive.
    ///   - count: The number of bytes.
    public mutating func damage(at offset: Int, count: Int = 1) {
        editArchive { bytes in
            let start = offset < 0 ? bytes.count + offset : offset
            guard count > 0, start >= 0, start < bytes.count, count <= bytes.count - start else {
                throw FixtureError("the archive of \(bytes.count) bytes has no \(count) bytes at \(offset)")
            }
            for index in start..<(start + count) { bytes[index] = ~bytes[index] }
        }
    }

    /// Inverts the last byte of a file's content in the archive, so its checksum becomes wrong.
    public mutating func damage(contentOf file: String) {
        editArchive { bytes in
            let folder = try ThrowawayFolder()
            let archive = try ZipArchive(path: try folder.write(bytes, to: "package.zip").string)
            guard let entry = archive.entry(named: file), entry.compressedSize > 0 else {
                throw FixtureError("the archive has no content of \(file)")
            }
            // By APPNOTE 4.3.7, the header has 30 bytes and the name. The writer adds no extra field.
            let end = Int(entry.offset) + 30 + file.utf8.count + Int(entry.compressedSize)
            bytes[end - 1] = ~bytes[end - 1]
        }
    }

    /// Truncates the finished archive.
    ///
    /// - Parameter count: The number of bytes to keep, or if negative, the number of bytes to remove.
    public mutating func truncate(to count: Int) {
        editArchive { bytes in
            let left = count < 0 ? bytes.count + count : count
            guard left >= 0, left < bytes.count else {
                throw FixtureError("an archive of \(bytes.count) bytes cannot be cut to \(count)")
            }
            bytes.removeSubrange(left...)
        }
    }

    /// Replaces bytes of the finished archive wherever they occur.
    ///
    /// This can create names that a correct writer rejects:
    ///
    /// ```swift
    /// package.set("Resources/_./evil", to: "x")
    /// package.patch("Resources/_./evil", with: "Resources/../evil")
    /// ```
    ///
    /// - Parameter other: The replacement, with as many bytes as `text`, so that offsets do not change.
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
