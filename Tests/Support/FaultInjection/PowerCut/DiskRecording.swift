import PluginTestKit
import PluginCore

/// The changes that a command makes to a folder, from the log of strace.
struct DiskRecording {
    /// The disk before the command.
    let before: DiskImage
    /// The changes, each with its system call.
    private(set) var operations: [(operation: DiskOperation, point: FaultPoint)] = []
    /// The new files and folders in their initial state.
    private(set) var fresh: [DiskNode.ID: DiskNode] = [:]

    /// The current image, in which names are looked up.
    private var now: DiskImage
    /// The folder that corresponds to the root of the image.
    private let place: String
    private var descriptors: [Int: String] = [:]

    /// Creates a recording from system calls.
    ///
    /// - Parameters:
    ///   - path: The changed folder. Changes elsewhere are ignored.
    ///   - before: The disk before the command.
    ///   - calls: All calls that change something, in order.
    /// - Throws: ``FixtureError`` for an unknown call, because its effect would be missing.
    init(of path: FilePath, before: DiskImage, calls: [TracedCall]) throws {
        self.before = before
        now = before
        place = path.parent.string
        var counts: [String: Int] = [:]
        for call in calls where !call.name.isEmpty {
            counts[call.name, default: 0] += 1
            guard let (arguments, result) = call.parsed() else {
                throw FixtureError("this line of strace cannot be read: \(call.text.prefix(200))")
            }
            guard !result.word.hasPrefix("-1") else { continue }
            let point = FaultPoint(
                call: call.name, number: counts[call.name] ?? 0,
                excerpt: String(call.text.replacing(place + "/", with: "").prefix(200)))
            try take(call, arguments, result, point)
        }
    }

    private mutating func take(
        _ call: TracedCall, _ arguments: [TracedCall.Value], _ result: TracedCall.Value, _ point: FaultPoint
    ) throws {
        func unknown() -> FixtureError {
            FixtureError("the model of power cuts does not know \(call.text.prefix(200))")
        }
        func named(_ index: Int, at folder: Int? = nil) throws -> String {
            guard arguments.indices.contains(index), let path = arguments[index].path else { throw unknown() }
            return absolute(path, in: folder.flatMap { arguments[$0].openPath })
        }
        switch call.name {
        case "open", "openat", "openat2", "creat":
            let first = call.name.hasPrefix("openat") ? 1 : 0
            let how = arguments.dropFirst(first + 1).first?.word ?? ""
            let flags = call.name == "creat" ? "O_CREAT|O_TRUNC" : how
            let path = try named(first, at: first == 1 ? 0 : nil)
            if let number = result.number { descriptors[number] = result.openPath ?? path }
            guard let (folder, name) = entry(path) else { return }
            if let file = now.child(name, of: folder) {
                if flags.contains("O_TRUNC") { add(.truncate(file, to: 0), point) }
            } else if flags.contains("O_CREAT") {
                // For openat2, the mode follows the flags in the same argument.
                guard let mode = call.name == "openat2" ? Self.mode(in: how) : arguments.last?.number ?? 0o600 else {
                    throw unknown()
                }
                add(.create(make(.file([]), mode: mode), in: folder, as: name), point)
            }
        case "mkdir", "mkdirat":
            let first = call.name == "mkdirat" ? 1 : 0
            guard let (folder, name) = entry(try named(first, at: first == 1 ? 0 : nil)) else { return }
            add(.create(make(.folder([:]), mode: arguments.last?.number ?? 0o755), in: folder, as: name), point)
        case "unlink", "rmdir", "unlinkat":
            let first = call.name == "unlinkat" ? 1 : 0
            guard let (folder, name) = entry(try named(first, at: first == 1 ? 0 : nil)) else { return }
            add(.unlink(from: folder, name), point)
        case "rename", "renameat", "renameat2":
            let isAt = call.name != "rename"
            let source = try named(isAt ? 1 : 0, at: isAt ? 0 : nil)
            let target = try named(isAt ? 3 : 1, at: isAt ? 2 : nil)
            try rename(source, target, isExchange: arguments.last?.word.contains("RENAME_EXCHANGE") == true, point)
        case "link", "linkat":
            let isAt = call.name == "linkat"
            let source = try named(isAt ? 1 : 0, at: isAt ? 0 : nil)
            let target = try named(isAt ? 3 : 1, at: isAt ? 2 : nil)
            guard let (folder, name) = entry(target) else { return }
            guard let file = node(source) else { throw unknown() }
            add(.link(file, in: folder, as: name), point)
        case "write", "pwrite64":
            guard let file = open(arguments[0]) else { return }
            // Files are written sequentially and never seeked, so the position is the end of the file.
            let offset = call.name == "write" ? size(of: file) : arguments.last?.number
            guard case .text(let bytes) = arguments[1], let offset, let count = result.number else { throw unknown() }
            add(.write(file, at: offset, Array(bytes.prefix(count))), point)
        case "ftruncate", "truncate":
            guard let file = call.name == "truncate" ? node(try named(0)) : open(arguments[0]) else { return }
            guard let size = arguments.last?.number else { throw unknown() }
            add(.truncate(file, to: size), point)
        case "chmod", "fchmod":
            guard let node = call.name == "chmod" ? node(try named(0)) : open(arguments[0]) else { return }
            guard let mode = arguments.last?.number else { throw unknown() }
            add(.setMode(node, UInt16(truncatingIfNeeded: mode)), point)
        case "fsync", "fdatasync":
            guard let node = open(arguments[0]) else { return }
            add(.sync(node, withMode: call.name == "fsync"), point)
        case "sync": add(.syncAll, point)
        case "syncfs": if open(arguments[0]) != nil { add(.syncAll, point) }
        // The owner and the times of a file do not matter to any invariant.
        case "fchown", "chown", "utimensat": break
        default:
            if (arguments + [result]).contains(where: { $0.path.map(isInside) ?? $0.openPath.map(isInside) ?? false }) {
                throw unknown()
            }
        }
    }

    /// Returns the mode in the argument of openat2.
    private static func mode(in how: String) -> Int? {
        guard let start = how.firstRange(of: "mode=")?.upperBound else { return nil }
        return TracedCall.Value.word(String(how[start...])).number
    }

    private mutating func rename(_ source: String, _ target: String, isExchange: Bool, _ point: FaultPoint) throws {
        guard let (from, old) = entry(source), let (to, new) = entry(target), let node = now.child(old, of: from) else {
            throw FixtureError("the model of power cuts does not know the move of \(source) to \(target)")
        }
        if isExchange, let other = now.child(new, of: to) {
            add(.exchange(node, in: from, old, with: other, of: to, new), point)
        } else {
            add(.rename(node, from: from, old, to: to, new), point)
        }
    }

    private mutating func add(_ operation: DiskOperation, _ point: FaultPoint) {
        now.apply(operation)
        operations.append((operation, point))
    }

    private mutating func make(_ content: DiskNode.Content, mode: Int) -> DiskNode.ID {
        let id = now.add(content, mode: UInt16(truncatingIfNeeded: mode))
        fresh[id] = now.nodes[id]
        return id
    }

    private func size(of file: DiskNode.ID) -> Int? {
        if case .file(let bytes)? = now.nodes[file]?.content { bytes.count } else { nil }
    }

    private func isInside(_ path: String) -> Bool { path.hasPrefix(place + "/") }

    private func absolute(_ path: String, in folder: String?) -> String {
        let own = "/proc/self/fd/"
        if path.hasPrefix(own), let number = Int(path.dropFirst(own.count)) { return descriptors[number] ?? path }
        return path.hasPrefix("/") ? path : (folder ?? "") + "/" + path
    }

    /// Returns the folder and the name of a path, or nil if the path is outside the recorded folder.
    private func entry(_ path: String) -> (DiskNode.ID, String)? {
        let path = FilePath(path)
        guard isInside(path.string) else { return nil }
        return node(path.parent.string).map { ($0, path.lastComponent) }
    }

    private func node(_ path: String) -> DiskNode.ID? {
        if path == place { return DiskImage.root }
        guard isInside(path) else { return nil }
        return path.dropFirst(place.count + 1).split(separator: "/").reduce(Optional(DiskImage.root)) { folder, name in
            folder.flatMap { now.child(String(name), of: $0) }
        }
    }

    private func open(_ argument: TracedCall.Value) -> DiskNode.ID? { argument.openPath.flatMap(node) }
}
