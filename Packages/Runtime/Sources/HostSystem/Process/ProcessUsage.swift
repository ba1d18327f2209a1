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
}
