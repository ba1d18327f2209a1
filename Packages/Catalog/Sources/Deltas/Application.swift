internal import Hashing

/// The application of a delta: a package is written from segments, while its length and digest are checked.
struct Application {
    let path: String
    let base: [UInt8]
    let length: Int64
    let sha256: String
    let limits: DeltaLimits

    /// Writes the package, in pieces.
    ///
    /// - Parameters:
    ///   - next: A closure that returns the next bytes of the delta, or nil at the end.
    ///   - write: A closure that appends bytes to the package.
    func run(
        _ next: @escaping () throws(DeltaError) -> [UInt8]?, write: ([UInt8]) throws(DeltaError) -> Void
    ) throws(DeltaError) {
        let frame = try FrameReader(path: path, input: try first(next), next: next)
        let hash = ContentHash()
        var rest = length
        let segments = try segments(of: frame)
        let contents = ContentReader(frame, base: base, path: path)
        for segment in segments {
            try copy(segment, from: contents) { (bytes) throws(DeltaError) in
                rest -= Int64(bytes.count)
                guard rest >= 0 else { throw DeltaError(.hashMismatch, path, detail: "more than \(length) bytes") }
                hash.update(bytes)
                try write(bytes)
            }
        }
        try contents.finish()
        guard rest == 0, hash.finish()?.hexadecimal == sha256 else { throw DeltaError(.hashMismatch, path) }
    }

    /// Checks the header, and returns the bytes after it that were read with it.
    private func first(_ next: () throws(DeltaError) -> [UInt8]?) throws(DeltaError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < Header.length, let piece = try next() { bytes += piece }
        guard let header = Header(bytes.prefix(Header.length)) else {
            throw DeltaError(.malformed, path, detail: "no delta")
        }
        guard header.baseLength == UInt64(base.count), try header.baseDigest == digest(of: base) else {
            throw DeltaError(.baseMismatch, path)
        }
        return Array(bytes.dropFirst(Header.length))
    }

    private func segments(of frame: FrameReader) throws(DeltaError) -> [Segment] {
        let count = Int(try frame.read(4)[...].number)
        guard count <= limits.segments else { throw DeltaError(.tooLarge, path, detail: "\(count) segments") }
        var segments: [Segment] = []
        var rest = UInt64(limits.contentLength)
        for _ in 0..<count {
            guard let segment = Segment(try frame.read(Segment.length)[...]) else { throw DeltaError(.malformed, path) }
            guard segment.length <= rest else { throw DeltaError(.tooLarge, path, detail: "the contents are too long") }
            rest -= segment.length
            segments.append(segment)
        }
        return segments
    }

    private func copy(
        _ segment: Segment, from contents: ContentReader, write: ([UInt8]) throws(DeltaError) -> Void
    ) throws(DeltaError) {
        let deflater =
            segment.level > 0
            ? try Deflater(level: segment.level, memoryLevel: segment.memoryLevel, path: path) : nil
        var rest = Int(segment.length)
        repeat {
            let piece = try contents.read(min(rest, Deflater.pieceLength))
            rest -= piece.count
            if let deflater {
                try deflater.append(piece, isLast: rest == 0, write: write)
            } else {
                try write(piece)
            }
        } while rest > 0
    }
}
