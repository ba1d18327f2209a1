import Synchronization

/// A file on a scripted server.
struct ServedFile {
    var content: [UInt8]
    var tag: String?

    /// Creates a file with random bytes, which differ with a number.
    init(length: Int = 1 << 20, number: UInt8 = 0, tag: String? = "\"1\"") {
        var state = 0x9E37_79B9_7F4A_7C15 &+ UInt64(number)
        content = [UInt8](unsafeUninitializedCapacity: (length + 7) / 8 * 8) { buffer, count in
            let words = UnsafeMutableRawBufferPointer(buffer).bindMemory(to: UInt64.self)
            for index in words.indices {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                words[index] = state
            }
            count = length
        }
        self.tag = tag
    }
}

extension ScriptedServer.Connection {
    /// The value of a header field of the request.
    func field(_ name: String) -> String? {
        head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }.map {
            String($0.dropFirst(name.utf8.count + 1).drop { $0 == " " })
        }
    }

    /// The offset that the request asks for.
    var offset: Int? {
        field("range").flatMap { range in
            range.hasPrefix("bytes=") && range.hasSuffix("-") ? Int(range.dropFirst(6).dropLast()) : nil
        }
    }

    /// Sends a file, or the rest of it, as a right server does.
    ///
    /// - Parameter count: The number of bytes after which the connection breaks, or nil for all.
    func serve(_ file: ServedFile, count: Int? = nil) {
        let tag = file.tag.map { "ETag: \($0)\r\n" } ?? ""
        let ifRange = field("if-range")
        if let offset, offset < file.content.count, ifRange == nil || ifRange == file.tag {
            let (rest, length) = (file.content.count - offset, file.content.count)
            send(
                "HTTP/1.1 206 Partial Content\r\nContent-Length: \(rest)\r\n\(tag)"
                    + "Content-Range: bytes \(offset)-\(length - 1)/\(length)\r\n\r\n")
            send(Array(file.content[offset...].prefix(count ?? rest)))
        } else {
            send("HTTP/1.1 200 OK\r\nContent-Length: \(file.content.count)\r\n\(tag)\r\n")
            send(Array(file.content.prefix(count ?? file.content.count)))
        }
    }

    func status(_ status: Int, _ fields: String...) {
        send("HTTP/1.1 \(status) x\r\nContent-Length: 0\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n")
    }
}

extension ScriptedServer {
    typealias Answer = @Sendable (Connection) -> Void

    /// Creates a server with an answer for each request. The last one is repeated.
    convenience init(answers: [Answer]) throws {
        let count = Counter()
        try self.init { connection in
            answers[min(count.next(), answers.count - 1)](connection)
        }
    }

    /// The offsets of the requests so far, with nil for the whole file.
    var offsets: [Int?] {
        requests.map { head in
            head.split(separator: "\r\n").first { $0.hasPrefix("Range: bytes=") }.flatMap { line in
                Int(line.dropFirst(13).dropLast())
            }
        }
    }
}

/// A number that counts up from 0.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    @discardableResult
    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
