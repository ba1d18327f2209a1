internal import CSystem

/// The memory and the descriptors that this process uses, by which leaks are found.
///
/// ```swift
/// let before = ProcessUsage.descriptors
/// // Open and close a page.
/// if let before, let after = ProcessUsage.descriptors, after > before { print("a descriptor is still open") }
/// ```
public enum ProcessUsage {
    /// The bytes that all code of the process has allocated and not freed; `nil` if the C library doesn't tell.
    public static var allocatedBytes: Int? {
        let count = csystem_allocated_bytes()
        return count < 0 ? nil : count
    }

    /// The number of open descriptors; `nil` if it cannot be determined.
    public static var descriptors: Int? {
        let count = csystem_open_descriptors()
        return count < 0 ? nil : Int(count)
    }

    /// Returns the number of open descriptors of another process; `nil` if this process may not see it.
    public static func descriptors(ofProcess process: Int32) -> Int? {
        let count = csystem_descriptors_of(process)
        return count < 0 ? nil : Int(count)
    }

    /// Returns the number of descriptors for which the kernel has reserved room in a process; `nil` if it doesn't tell.
    ///
    /// Any process may see it. It begins with 64, and doubles at least when the process has more open at a time.
    public static func descriptorRoom(ofProcess process: Int32) -> Int? {
        let count = csystem_descriptor_room_of(process)
        return count < 0 ? nil : Int(count)
    }
}
