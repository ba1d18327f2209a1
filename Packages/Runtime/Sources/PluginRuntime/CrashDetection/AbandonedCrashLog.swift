import HostSystem
import PluginCore

/// A crash log whose process has ended.
struct AbandonedCrashLog {
    /// The suffix of the name after the crash log has been counted as a strike.
    private static let counted = ".counted"

    let name: EntryName
    /// The content; `nil` when it isn't a valid crash log.
    let crashLog: CrashLog?
    /// The time of the last write, in seconds since 1970.
    let writtenAt: Int64

    /// Reads a crash log; fails when its process lives, or it isn't a regular file or doesn't exist any longer.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when it can't be read, since it may concern any version.
    init?(_ name: EntryName, in folder: borrowing OpenFolder) throws(AtriumError) {
        guard let file = try AbandonedCrashLogFile(name, in: folder, limit: CrashLog.limit) else { return nil }
        crashLog = CrashLog(file.bytes)
        writtenAt = file.writtenAt
        self.name = name
    }

    /// A Boolean value that indicates whether it was counted as a strike already, so that strikes found later are further ones.
    var isCounted: Bool { name.words.hasSuffix(Self.counted) }

    /// Marks it as counted by renaming it, which is atomic.
    func count(in folder: borrowing OpenFolder) {
        guard !isCounted, let text = name.text else { return }
        folder.rename(name, to: EntryName(text + Self.counted))
    }

    /// Removes the file from its folder.
    func remove(from folder: borrowing OpenFolder) { folder.unlink(name) }
}

extension CrashLogFile {
    /// Writes a crash log in a folder; `nil` when it cannot be written.
    ///
    /// - Parameter waits: whether the code is not known to hold its thread.
    init?(writing crashLog: CrashLog, waits: Bool, in folder: FilePath) {
        let bytes = crashLog.bytes + (waits ? Array(CrashLog.waits.utf8) : [])
        self.init(bytes, about: crashLog.phase.rawValue, in: folder)
    }
}
