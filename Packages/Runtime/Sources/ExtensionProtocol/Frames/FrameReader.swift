package import PluginCore

/// A reader that divides received bytes into frames. It holds at most one frame and what was received together with its end.
package struct FrameReader: Sendable {
    private var bytes: [UInt8] = []
    private var files: [AttachmentFile] = []

    package init() {}

    /// Adds received bytes, and the descriptors that came with them.
    package mutating func append(_ received: some Sequence<UInt8>, files: [AttachmentFile]) {
        bytes += received
        self.files += files
    }

    /// Removes the first frame, or returns nil until all of it has been received.
    ///
    /// - Throws: A violation, after which the connection cannot be used.
    package mutating func next() throws(ProtocolViolation) -> Frame? {
        guard bytes.count >= Frame.headerSize else {
            if files.count > Frame.maximumFiles { throw .tooManyFiles }
            return nil
        }
        var header = WireReader(Array(bytes.prefix(Frame.headerSize)))
        guard let size = try? header.read(UInt32.self), let kindNumber = try? header.read(UInt8.self),
            let fileCount = try? header.read(UInt8.self), let method = try? header.read(UInt16.self),
            let number = try? header.read(UInt32.self)
        else { return nil }
        guard size <= Frame.maximumBody else { throw .frameTooLarge(Int(size)) }
        guard let kind = Frame.Kind(rawValue: kindNumber) else { throw .kindUnknown(kindNumber) }
        guard fileCount <= Frame.maximumFiles else { throw .tooManyFiles }
        let end = Frame.headerSize + Int(size)
        guard bytes.count >= end else {
            // Descriptors arrive with a frame's first byte, so none of a later frame can be here.
            if files.count > Int(fileCount) { throw .tooManyFiles }
            return nil
        }
        guard files.count >= Int(fileCount) else { throw .filesMissing }
        let frame = Frame(
            kind, method: method, number: number, body: Array(bytes[Frame.headerSize..<end]),
            files: Array(files.prefix(Int(fileCount))))
        bytes.removeSubrange(..<end)
        files.removeFirst(Int(fileCount))
        if bytes.isEmpty, !files.isEmpty { throw .tooManyFiles }
        return frame
    }
}
