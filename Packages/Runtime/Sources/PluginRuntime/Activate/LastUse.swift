/// An object that calls a closure when its last reference is released; a bundle's context and open resources hold it.
final class LastUse: Sendable {
    private let tell: @Sendable () -> Void

    init(_ tell: @escaping @Sendable () -> Void) {
        self.tell = tell
    }

    deinit {
        tell()
    }
}
