internal import CDelta

/// A stream of raw deflate.
///
/// The same content gives the same bytes only if it is appended in the same pieces, so all users of this type take pieces of one length.
final class Deflater {
    static let pieceLength = 1 << 16

    private let stream: OpaquePointer
    private var output = [UInt8](repeating: 0, count: 1 << 16)

    /// Creates a stream, or returns nil without memory.
    init?(level: UInt8, memoryLevel: UInt8) {
        guard let stream = delta_deflate_create(CInt(level), CInt(memoryLevel)) else { return nil }
        self.stream = stream
    }

    deinit { delta_deflate_destroy(stream) }

    /// Appends a piece, and passes on the deflated bytes. Returns false if zlib failed, or the closure returned false.
    func append(_ piece: [UInt8], isLast: Bool, _ write: ([UInt8]) -> Bool) -> Bool {
        var piece = piece
        return piece.withUnsafeMutableBytes { bytes in
            var input = delta_buffer(bytes: bytes.baseAddress, size: bytes.count, done: 0)
            while true {
                let capacity = output.count
                let (status, count) = output.withUnsafeMutableBytes { memory in
                    var out = delta_buffer(bytes: memory.baseAddress, size: capacity, done: 0)
                    let status = delta_deflate_step(stream, &out, &input, isLast ? 1 : 0)
                    return (Int(status), out.done)
                }
                guard status != delta_invalid, status != delta_memory else { return false }
                if count > 0, !write(Array(output[..<count])) { return false }
                if status == delta_end { return true }
                if !isLast, input.done == input.size, count < capacity { return true }
            }
        }
    }

    /// Deflates everything at once.
    static func deflate(_ content: [UInt8], level: UInt8, memoryLevel: UInt8) -> [UInt8]? {
        guard let deflater = Deflater(level: level, memoryLevel: memoryLevel) else { return nil }
        var result: [UInt8] = []
        var place = 0
        repeat {
            let end = min(place + pieceLength, content.count)
            let isDone = deflater.append(Array(content[place..<end]), isLast: end == content.count) { bytes in
                result += bytes
                return true
            }
            guard isDone else { return nil }
            place = end
        } while place < content.count
        return result
    }
}

/// Returns the content of deflated bytes, or nil unless it has exactly a length.
func inflate(_ bytes: ArraySlice<UInt8>, to length: Int) -> [UInt8]? {
    var input = Array(bytes)
    var output = [UInt8](repeating: 0, count: length)
    let isExact = input.withUnsafeMutableBytes { input in
        output.withUnsafeMutableBytes { output in
            delta_inflate(
                delta_buffer(bytes: output.baseAddress, size: output.count, done: 0),
                delta_buffer(bytes: input.baseAddress, size: input.count, done: 0)) == 1
        }
    }
    return isExact ? output : nil
}
