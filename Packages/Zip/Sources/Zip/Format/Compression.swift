import CZlib

/// An incremental CRC-32, by APPNOTE 4.4.7.
struct CRC32 {
    private(set) var value: UInt32 = 0

    mutating func update(_ bytes: RawSpan) {
        value = bytes.withUnsafeBytes { memory in
            // With a null pointer, zlib would return the initial value.
            guard let start = memory.bindMemory(to: UInt8.self).baseAddress else { return value }
            return UInt32(truncatingIfNeeded: crc32_z(UInt(value), start, memory.count))
        }
    }
}

/// A stream of zlib, which keeps a pointer to it.
private final class ZlibStream {
    private let stream: UnsafeMutablePointer<z_stream>
    private let end: (UnsafeMutablePointer<z_stream>) -> CInt

    init(
        _ begin: (UnsafeMutablePointer<z_stream>) -> CInt, end: @escaping (UnsafeMutablePointer<z_stream>) -> CInt
    ) throws(ZipError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        self.end = end
        let status = begin(stream)
        guard status == Z_OK else { throw ZipError(.corruptData, detail: "zlib could not start (\(status))") }
    }

    deinit {
        _ = end(stream)
        stream.deallocate()
    }

    /// Makes a step, and returns its status and the numbers of bytes that it has used and produced.
    func step(
        from input: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer,
        _ run: (UnsafeMutablePointer<z_stream>) -> CInt
    ) -> (status: CInt, used: Int, produced: Int) {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = uInt(clamping: input.count)
        stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = uInt(clamping: output.count)
        let given = stream.pointee.avail_in
        let status = run(stream)
        return (status, Int(given - stream.pointee.avail_in), output.count - Int(stream.pointee.avail_out))
    }
}

/// A compressor for a raw deflate stream, at zlib's default level.
struct Deflater: ~Copyable {
    private let stream: ZlibStream
    private var output = [UInt8](repeating: 0, count: 1 << 16)

    init() throws(ZipError) {
        stream = try ZlibStream(
            {
                deflateInit2_(
                    $0, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY,
                    ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
            }, end: { deflateEnd($0) })
    }

    /// Compresses a piece and passes available output to a closure.
    mutating func compress(_ bytes: RawSpan, to sink: (RawSpan) throws(ZipError) -> Void) throws(ZipError) {
        try run(bytes, flush: Z_NO_FLUSH, to: sink)
    }

    /// Passes the rest of the stream to a closure.
    mutating func finish(to sink: (RawSpan) throws(ZipError) -> Void) throws(ZipError) {
        try run([UInt8]().span.bytes, flush: Z_FINISH, to: sink)
    }

    private mutating func run(
        _ bytes: RawSpan, flush: CInt, to sink: (RawSpan) throws(ZipError) -> Void
    ) throws(ZipError) {
        var position = 0
        while true {
            let produced = step(bytes, position: &position, flush: flush)
            if produced > 0 {
                try sink(output.span.bytes.extracting(first: produced))
            }
            // Unused space in the buffer means that zlib has no more output for this input.
            if produced < output.count, position == bytes.byteCount { return }
        }
    }

    /// Advances the position past the used input and returns the number of output bytes.
    private mutating func step(_ bytes: RawSpan, position: inout Int, flush: CInt) -> Int {
        let stream = stream
        var span = output.mutableSpan
        var memory = span.mutableBytes
        // The status is redundant: with a valid state, the call cannot fail.
        let (_, used, produced) = bytes.withUnsafeBytes { source in
            memory.withUnsafeMutableBytes { target in
                stream.step(from: UnsafeRawBufferPointer(rebasing: source[position...]), to: target) {
                    deflate($0, flush)
                }
            }
        }
        position += used
        return produced
    }
}

/// A decompressor for a raw deflate stream.
struct Inflater: ~Copyable {
    /// The maximum ratio of deflate, which encodes 258 bytes in two bits.
    static let maximumRatio: UInt64 = 1032

    private let stream: ZlibStream
    private(set) var isFinished = false

    init() throws(ZipError) {
        stream = try ZlibStream(
            { inflateInit2_($0, -MAX_WBITS, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) },
            end: { inflateEnd($0) })
    }

    /// Decompresses input, advances the position past the used part, and returns the number of output bytes.
    ///
    /// The number is zero if more input is needed.
    mutating func step(
        _ input: [UInt8], count: Int, position: inout Int, output: inout [UInt8]
    ) throws(ZipError) -> Int {
        let stream = stream
        let (status, used, produced) = input.withUnsafeBytes { source in
            output.withUnsafeMutableBytes { target in
                stream.step(from: UnsafeRawBufferPointer(rebasing: source[position..<count]), to: target) {
                    inflate($0, Z_NO_FLUSH)
                }
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
