internal import CSystem

/// The loaded library that contains the code of a class; it distinguishes two loaded versions of the same class.
package struct CodeImage: Hashable, Sendable {
    private let start: UInt

    /// Finds the library of an object's class; fails for a generic class, whose metadata is in memory of the runtime.
    package init?(of object: AnyObject) {
        self.init(ofClass: ObjectIdentifier(type(of: object)))
    }

    /// Finds the library of a class.
    package init?(ofClass identity: ObjectIdentifier) {
        let type = UInt(bitPattern: identity)
        guard let address = UnsafeRawPointer(bitPattern: type), let image = csystem_image(address) else { return nil }
        start = UInt(bitPattern: image)
    }
}
