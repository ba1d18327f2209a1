/// What a verdict may take, counted where it is done: a few bytes can be written so that following them takes hours.
///
/// A step is a byte that is read, or a place that is looked up. Real libraries take less than one for each of their bytes.
final class ELFWork {
    /// No library is so large that it takes more.
    private static let most = 1 << 28
    /// What a library may take that is small, and for each byte of its file.
    private static let base = 1 << 20
    private static let perByte = 16

    /// How many steps there may be.
    let limit: Int
    /// How many there were.
    private(set) var steps = 0

    /// - Parameter size: how many bytes the library's file has.
    init(size: Int) {
        limit = min(Self.base + size * Self.perByte, Self.most)
    }

    /// Counts steps that are about to be made.
    ///
    /// - Throws: ``ELFFlaw``, when there have been so many that whoever wrote the library meant it.
    func add(_ count: Int, _ name: @autoclosure () -> String) throws(ELFFlaw) {
        steps += count
        guard steps <= limit else { throw .excessive("following \(name()) takes more than \(limit) steps") }
    }
}
