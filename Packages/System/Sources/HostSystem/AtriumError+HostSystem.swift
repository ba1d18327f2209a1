import Glibc
public import PluginCore

// The codes of files, locks and libraries, and those of `isEnvironmental`.
extension AtriumError.Code {
    /// A disk without sufficient free space.
    public static let storageFull = Self("storageFull")
    /// A sandbox that cannot be read or written.
    public static let sandboxUnwritable = Self("sandboxUnwritable")
    /// A sandbox in an unsuitable location: its path is too long, or its file system forbids running code.
    public static let sandboxUnusable = Self("sandboxUnusable")
    /// A file of a kind that a command cannot read.
    public static let documentInvalid = Self("documentInvalid")
    /// A registry that cannot be read.
    public static let registryDamaged = Self("registryDamaged")
    /// A registry that was written by a newer host.
    public static let registryNewer = Self("registryNewer")
    /// A trust store that violates its rules.
    public static let trustInvalid = Self("trustInvalid")
    /// A library that the dynamic loader rejected.
    public static let libraryUnloadable = Self("libraryUnloadable")
    /// A version that this process cannot load in addition to the loaded one.
    public static let restartNeeded = Self("restartNeeded")
}

extension AtriumError {
    /// A Boolean value that indicates whether the error is about the environment, and not about a package.
    ///
    /// Such an error concerns the current state of the catalog, the registry, the trust store or the disk, so the same
    /// operation may succeed later.
    package var isEnvironmental: Bool { Self.environmentalCodes.contains(code) }

    private static let environmentalCodes: Set<AtriumError.Code> = [
        .catalogUnreachable, .inputOutput, .storageFull, .sandboxUnwritable, .sandboxUnusable, .sandboxBusy,
        .registryDamaged, .registryNewer, .trustInvalid,
    ]
}

extension FileSystem {
    /// Returns the error for a failed system call.
    ///
    /// Failures that the owner of the sandbox can repair have a code of their own, `sandboxUnwritable`.
    ///
    /// - Parameters:
    ///   - reason: the name of the reason, such as `openingFailed`.
    ///   - number: the error number, for use after another system call.
    ///   - other: the second path of the system call.
    package static func failure(
        reason: String, _ path: FilePath, _ number: Int32 = errno, other: FilePath? = nil
    ) -> AtriumError {
        let denied = [EACCES, EPERM, EROFS, ENOTDIR, ELOOP, ENAMETOOLONG].contains(number)
        var values: [String: ErrorReason.Value] = ["message": .text(message(number))]
        if let other { values["other"] = "\(other)" }
        return AtriumError(denied ? .sandboxUnwritable : .inputOutput, path.string, reason: reason, values)
    }

    /// Returns whether an error number means that the disk or the user's quota is full.
    package static func isStorageFull(_ number: Int32) -> Bool { number == ENOSPC || number == EDQUOT }

    /// Returns whether an error number means that a file is longer than a limit.
    package static func isTooLarge(_ number: Int32) -> Bool { number == EFBIG }

    /// Returns whether an error number tells of the machine as it is just now, and not of the file.
    package static func isOfMachine(_ number: Int32) -> Bool {
        [EIO, ENOMEM, EMFILE, ENFILE, EACCES, EPERM].contains(number)
    }

    /// Returns the system's description of an error number.
    package static func message(_ number: Int32 = errno) -> String {
        String(cString: strerror(number))
    }
}
