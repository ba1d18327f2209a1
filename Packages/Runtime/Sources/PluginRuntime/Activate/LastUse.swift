/// Tells when the last object that holds it has gone. Every bundle's context holds one, and so does what the bundle has open.
final class LastUse: Sendable {
    private let tell: @Sendable () -> Void

    init(_ tell: @escaping @Sendable () -> Void) {
        self.tell = tell
    }

    deinit {
        tell()
    }
}
