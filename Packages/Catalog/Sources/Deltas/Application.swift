import LibCrypto
import Zip

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
        do {
            try apply(delta, write)
        } catch {
            throw error.path.isEmpty ? DeltaError(error.code, path, detail: error.detail) : error
        }
    }

    private func apply(_ delta: [UInt8], _ write: ([UInt8]) throws(DeltaError) -> Void) throws(DeltaError) {
        guard delta.count >= Header.length, delta.starts(with: Header.format) else {
            throw DeltaError(.malformed, detail: "no delta")
        }
        guard try delta.starts(with: Header.bytes(base: base)) else { throw DeltaError(.baseMismatch) }
        // A step is shorter than its bytes in almost all deltas.
        let limit = 2 * limits.contentLength + Segment.length * limits.segments
        var frame = ByteReader(rest: try Frame.decompress(delta, atMost: limit)[...])
        let segments = try segments(of: &frame)
        var contents = try contents(of: &frame, length: segments.reduce(0) { $0 + Int($1.length) })[...]
        let hash = ContentHash()
        var rest = length
        for segment in segments {
            try copy(segment, from: &contents) { bytes throws(DeltaError) in
                rest -= Int64(bytes.count)
                guard rest >= 0 else { throw DeltaError(.hashMismatch, detail: "more than \(length) bytes") }
                hash.update(bytes)
                try write(bytes)
            }
        }
        guard rest == 0, hash.finish()?.hexadecimal == sha256 else { throw DeltaError(.hashMismatch) }
    }

    private func segments(of frame: inout ByteReader) throws(DeltaError) -> [Segment] {
        let count = Int(try frame.read(4).number)
        guard count <= limits.segments else { throw DeltaError(.tooLarge, detail: "\(count) segments") }
        var segments: [Segment] = []
        var rest = UInt64(limits.contentLength)
        for _ in 0..<count {
            guard let segment = Segment(try frame.read(Segment.length)) else { throw DeltaError(.malformed) }
            guard segment.length <= rest else { throw DeltaError(.tooLarge, detail: "the contents are too long") }
            rest -= segment.length
            segments.append(segment)
        }
        return segments
    }

    /// Returns the contents of all segments, which the steps in the rest of the frame describe.
    private func contents(of frame: inout ByteReader, length: Int) throws(DeltaError) -> [UInt8] {
        var contents: [UInt8] = []
        contents.reserveCapacity(length)
        while contents.count < length {
            guard let step = Step(try frame.read(Step.length), baseLength: base.count),
                step.similar + step.other <= length - contents.count
            else { throw DeltaError(.malformed, detail: "a step that leads outside") }
            let differences = try frame.read(step.similar)
            for (difference, byte) in zip(differences, base[step.base...]) { contents.append(difference &+ byte) }
            contents += try frame.read(step.other)
        }
        guard frame.isAtEnd else { throw DeltaError(.malformed, detail: "there are bytes after the end") }
        return contents
    }

    /// Writes a segment from the start of the contents, and removes it there.
    private func copy(
        _ segment: Segment, from contents: inout ArraySlice<UInt8>, write: ([UInt8]) throws(DeltaError) -> Void
    ) throws(DeltaError) {
        var deflater = try segment.deflater()
        let writeSpan = { (bytes: RawSpan) throws(DeltaError) in try write(bytes.withUnsafeBytes { Array($0) }) }
        let end = contents.startIndex + Int(segment.length)
        while contents.startIndex < end {
            let piece = Array(contents[..<min(end, contents.startIndex + 1 << 16)])
            contents = contents.dropFirst(piece.count)
            if deflater == nil { try write(piece) }
            try deflater?.compress(piece.span.bytes, to: writeSpan)
        }
        try deflater?.finish(to: writeSpan)
    }
}

/// A reader of bytes one after another.
private struct ByteReader {
    var rest: ArraySlice<UInt8>

    var isAtEnd: Bool { rest.isEmpty }

    mutating func read(_ count: Int) throws(DeltaError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw DeltaError(.malformed, detail: "the content ends too early") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
