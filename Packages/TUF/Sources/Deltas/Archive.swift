internal import CDelta

/// The members of a zip archive.
///
/// This reads only the directory of the archive, and only archives that a publisher has made: a file that is not understood is treated as
/// bytes without members, or as an invalid base.
enum Archive {
    struct Member {
        /// The bytes of the path.
        let name: [UInt8]
        let isDeflated: Bool
        /// The place of the stored or deflated bytes.
        let range: Range<Int>
        let contentLength: Int

        /// Returns the inflated content, or nil if the bytes are damaged.
        func content(in bytes: [UInt8]) -> [UInt8]? {
            isDeflated ? inflate(bytes[range], to: contentLength) : Array(bytes[range])
        }
    }

    /// Returns the members that are files, or nil if the bytes are not an archive or one of a kind that is not understood.
    static func members(of bytes: [UInt8]) -> [Member]? {
        // The end of the directory: 22 bytes, and a comment.
        let candidates = stride(from: bytes.count - 22, through: max(0, bytes.count - 22 - 65_535), by: -1)
        guard let end = candidates.first(where: { number(bytes, $0, 4) == 0x0605_4B50 }),
            let count = number(bytes, end + 10, 2), count != 0xFFFF, var place = number(bytes, end + 16, 4)
        else { return nil }
        var members: [Member] = []
        for _ in 0..<count {
            guard number(bytes, place, 4) == 0x0201_4B50, let flags = number(bytes, place + 8, 2),
                let method = number(bytes, place + 10, 2), let packed = number(bytes, place + 20, 4),
                let length = number(bytes, place + 24, 4), let nameLength = number(bytes, place + 28, 2),
                let extra = number(bytes, place + 30, 2), let comment = number(bytes, place + 32, 2),
                let local = number(bytes, place + 42, 4), flags & 1 == 0, method == 0 || method == 8,
                let localName = number(bytes, local + 26, 2), let localExtra = number(bytes, local + 28, 2)
            else { return nil }
            let (nameEnd, start) = (place + 46 + nameLength, local + 30 + localName + localExtra)
            guard nameEnd <= bytes.count, start <= bytes.count, packed <= bytes.count - start,
                method == 8 || packed == length
            else { return nil }
            let name = Array(bytes[place + 46..<nameEnd])
            if name.last != UInt8(ascii: "/") {
                members.append(
                    Member(
                        name: name, isDeflated: method == 8, range: start..<start + packed, contentLength: length))
            }
            place = nameEnd + extra + comment
        }
        return members
    }

    /// Returns a number in little-endian order, or nil if it is not within the bytes.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, count <= bytes.count, offset <= bytes.count - count else { return nil }
        return Int(bytes[offset..<offset + count].number)
    }
}

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
