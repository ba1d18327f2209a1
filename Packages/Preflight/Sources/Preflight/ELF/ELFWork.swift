import PluginCore

/// A limit on the work of checking a library, because a few bytes can describe hours of work.
///
/// A step is a byte that is read or an item that is looked up. Real libraries need less than one step per byte.
final class ELFWork {
    /// The maximum number of steps for a library of any size.
    private static let most = 1 << 28
    /// The number of steps for a small library, and the additional steps for each byte.
    private static let base = 1 << 20
    private static let perByte = 16

    /// The maximum number of steps for this library.
    let limit: Int
    /// The number of steps so far.
    private(set) var steps = 0

    /// Creates a limit.
    ///
    /// - Parameter size: the size of the library's file in bytes.
    init(size: Int) {
        limit = min(Self.base + size * Self.perByte, Self.most)
    }

    /// Counts steps before they are made.
    ///
    /// - Throws: ``ELFFlaw`` when the limit is exceeded.
    func add(_ count: Int, _ part: String) throws(ELFFlaw) {
        steps += count
        guard steps <= limit else {
            let values: [String: ErrorReason.Value] = ["part": .reason(ErrorReason(part)), "limit": .integer(limit)]
            throw .excessive(ErrorReason("elfTooMuchWork", values))
        }
    }
}
