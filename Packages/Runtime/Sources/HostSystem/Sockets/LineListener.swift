internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
package import PluginCore
internal import Synchronization

/// A socket in a folder that receives one line from each program that connects, and answers it with a line.
///
/// Only programs of the same user are heard. A thread serves several at once; none can make it wait for longer than a deadline, send more than
/// a limit, or keep others out for longer than that.
///
/// ```swift
/// let listener = try LineListener("links", in: folder) { line in line == "ping" ? "pong" : "?" }
/// try LineListener.exchange("ping", with: "links", in: folder, milliseconds: 1_000)    // "pong"
/// listener?.end()
/// ```
package final class LineListener: Sendable {
    /// The largest number of bytes of a line.
    package static let lineSize = 16 << 10
    /// The largest number of connections that are served at once.
    package static let connections = 8
    /// The time that a program has to send its line, in milliseconds.
    package static let patience: Int64 = 2_000
    /// The pause after connections could not be accepted, in milliseconds.
    private static let pause: Int32 = 100

    private let socket: Int32
    private let lock: FolderLock
    private let folder: FilePath
    private let name: EntryName
    private let wake: WakeDescriptor
    private let isEnding = Atomic(false)
    private let hasEnded = BlockingResult<Bool, Never>()

    /// Starts listening.
    ///
    /// The listener locks the folder, so that another one cannot take its place; the socket of a process that has died is replaced.
    ///
    /// - Parameters:
    ///   - name: The name of the socket in the folder.
    ///   - folder: A folder that only this user may open.
    ///   - answer: Receives each line on the listener's thread, and must return soon.
    /// - Returns: `nil` if another process listens in the folder.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    package static func start(
        _ name: String, in folder: FilePath, answer: @escaping @Sendable (String) -> String
    ) throws(AtriumError) -> LineListener? {
        guard case .taken(let lock) = try FolderLock.attempt(folder, .exclusive) else { return nil }
        do throws(AtriumError) {
            return try LineListener(name, folder, lock, answer)
        } catch {
            lock.release()
            throw error
        }
    }

    private init(
        _ name: String, _ path: FilePath, _ lock: FolderLock, _ answer: @escaping @Sendable (String) -> String
    ) throws(AtriumError) {
        self.name = EntryName(name)
        self.lock = lock
        folder = path
        wake = try WakeDescriptor()
        let opened = try Self.open(path)
        try Self.removeSocket(self.name, in: opened)
        socket = csystem_listen(opened.descriptor, name)
        guard socket >= 0 else { throw FileSystem.failure(reason: "creatingFailed", path.appending(name)) }
        do throws(AtriumError) {
            try DetachedThread.run { [self] in self.serve(answer) }
        } catch {
            close(socket)
            throw error
        }
    }

    /// Stops listening, and removes the socket. Does nothing the second time.
    package func end() {
        guard !isEnding.exchange(true, ordering: .acquiringAndReleasing) else { return }
        wake.signal()
        _ = hasEnded.wait()
        if let opened = try? Self.open(folder) { try? Self.removeSocket(name, in: opened) }
        lock.release()
    }

    private static func open(_ path: FilePath) throws(AtriumError) -> OpenFolder {
        let root = path.parent
        guard let folder = try OpenFolder.open(path, below: root, by: [path.lastComponent], onFailure: {}) else {
            throw FileSystem.failure(reason: "openingFailed", path, ENOENT)
        }
        return folder
    }

    /// Removes a socket, and nothing else.
    private static func removeSocket(_ name: EntryName, in folder: borrowing OpenFolder) throws(AtriumError) {
        guard case .other = try folder.item(name) else { return }
        unlinkat(folder.descriptor, name.bytes, 0)
    }
}

// MARK: The thread

extension LineListener {
    /// A program that has connected and not yet sent its whole line.
    private struct Connection {
        let descriptor: Int32
        let deadline: Int64
        var line: [UInt8] = []
    }

    private func serve(_ answer: (String) -> String) {
        var connections: [Connection] = []
        var pausedUntil: Int64 = 0
        while !isEnding.load(ordering: .acquiring) {
            let now = Clock.milliseconds()
            let accepts = connections.count < Self.connections && now >= pausedUntil
            var watched = [
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: accepts ? socket : -1, events: Int16(POLLIN), revents: 0),
            ]
            watched += connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            let next = connections.map(\.deadline).min()
            var timeout = next.map { Int32(clamping: max(0, $0 - now)) } ?? -1
            if now < pausedUntil { timeout = timeout < 0 ? Self.pause : min(timeout, Self.pause) }
            guard poll(&watched, nfds_t(watched.count), timeout) >= 0 else {
                if errno != EINTR { usleep(10_000) }
                continue
            }
            if watched[0].revents != 0 { wake.reset() }
            let ready = zip(connections, watched.dropFirst(2)).map { $1.revents != 0 }
            connections = zip(connections, ready).compactMap { connection, isReady in
                isReady ? read(connection, answer) : stillInTime(connection)
            }
            if watched[1].revents != 0 {
                switch accepted() {
                case .connection(let connection): connections.append(connection)
                case .nothing: break
                case .failed: pausedUntil = Clock.milliseconds() + Int64(Self.pause)
                }
            }
        }
        for connection in connections { close(connection.descriptor) }
        close(socket)
        hasEnded.finish(.success(true))
    }

    private enum Accepted {
        case connection(Connection)
        case nothing
        case failed
    }

    private func accepted() -> Accepted {
        let descriptor = csystem_accept(socket)
        guard descriptor >= 0 else {
            return [EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED].contains(errno) ? .nothing : .failed
        }
        guard Self.isOwn(descriptor) else {
            close(descriptor)
            return .nothing
        }
        return .connection(Connection(descriptor: descriptor, deadline: Clock.milliseconds() + Self.patience))
    }

    /// Returns a connection that may still send something; closes it otherwise.
    private func stillInTime(_ connection: Connection) -> Connection? {
        if Clock.milliseconds() < connection.deadline { return connection }
        close(connection.descriptor)
        return nil
    }

    private func read(_ connection: Connection, _ answer: (String) -> String) -> Connection? {
        var connection = connection
        switch Self.append(from: connection.descriptor, to: &connection.line) {
        case .unfinished: return stillInTime(connection)
        case .line(let line): Self.send(answer(line) + "\n", to: connection.descriptor)
        case .invalid: break
        }
        close(connection.descriptor)
        return nil
    }
}

// MARK: Both ends

extension LineListener {
    private enum Progress {
        case unfinished
        case line(String)
        case invalid
    }

    /// Receives what has arrived of a line, at most its limit.
    private static func append(from descriptor: Int32, to line: inout [UInt8]) -> Progress {
        var buffer = [UInt8](repeating: 0, count: 4 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0 {
                if errno == EINTR { continue }
                return errno == EAGAIN || errno == EWOULDBLOCK ? .unfinished : .invalid
            }
            guard count > 0 else { return .invalid }
            line += buffer[..<count]
            if let end = line.firstIndex(of: UInt8(ascii: "\n")) {
                guard end <= lineSize, let text = String(validating: line[..<end], as: UTF8.self) else {
                    return .invalid
                }
                return .line(text)
            }
            if line.count > lineSize { return .invalid }
        }
    }

    /// Sends a short text; a receiver that takes nothing loses it.
    private static func send(_ text: String, to descriptor: Int32) {
        _ = Array(text.utf8).withUnsafeBytes { bytes in
            bytes.baseAddress.map { csystem_send(descriptor, $0, bytes.count, nil, 0, false) }
        }
    }

    private static func isOwn(_ descriptor: Int32) -> Bool {
        var user: UInt32 = 0
        return csystem_peer_user(descriptor, &user) == 0 && user == geteuid()
    }

    /// Sends a line to the listener in a folder, and waits for its answer, blocking the calling thread.
    ///
    /// - Returns: `nil` if no program of this user listens, or the answer does not arrive in time.
    package static func exchange(
        _ line: String, with name: String, in folder: FilePath, milliseconds: Int64
    ) -> String? {
        guard let opened = try? open(folder) else { return nil }
        let descriptor = csystem_connect(opened.descriptor, name)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard isOwn(descriptor) else { return nil }
        let deadline = Clock.milliseconds() + milliseconds
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                bytes.baseAddress.map { csystem_send(descriptor, $0, bytes.count, nil, 0, false) } ?? 0
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                guard errno == EAGAIN || errno == EWOULDBLOCK else { return nil }
                guard wait(for: descriptor, POLLOUT, until: deadline) else { return nil }
            }
        }
        var reply: [UInt8] = []
        while wait(for: descriptor, POLLIN, until: deadline) {
            switch append(from: descriptor, to: &reply) {
            case .unfinished: continue
            case .line(let line): return line
            case .invalid: return nil
            }
        }
        return nil
    }

    private static func wait(for descriptor: Int32, _ event: Int32, until deadline: Int64) -> Bool {
        while true {
            let left = deadline - Clock.milliseconds()
            if left <= 0 { return false }
            var watched = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            let count = poll(&watched, 1, Int32(clamping: left))
            if count > 0 { return true }
            if count < 0, errno != EINTR { return false }
        }
    }
}
