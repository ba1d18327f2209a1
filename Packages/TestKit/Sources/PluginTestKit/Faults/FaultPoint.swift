/// One system call of a command that touches files.
public struct FaultPoint: Sendable, Hashable, CustomStringConvertible {
    /// The call's name, such as `openat`.
    public let call: String
    /// The how-manieth call of that name it is in its thread, from 1.
    public let number: Int
    /// Which thread makes it, in order of their first calls; 0 is the main thread.
    public let thread: Int
    /// The call as strace(1) prints it, for messages.
    public let excerpt: String

    /// Names a call of the main thread.
    public init(call: String, number: Int, thread: Int = 0, excerpt: String = "") {
        self.call = call
        self.number = number
        self.thread = thread
        self.excerpt = excerpt
    }

    /// Reads `openat:57`; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[1]), number > 0, !parts[0].isEmpty else { return nil }
        self.init(call: String(parts[0]), number: number)
    }

    /// Name and number, such as `openat:57`.
    public var description: String { "\(call):\(number)" }

    /// Returns whether two points are the same call, whatever the excerpts say.
    public static func == (one: FaultPoint, other: FaultPoint) -> Bool {
        one.call == other.call && one.number == other.number && one.thread == other.thread
    }

    /// As `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(call)
        hasher.combine(number)
        hasher.combine(thread)
    }
}
