internal import Synchronization

/// The image files of one bundle that were read, up to a total size.
final class ImageFiles: Sendable {
    /// The maximum size of the files together, in bytes.
    private static let limit = 8 << 20

    private struct Key: Hashable {
        let name: String
        let scale: Int
    }

    private let files = Mutex<(known: [Key: ScaledResource?], size: Int)>(([:], 0))

    /// Returns the file of an image, which is read if it is not known.
    func file(_ name: String, scale: Int, read: () -> ScaledResource?) -> ScaledResource? {
        let key = Key(name: name, scale: scale)
        if let known = files.withLock({ $0.known[key] }) { return known }
        let file = read()
        files.withLock { files in
            files.size += file?.bytes.count ?? name.utf8.count
            if files.size > Self.limit { files = ([:], 0) }
            files.known[key] = .some(file)
        }
        return file
    }
}
