internal import CSystem
import Glibc
package import PluginCore

/// A descriptor that wakes the thread that polls it, each time that it is signaled.
package final class WakeDescriptor: Sendable {
    private let ends: (Int32, Int32)
    var descriptor: Int32 { ends.0 }

    package init() throws(AtriumError) {
        var ends: [Int32] = [-1, -1]
        guard csystem_pipe(&ends) == 0 else { throw FileSystem.failure(reason: "creatingFailed", "pipe") }
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.0)
        close(ends.1)
    }

    /// Wakes the thread. Several signals before it wakes count as one.
    package func signal() {
        let byte: [UInt8] = [0]
        _ = write(ends.1, byte, 1)
    }

    func reset() {
        var buffer = [UInt8](repeating: 0, count: 64)
        while read(ends.0, &buffer, buffer.count) == buffer.count {}
    }
}
