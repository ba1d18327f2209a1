internal import CDelta

/// The contents of a package, from the base and the steps in a frame.
final class ContentReader {
    private let frame: FrameReader
    private let base: [UInt8]
    private let path: String
    private var step = Step(base: 0, similar: 0, other: 0)

    init(_ frame: FrameReader, base: [UInt8], path: String) {
        self.frame = frame
        self.base = base
        self.path = path
    }

    /// Returns exactly a number of bytes.
    func read(_ count: Int) throws(DeltaError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            if step.similar == 0, step.other == 0 {
                guard let next = Step(try frame.read(Step.length)[...], baseLength: base.count) else {
                    throw DeltaError(.malformed, path, detail: "a step outside of the base")
                }
                step = next
            }
            let rest = count - bytes.count
            if step.similar > 0 {
                let part = min(rest, step.similar)
                let differences = try frame.read(part)
                for index in 0..<part { bytes.append(differences[index] &+ base[step.base + index]) }
                step.base += part
                step.similar -= part
            } else {
                let part = min(rest, step.other)
                bytes += try frame.read(part)
                step.other -= part
            }
        }
        return bytes
    }

    /// Checks that there is nothing after what was read.
    func finish() throws(DeltaError) {
        guard step.similar == 0, step.other == 0 else {
            throw DeltaError(.malformed, path, detail: "a step that is too long")
        }
        try frame.finish()
    }
}

/// The content of the compressed frame of a delta, read from its start.
final class FrameReader {
    private let decompressor: OpaquePointer
    private let path: String
    private let input: [UInt8]
    private var inputDone: Int
    private var output = [UInt8](repeating: 0, count: 1 << 17)
    private var ready: Range<Int> = 0..<0
    private var hasEnded = false

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - path: The path of the delta, for errors.
    ///   - input: The delta.
    ///   - start: The position of the frame in it.
    init(path: String, input: [UInt8], from start: Int) throws(DeltaError) {
        guard let decompressor = ZSTD_createDCtx() else { throw DeltaError(.unavailable, path, detail: "no memory") }
        ZSTD_DCtx_setParameter(decompressor, ZSTD_d_windowLogMax, DeltaLimits.windowLog)
        self.decompressor = decompressor
        self.path = path
        self.input = input
        inputDone = start
    }

    deinit { ZSTD_freeDCtx(decompressor) }

    /// Returns exactly a number of bytes.
    func read(_ count: Int) throws(DeltaError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            guard !ready.isEmpty || !hasEnded else {
                throw DeltaError(.malformed, path, detail: "the content ends too early")
            }
            if ready.isEmpty { try decompress() }
            let part = ready.prefix(count - bytes.count)
            bytes += output[part]
            ready = part.upperBound..<ready.upperBound
        }
        return bytes
    }

    /// Checks that there is nothing after what was read.
    func finish() throws(DeltaError) {
        while ready.isEmpty, !hasEnded { try decompress() }
        guard ready.isEmpty, inputDone == input.count else {
            throw DeltaError(.malformed, path, detail: "there are bytes after the end")
        }
    }

    /// Decompresses some bytes, or reads the end of the frame.
    private func decompress() throws(DeltaError) {
        let start = inputDone
        let result = input.withUnsafeBytes { input in
            output.withUnsafeMutableBytes { output in
                var from = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: inputDone)
                var to = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
                let result = ZSTD_decompressStream(decompressor, &to, &from)
                (inputDone, ready) = (from.pos, 0..<to.pos)
                return result
            }
        }
        guard ZSTD_isError(result) == 0 else {
            let code = ZSTD_getErrorCode(result)
            throw code == ZSTD_error_memory_allocation || code == ZSTD_error_frameParameter_windowTooLarge
                ? DeltaError(.tooLarge, path, detail: "the window is larger than the limit")
                : DeltaError(.malformed, path, detail: "the frame is damaged")
        }
        hasEnded = result == 0
        // Bytes of a block may be left after the last byte of the file.
        guard hasEnded || inputDone > start || !ready.isEmpty else {
            throw DeltaError(.malformed, path, detail: "the file ends too early")
        }
    }
}
