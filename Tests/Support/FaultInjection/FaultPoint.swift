/// A system call of a command that accesses files.
package struct FaultPoint: Sendable, Hashable, CustomStringConvertible {
    /// The name of the call, such as openat.
    package let call: String
    /// The number of the call among those with the same name in its thread, starting with 1.
    package let number: Int
    /// The number of the thread in the order of first calls. The main thread is 0.
    package let thread: Int
    /// The call in the format of strace, for messages.
    package let excerpt: String

    /// Creates a point in the main thread.
    package init(call: String, number: Int, thread: Int = 0, excerpt: String = "") {
        (self.call, self.number, self.thread, self.excerpt) = (call, number, thread, excerpt)
    }

    /// Parses a text such as openat:57. Returns nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[1]), number > 0, !parts[0].isEmpty else { return nil }
        self.init(call: String(parts[0]), number: number)
    }

    /// The name and the number, such as openat:57.
    package var description: String { "\(call):\(number)" }

    /// Returns whether two points are the same call, ignoring the excerpts.
    package static func == (one: FaultPoint, other: FaultPoint) -> Bool {
        one.call == other.call && one.number == other.number && one.thread == other.thread
    }

    /// Hashes the properties that are compared.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(call)
        hasher.combine(number)
        hasher.combine(thread)
    }
}
