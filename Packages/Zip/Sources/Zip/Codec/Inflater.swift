import CZlib

/// A decompressor for a raw deflate stream.
struct Inflater: ~Copyable {
    /// The maximum ratio of deflate, which encodes 258 bytes in two bits.
    static let maximumRatio: UInt64 = 1032

    // The stream is on the heap because zlib keeps a pointer to it.
    private let stream: UnsafeMutablePointer<z_stream>
    private(set) var isFinished = false

    init() throws(ZipError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            stream.deallocate()
            throw ZipError(.corruptData, detail: "zlib could not start (\(status))")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decompresses input, advances the position past the used part, and returns the number of output bytes.
    ///
    /// The number is zero if more input is needed.
    mutating func step(
        _ input: [UInt8], count: Int, position: inout Int, output: inout [UInt8]
    ) throws(ZipError) -> Int {
        let room = output.count
        let stream = stream
        let (status, used, produced) = input.withUnsafeBytes { source in
            output.withUnsafeMutableBytes { target -> (CInt, Int, Int) in
                let rest = UnsafeRawBufferPointer(rebasing: source[position..<count])
                stream.pointee.next_in = UnsafeMutablePointer(mutating: rest.bindMemory(to: UInt8.self).baseAddress)
                stream.pointee.avail_in = uInt(clamping: rest.count)
                stream.pointee.next_out = target.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = uInt(clamping: room)
                let given = stream.pointee.avail_in
                let status = inflate(stream, Z_NO_FLUSH)
                return (status, Int(given - stream.pointee.avail_in), room - Int(stream.pointee.avail_out))
            }
        }
        position += used
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isFinished = true
        default: throw ZipError(.corruptData, detail: "not a deflate stream (zlib \(status))")
        }
        return produced
    }
}
