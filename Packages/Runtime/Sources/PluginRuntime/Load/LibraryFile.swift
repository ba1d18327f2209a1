internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
import Signing

/// A bundle's library, opened once, so that the file that is verified is the one that is loaded.
///
/// Until ``letWrite()`` or ``close()``, no process can open the file for writing; a writer has to wait. Where the system
/// doesn't support this (for another user's file, or without leases in the file system), ``requireUntouched()`` detects a write
/// afterwards.
struct LibraryFile {
    let path: FilePath
    private let bundle: BundleIdentity
    let descriptor: Int32
    let size: Int
    private let stamp: FileStamp
    /// The identity of the file, regardless of its name.
    var identity: FileStamp.File { stamp.file }
    /// The name by which the loader opens exactly this file.
    ///
    /// The loader treats a known name as the library that it already has, so the descriptor in the name must stay open.
    private(set) var name: String

    /// Opens a library and keeps writers out, without following links and without ever blocking.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken` when the installed file is missing or open for writing, or `inputOutput`.
    init(opening path: FilePath, of bundle: BundleIdentity) throws(AtriumError) {
        self.path = path
        self.bundle = bundle
        let now = FileStamp.now
        descriptor = open(path.string, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw switch errno {
            case let number where FileSystem.isAbsence(number): Self.broken(bundle, "there is no file at \(path)")
            case ELOOP: Self.broken(bundle, "what lies at \(path) is no file")
            case let number: FileSystem.failure("opening it", path, number)
            }
        }
        guard Self.keepWritersOut(of: descriptor) else {
            Self.close(descriptor)
            throw Self.broken(bundle, "somebody writes to \(path.lastComponent)")
        }
        // Read only now, because the file could have been changed before the lease.
        let status: stat
        do throws(AtriumError) {
            status = try FileSystem.status(of: descriptor, at: path)
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw Self.broken(bundle, "what lies at \(path) is no file")
            }
        } catch {
            Self.close(descriptor)
            throw error
        }
        size = Int(status.st_size)
        stamp = FileStamp(status, at: now)
        name = Self.folder + "\(descriptor)"
    }

    /// The folder of this process's descriptors, by its process number.
    ///
    /// A debugger opens the name too, and there `self` would mean the debugger. The number is the one in the mounted `/proc`. If
    /// `/proc` is that of another PID namespace, `getpid()` would return the number of another process. See
    /// Documentation/Decisions/0010-load-plugins-by-process-number.md.
    private static var folder: String {
        var number = [CChar](repeating: 0, count: 32)
        let length = readlink("/proc/self", &number, number.count)
        let isWhole = length > 0 && length < number.count
        let process =
            isWhole ? String(decoding: number[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self) : "self"
        return "/proc/\(process)/fd/"
    }

    /// Takes a lease on a file, and returns whether no process has it open for writing.
    ///
    /// A process that is being started briefly shares all open files of its parent, including those being written, so writers
    /// are waited for, half a second at most. Returns `true` where the file system doesn't support leases.
    private static func keepWritersOut(of descriptor: Int32) -> Bool {
        for attempt in 0..<50 {
            if attempt > 0 { usleep(10_000) }
            if csystem_lease(descriptor, 1) == 0 || errno != EAGAIN { return true }
        }
        return false
    }

    /// Returns the same file, to be loaded by the name under which the loader already has it.
    func named(_ name: String) -> LibraryFile {
        var file = self
        file.name = name
        return file
    }

    /// Returns whether a path leads to this file, or to another name of it.
    func isFile(named name: String) -> Bool {
        let now = FileStamp.now
        var other = stat()
        return stat(name, &other) == 0 && FileStamp(other, at: now).file == identity
    }

    /// Lets other processes open the file for writing again.
    func letWrite() {
        _ = csystem_lease(descriptor, 0)
    }

    /// Checks that the file hasn't changed since it was opened.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken`.
    func requireUntouched() throws(AtriumError) {
        guard try FileStamp(descriptor, at: path) == stamp else {
            throw Self.broken(bundle, "somebody has touched \(path.lastComponent) while it was loaded")
        }
    }

    /// Checks that the content is the sealed one.
    ///
    /// A file that is unchanged since its last verification isn't hashed again.
    ///
    /// - Parameters:
    ///   - digest: the sealed SHA-256, in lowercase hexadecimal.
    ///   - known: the file's stamp at its last verification.
    /// - Returns: the new stamp, if the file was hashed and any later change will alter the stamp.
    /// - Throws: ``AtriumError`` with code `sealBroken` or `inputOutput`.
    func requireSealed(as digest: String, known: String?) throws(AtriumError) -> String? {
        if let known, known == stamp.text { return nil }
        let hasher = SHA256Hasher()
        try FileSystem.read(descriptor, of: path) { hasher.update($0) }
        do {
            guard try hasher.finish().hexadecimal == digest else {
                throw AtriumError(
                    .sealBroken, bundle.description, detail: "\(path.lastComponent) is not the file that was sealed")
            }
        } catch let error as AtriumError {
            throw error
        } catch {
            throw AtriumError(.inputOutput, path.string, detail: "libcrypto cannot hash it")
        }
        let now = try FileStamp(descriptor, at: path)
        return stamp.isSettled && now == stamp ? stamp.text : nil
    }

    /// Closes the file, if the loader doesn't have it under its descriptor.
    func close() {
        Self.close(descriptor)
    }

    private static func broken(_ bundle: BundleIdentity, _ detail: String) -> AtriumError {
        AtriumError(.sealBroken, bundle.description, detail: detail)
    }

    private static func close(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }
}
