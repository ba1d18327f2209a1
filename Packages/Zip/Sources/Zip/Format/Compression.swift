import CZlib

/// An incremental CRC-32, by APPNOTE 4.4.7.
package struct CRC32 {
    package private(set) var value: UInt32 = 0

    package init() {}

    package mutating func update(_ bytes: RawSpan) {
        value = bytes.withUnsafeBytes { memory in
            // With a null pointer, zlib would return the initial value.
            guard let start = memory.bindMemory(to: UInt8.self).baseAddress else { return value }
            return UInt32(truncatingIfNeeded: crc32_z(UInt(value), start, memory.count))
        }
    }
}

/// The state of a raw deflate stream, to which zlib keeps a pointer.
final class ZlibStream {
    /// The maximum ratio of deflate, which encodes 258 bytes in two bits.
    static let maximumRatio: UInt64 = 1032

    private let state: UnsafeMutablePointer<z_stream>
    private let isCompressing: Bool

    /// Creates the state of a compressor with a level, or of a decompressor.
    init(level: Int32? = nil, memoryLevel: Int32 = 0) throws(ZipError) {
        state = .allocate(capacity: 1)
        state.initialize(to: z_stream())
        isCompressing = level != nil
        let size = CInt(MemoryLayout<z_stream>.size)
        let status =
            level.map {
                deflateInit2_(
                    state, $0, Z_DEFLATED, -MAX_WBITS, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
            } ?? inflateInit2_(state, -MAX_WBITS, ZLIB_VERSION, size)
        guard status == Z_OK else { throw ZipError(.corruptData, "zlib could not start (\(status))") }
    }

    deinit {
        _ = isCompressing ? deflateEnd(state) : inflateEnd(state)
        state.deallocate()
    }

    /// Makes a step, advances the position past the used input, and returns the status and the number of output bytes.
    func step(
        _ input: RawSpan, position: inout Int, output: inout [UInt8], flush: CInt = Z_NO_FLUSH
    ) -> (status: CInt, produced: Int) {
        input.withUnsafeBytes { source in
            output.withUnsafeMutableBytes { target in
                let source = UnsafeRawBufferPointer(rebasing: source[position...])
                state.pointee.next_in = UnsafeMutablePointer(mutating: source.bindMemory(to: UInt8.self).baseAddress)
                state.pointee.avail_in = uInt(clamping: source.count)
                state.pointee.next_out = target.bindMemory(to: UInt8.self).baseAddress
                state.pointee.avail_out = uInt(clamping: target.count)
                let given = state.pointee.avail_in
                let status = isCompressing ? deflate(state, flush) : inflate(state, flush)
                position += Int(given - state.pointee.avail_in)
                return (status, target.count - Int(state.pointee.avail_out))
            }
        }
    }
}

/// A compressor for a raw deflate stream.
package struct Deflater: ~Copyable {
    private let stream: ZlibStream
    private var output = [UInt8](repeating: 0, count: 1 << 16)

    /// Creates a compressor, with zlib's default levels if none are given.
    package init(level: Int32 = -1, memoryLevel: Int32 = 8) throws(ZipError) {
        stream = try ZlibStream(level: level, memoryLevel: memoryLevel)
    }

    /// Compresses a piece and passes available output to a closure.
    package mutating func compress<Failure>(
        _ bytes: RawSpan, to sink: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        try run(bytes, flush: Z_NO_FLUSH, to: sink)
    }

    /// Passes the rest of the stream to a closure.
    package mutating func finish<Failure>(to sink: (RawSpan) throws(Failure) -> Void) throws(Failure) {
        try run([UInt8]().span.bytes, flush: Z_FINISH, to: sink)
    }

    private mutating func run<Failure>(
        _ bytes: RawSpan, flush: CInt, to sink: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        var position = 0
        while true {
            // The status is redundant: with a valid state, the call cannot fail.
            let produced = stream.step(bytes, position: &position, output: &output, flush: flush).produced
            if produced > 0 { try sink(output.span.bytes.extracting(first: produced)) }
            // Unused space in the buffer means that zlib has no more output for this input.
            if produced < output.count, position == bytes.byteCount { return }
        }
    }
}
