import CDelta

/// The compressed frame of a delta, which follows its header.
enum Frame {
    /// Returns the frame of some content, or nil without memory.
    static func compress(_ content: [UInt8]) -> [UInt8]? {
        guard let context = ZSTD_createCCtx() else { return nil }
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 19)
        ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, DeltaLimits.windowLog)
        ZSTD_CCtx_setParameter(context, ZSTD_c_enableLongDistanceMatching, 1)
        var frame = [UInt8](repeating: 0, count: ZSTD_compressBound(content.count))
        let count = ZSTD_compress2(context, &frame, frame.count, content, content.count)
        return ZSTD_isError(count) == 0 ? Array(frame.prefix(count)) : nil
    }

    /// Returns the content of the frame at the end of a delta.
    ///
    /// - Parameter limit: The largest content in bytes, of which no more is decompressed.
    static func decompress(_ delta: [UInt8], atMost limit: Int) throws(DeltaError) -> [UInt8] {
        guard let context = ZSTD_createDCtx() else { throw DeltaError(.unavailable, detail: "no memory") }
        defer { ZSTD_freeDCtx(context) }
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, DeltaLimits.windowLog)
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 17)
        var place = Header.length
        var hasEnded = false
        while !hasEnded {
            var input = ZSTD_inBuffer(src: nil, size: delta.count, pos: place)
            var output = ZSTD_outBuffer(dst: nil, size: piece.count, pos: 0)
            let result = delta.withUnsafeBytes { source in
                piece.withUnsafeMutableBytes { target in
                    (input.src, output.dst) = (source.baseAddress, target.baseAddress)
                    return ZSTD_decompressStream(context, &output, &input)
                }
            }
            guard ZSTD_isError(result) == 0 else {
                let code = ZSTD_getErrorCode(result)
                throw code == ZSTD_error_memory_allocation || code == ZSTD_error_frameParameter_windowTooLarge
                    ? DeltaError(.tooLarge, detail: "the window is larger than the limit")
                    : DeltaError(.malformed, detail: "the frame is damaged")
            }
            hasEnded = result == 0
            // Bytes of a block may be left after the last byte of the file.
            guard hasEnded || input.pos > place || output.pos > 0 else {
                throw DeltaError(.malformed, detail: "the file ends too early")
            }
            guard output.pos <= limit - content.count else {
                throw DeltaError(.tooLarge, detail: "the contents are too long")
            }
            content += piece.prefix(output.pos)
            place = input.pos
        }
        guard place == delta.count else {
            throw DeltaError(.malformed, detail: "there are bytes after the end")
        }
        return content
    }
}
