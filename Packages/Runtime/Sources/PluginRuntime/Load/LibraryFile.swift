internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
import Signing

/// The file of a bundle's library, opened once: what is checked is what is loaded, whatever the path leads to by then.
///
/// From before anything is known of it nobody can open it for writing, until ``letWrite()`` or ``close()``: who tries has to wait.
/// Where the system cannot keep writers out (the file is somebody else's; the file system has no leases), ``requireUntouched()``
/// finds out that one was there.
struct LibraryFile {
    let path: FilePath
    private let bundle: BundleIdentity
    let descriptor: Int32
    let size: Int
    private let stamp: FileStamp
    /// Which file it is, under whatever name.
    var identity: FileStamp.File { stamp.file }
    /// The name by which the loader opens this very file. It stays another's for ever if the file stays open for ever: the
    /// loader takes a library whose name it has seen for the one that it has.
    private(set) var name: String

    /// Opens a library and keeps writers out. Never follows a link, and never waits, not even for a pipe.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken` when it is not there any more, for it was when the bundle was installed, or
    ///   when somebody has it open for writing; `inputOutput`.
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
        // Only now: what it was before may have been changed.
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

    /// The folder of this process's descriptors, by its number: `self` would be the debugger in a debugger that opens the name.
    ///
    /// The number is the one that the mounted `/proc` has for this process. `getpid()` gives another one when `/proc` is that of
    /// another PID namespace, and the name would then lead to a file of another process.
    private static var folder: String {
        var number = [CChar](repeating: 0, count: 32)
        let length = readlink("/proc/self", &number, number.count)
        let isWhole = length > 0 && length < number.count
        let process =
            isWhole ? String(decoding: number[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self) : "self"
        return "/proc/\(process)/fd/"
    }

    /// Takes the kernel's lease on a file, and returns whether nobody has it open for writing.
    ///
    /// A process that is being started has, for a moment, every file open that its parent had, also one that is being written. So a
    /// writer is waited for, half a second at most. Returns `true` where the file system has no leases.
    private static func keepWritersOut(of descriptor: Int32) -> Bool {
        for attempt in 0..<50 {
            if attempt > 0 { usleep(10_000) }
            if csystem_lease(descriptor, 1) == 0 || errno != EAGAIN { return true }
        }
        return false
    }

    /// The same file, to be loaded by a name that the loader has it under already.
    func named(_ name: String) -> LibraryFile {
        var file = self
        file.name = name
        return file
    }

    /// Returns whether a name leads to this file, or to another name of it.
    func isFile(named name: String) -> Bool {
        let now = FileStamp.now
        var other = stat()
        return stat(name, &other) == 0 && FileStamp(other, at: now).file == identity
    }

    /// Lets who wants to write do so again.
    func letWrite() {
        _ = csystem_lease(descriptor, 0)
    }

    /// Makes sure that nobody has touched the file since it was opened.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken`.
    func requireUntouched() throws(AtriumError) {
        guard try FileStamp(descriptor, at: path) == stamp else {
            throw Self.broken(bundle, "somebody has touched \(path.lastComponent) while it was loaded")
        }
    }

    /// Makes sure that the content is what was sealed.
    ///
    /// A file that has not been touched since its content was last hashed need not be hashed again.
    ///
    /// - Parameters:
    ///   - digest: the SHA-256 of its seal, in lower-case hexadecimal.
    ///   - known: the stamp it had when it was last hashed.
    /// - Returns: its stamp, when it was hashed and may be known by that from now on.
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

    /// Gives the file up, when the loader does not know it by its descriptor.
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
