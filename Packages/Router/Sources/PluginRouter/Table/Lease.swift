internal import Synchronization

/// The right of one loaded bundle to be reached: whatever it registers is held by its lease and goes with it.
///
/// A bundle that is loaded anew, in another version, gets another lease, so the two never share a registration.
public struct Lease: Hashable, Sendable {
    /// The identifier of the bundle that holds it.
    public let owner: String
    private let serial: Int

    private static let lastSerial = Atomic<Int>(0)

    /// A lease unlike any other.
    public init(owner: String) {
        self.owner = owner
        self.serial = Self.lastSerial.add(1, ordering: .relaxed).newValue
    }
}
