#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A thread, for code that must know whether it runs on a certain one.
package struct ThreadIdentity: Equatable, @unchecked Sendable {  // because it is only compared
    private let thread: pthread_t

    /// The calling thread.
    package static var current: ThreadIdentity { ThreadIdentity(thread: pthread_self()) }

    /// Returns whether both are one thread that still runs.
    package static func == (one: ThreadIdentity, other: ThreadIdentity) -> Bool {
        pthread_equal(one.thread, other.thread) != 0
    }
}
