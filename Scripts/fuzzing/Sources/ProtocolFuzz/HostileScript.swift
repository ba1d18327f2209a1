import ExtensionProtocol
import Glibc
import HostSystem
import PluginCore
import PluginExtension
import Processes

/// The actions of a hostile extension or plugin, which it reads from arbitrary bytes.
///
/// The first byte is even for an extension, and odd for a plugin. Each action is a byte, of which the last three bits count, and its arguments:
///
/// | action | arguments |
/// |---|---|
/// | 0: send a frame | kind, number of descriptors in the header, message, request number (a byte each), size, body |
/// | 1: call a function of an object, in a message or with a file | even for a call and odd for a notification, object, function, request number \
///   (a byte each); the start, a middle and the end of the values (size and bytes each); how many times the middle is repeated (2 bytes) |
/// | 2: send bytes | size, bytes |
/// | 3: repeat the last frame with rising request numbers | count |
/// | 4: let the host begin a request or call, and read it | |
/// | 5: let the host cancel its oldest request | |
/// | 6: attach descriptors to what is sent next | count |
/// | 7: read some bytes | |
struct HostileScript {
    /// The size of the largest values that it sends.
    private static let largestValues = 4 << 20

    private var bytes: [UInt8]
    private var position = 0
    private var lastFrame: [UInt8] = []
    private var attached = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Returns whether the process is that of a plugin.
    mutating func readIsPlugin() -> Bool { next().map { $0 & 1 == 1 } ?? false }

    /// Performs all actions until the host has ended the connection.
    consuming func run(against host: FuzzedHost) {
        while let action = next(), perform(action & 7, against: host) {}
    }

    private mutating func perform(_ action: UInt8, against host: FuzzedHost) -> Bool {
        switch action {
        case 1: return call(host)
        case 0:
            lastFrame = frame()
            return send(lastFrame, to: host)
        case 2: return send(nextBytes(), to: host)
        case 3:
            for _ in 0..<(Int(next() ?? 0) & 127) {
                guard lastFrame.count >= 12 else { return true }
                lastFrame[8] &+= 1
                if lastFrame[8] == 0 { lastFrame[9] &+= 1 }
                if !send(lastFrame, to: host) { return false }
            }
            return true
        case 4:
            host.begin()
            return receive(from: host, waits: true)
        case 5:
            host.cancel()
            return true
        case 6:
            attached = Int(next() ?? 0) & 15
            return true
        default: return receive(from: host, waits: false)
        }
    }

    private mutating func frame() -> [UInt8] {
        let (kind, files, message, number) = (next() ?? 0, next() ?? 0, next() ?? 0, next() ?? 0)
        let body = nextBytes()
        return [UInt8(truncatingIfNeeded: body.count), UInt8(truncatingIfNeeded: body.count >> 8), 0, 0]
            + [kind, files, message, 0] + [number, 0, 0, 0] + body
    }

    /// Sends a call with values that can be far larger than this script, such as values in values.
    private mutating func call(_ host: FuzzedHost) -> Bool {
        let (isNotification, object, function, number) = (next() ?? 0, next() ?? 0, next() ?? 0, next() ?? 0)
        let (start, middle, end) = (nextBytes(), nextBytes(), nextBytes())
        let count = Int(next() ?? 0) | Int(next() ?? 0) << 8
        let repeated = repeatElement(middle, count: min(count, Self.largestValues / max(1, middle.count)))
        guard let bytes = try? TransferredBytes(start + Array(repeated.joined()) + end) else { return true }
        let values = TransferredValues(objects: [1, 2, 7], bytes)
        var writer = WireWriter()
        Call(object: UInt32(object), function: function, context: 0, arguments: values).write(to: &writer)
        let frame =
            isNotification & 1 == 1
            ? Frame(.event, method: Messages.notify.number, body: writer.bytes, files: writer.files)
            : Frame(
                .request, method: Messages.call.number, number: UInt32(number), body: writer.bytes,
                files: writer.files)
        return send(frame.bytes, writer.files.map(\.descriptor), to: host)
    }

    /// Sends bytes with the attached descriptors. The host reads all the time, so this does not wait for long.
    private mutating func send(_ bytes: [UInt8], _ own: [Int32] = [], to host: FuzzedHost) -> Bool {
        var rest = bytes[...]
        var files = own + [Int32](repeating: STDERR_FILENO, count: attached)
        attached = 0
        while !rest.isEmpty {
            guard case .bytes(let count) = rest.withUnsafeBytes({ host.peer.send($0, files: files, waits: true) })
            else {
                return false
            }
            files = []
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func receive(from host: FuzzedHost, waits: Bool) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { buffer in
            var files: [Int32] = []
            defer { for file in files { close(file) } }
            if case .closed = host.peer.receive(into: buffer, files: &files, waits: waits) { return false }
            return true
        }
    }

    private mutating func next() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func nextBytes() -> [UInt8] {
        let size = min(Int(next() ?? 0) | Int(next() ?? 0) << 8, bytes.count - position)
        defer { position += size }
        return Array(bytes[position..<position + size])
    }
}
