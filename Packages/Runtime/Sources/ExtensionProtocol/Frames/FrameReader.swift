package import PluginCore

/// A reader that divides received bytes into frames. It holds at most one frame and what was received together with its end.
package struct FrameReader: Sendable {
    private var bytes: [UInt8] = []
    /// The number of bytes of frames that were removed, which stay until more is received.
    ///
    /// Moving the rest for each frame would take long in a flood of small ones.
    private var start = 0
    private var files: [AttachmentFile] = []

    package init() {}

    /// Adds received bytes, and the descriptors that came with them.
    package mutating func append(_ received: some Sequence<UInt8>, files: [AttachmentFile]) {
        bytes.removeSubrange(..<start)
        start = 0
        bytes += received
        self.files += files
    }

    /// Removes the first frame, or returns nil until all of it has been received.
    ///
    /// - Throws: A violation, after which the connection cannot be used.
    package mutating func next() throws(ProtocolViolation) -> Frame? {
        guard bytes.count - start >= Frame.headerSize else {
            if files.count > Frame.maximumFiles { throw .tooManyFiles }
            return nil
        }
        let body = start + Frame.headerSize
        var header = WireReader(Array(bytes[start..<body]))
        guard let size = try? header.read(UInt32.self), let kindNumber = try? header.read(UInt8.self),
            let fileCount = try? header.read(UInt8.self), let method = try? header.read(UInt16.self),
            let number = try? header.read(UInt32.self)
        else { return nil }
        guard size <= Frame.maximumBody else { throw .frameTooLarge(Int(size)) }
        guard let kind = Frame.Kind(rawValue: kindNumber) else { throw .kindUnknown(kindNumber) }
        guard fileCount <= Frame.maximumFiles else { throw .tooManyFiles }
        let end = body + Int(size)
        guard bytes.count >= end else {
            // Descriptors arrive with a frame's first byte, so none of a later frame can be here.
            if files.count > Int(fileCount) { throw .tooManyFiles }
            return nil
        }
        guard files.count >= Int(fileCount) else { throw .filesMissing }
        let frame = Frame(
            kind, method: method, number: number, body: Array(bytes[body..<end]),
            files: Array(files.prefix(Int(fileCount))))
        start = end
        files.removeFirst(Int(fileCount))
        if start == bytes.count, !files.isEmpty { throw .tooManyFiles }
        return frame
    }
}
