import PluginCore

import Glibc

/// The module's access to the file system.
enum ComponentFiles {
    /// Gives a file another name, and replaces an older one.
    static func move(_ path: FilePath, to target: FilePath) throws(AtriumError) {
        guard rename(path.string, target.string) == 0 else {
            throw AtriumError(.inputOutput, target.string, reason: .verbatim(String(cString: strerror(errno))))
        }
    }

    /// Removes a file.
    static func remove(_ path: FilePath) { unlink(path.string) }
}
