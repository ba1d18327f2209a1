internal import CSystem

/// The library that the code of a class lies in: two versions of one class differ in it.
struct CodeImage: Hashable, Sendable {
    private let start: UInt

    /// The library of an object's class; `nil` for a generic class, which the runtime makes in memory of its own.
    init?(of object: AnyObject) {
        let type = UInt(bitPattern: ObjectIdentifier(type(of: object)))
        guard let address = UnsafeRawPointer(bitPattern: type), let image = csystem_image(address) else { return nil }
        start = UInt(bitPattern: image)
    }
}
