internal import CDelta

/// A stream of raw deflate.
///
/// The same content gives the same bytes only if it is appended in the same pieces, so all users of this type take pieces of one length.
final class Deflater {
    static let pieceLength = 1 << 16

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let path: String
    private var output = [UInt8](repeating: 0, count: 1 << 16)

    /// Creates a stream.
    ///
    /// - Parameter path: The path of the delta, for errors.
    init(level: UInt8, memoryLevel: UInt8, path: String) throws(DeltaError) {
        self.path = path
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream, CInt(level), Z_DEFLATED, -MAX_WBITS, CInt(memoryLevel), Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            CInt(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw DeltaError(.unavailable, path, detail: "no memory") }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Appends a piece, and passes on the deflated bytes.
    func append(
        _ piece: [UInt8], isLast: Bool, write: ([UInt8]) throws(DeltaError) -> Void
    ) throws(DeltaError) {
        var used = 0
        while true {
            let (status, count) = step(piece, &used, isLast ? Z_FINISH : Z_NO_FLUSH)
            guard [Z_OK, Z_BUF_ERROR, Z_STREAM_END].contains(status) else {
                throw DeltaError(.unavailable, path, detail: "zlib failed")
            }
            if count > 0 { try write(Array(output[..<count])) }
            if status == Z_STREAM_END || !isLast && used == piece.count && count < output.count { return }
        }
    }

    /// Deflates what is not yet used of a piece, as far as the output has room. Returns the number of bytes in the output.
    private func step(_ piece: [UInt8], _ used: inout Int, _ flush: CInt) -> (status: CInt, count: Int) {
        let stream = stream
        return piece.withUnsafeBytes { bytes in
            output.withUnsafeMutableBytes { output in
                let input = UnsafeRawBufferPointer(rebasing: bytes[used...]).bindMemory(to: UInt8.self)
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = uInt(input.count)
                stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = uInt(output.count)
                let status = deflate(stream, flush)
                used = bytes.count - Int(stream.pointee.avail_in)
                return (status, output.count - Int(stream.pointee.avail_out))
            }
        }
    }

    /// Deflates everything at once.
    static func deflated(
        _ content: [UInt8], level: UInt8, memoryLevel: UInt8, path: String
    ) throws(DeltaError) -> [UInt8] {
        let deflater = try Deflater(level: level, memoryLevel: memoryLevel, path: path)
        var result: [UInt8] = []
        var place = 0
        repeat {
            let end = min(place + pieceLength, content.count)
            try deflater.append(Array(content[place..<end]), isLast: end == content.count) { result += $0 }
            place = end
        } while place < content.count
        return result
    }
}
