internal import Hashing
internal import Zip

/// The application of a delta: a package is written from segments, while its length and digest are checked.
struct Application {
    let path: String
    let base: [UInt8]
    let length: Int64
    let sha256: String
    let limits: DeltaLimits

    /// Writes the package, in pieces.
    ///
    /// - Parameter write: A closure that appends bytes to the package.
    func run(_ delta: [UInt8], write: ([UInt8]) throws(DeltaError) -> Void) throws(DeltaError) {
        guard let header = Header(delta.prefix(Header.length)) else {
            throw DeltaError(.malformed, path, detail: "no delta")
        }
        guard header.baseLength == UInt64(base.count), try header.baseDigest == digest(of: base) else {
            throw DeltaError(.baseMismatch, path)
        }
        let frame = try FrameReader(path: path, input: delta, from: Header.length)
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
        var deflater = try segment.deflater(path)
        let writeSpan = { (bytes: RawSpan) throws(DeltaError) in try write(bytes.withUnsafeBytes { Array($0) }) }
        var rest = Int(segment.length)
        while rest > 0 {
            let piece = try contents.read(min(rest, 1 << 16))
            rest -= piece.count
            if deflater == nil { try write(piece) }
            try deflater?.compress(piece.span.bytes, to: writeSpan)
        }
        try deflater?.finish(to: writeSpan)
    }
}
