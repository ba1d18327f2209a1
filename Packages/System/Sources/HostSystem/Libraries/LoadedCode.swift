internal import CSystem
import Glibc
package import PluginCore

/// The loaded library that contains the code of a class; it distinguishes two loaded versions of the same class.
package struct CodeImage: Hashable, Sendable {
    /// The address of the loader's entry for the library.
    private let entry: UInt

    /// Finds the library of an object's class; fails for a generic class, whose metadata is in memory of the runtime.
    package init?(of object: AnyObject) {
        self.init(ofClass: ObjectIdentifier(type(of: object)))
    }

    /// Finds the library of a class.
    package init?(ofClass identity: ObjectIdentifier) {
        guard let image = code_owners_image(UInt(bitPattern: identity)) else { return nil }
        entry = UInt(bitPattern: image)
    }
}

/// The bundles whose libraries are in this process.
package enum CodeOwners {
    /// Adds a library, before it is opened: its constructors are code of the bundle too.
    ///
    /// Without memory for it its code is nobody's, which is no reason not to load it.
    ///
    /// - Parameter image: the name under which the loader will have the library.
    package static func add(_ image: String, owner: BundleIdentity) {
        _ = code_owners_add(image, owner.description)
    }

    /// Adds a library by its place among those that a host has sent, because only the host knows their bundles.
    ///
    /// - Parameter image: As in ``add(_:owner:)``.
    package static func add(_ image: String, number: Int) {
        _ = code_owners_add(image, name(ofLibrary: number))
    }

    /// Returns the owner's name of the library at a place among those that a host has sent.
    package static func name(ofLibrary number: Int) -> String { "library-\(number)" }
}

/// Demangles Swift symbol names with the demangler of the Swift runtime.
package enum Demangling {
    /// The longest name that is demangled, in bytes; longer names are shown as they are.
    private static let limit = 512
    /// The largest factor by which demangling may lengthen a name; names that could grow more are shown as they are.
    private static let growthLimit = 1024

    /// Returns a symbol's name as its author wrote it.
    ///
    /// - Returns: `nil` when the symbol isn't a Swift symbol, or when demangling it could allocate gigabytes.
    package static func swiftName(of symbol: String) -> String? {
        guard symbol.hasPrefix("$s"), symbol.utf8.count <= limit, growth(of: symbol) <= growthLimit,
            let text = swift_demangle(symbol, symbol.utf8.count, nil, nil, 0)
        else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Returns an upper bound for the factor by which a name grows when its substitutions are expanded.
    ///
    /// In mangled names (swift/docs/ABI/Mangling.rst, "Substitutions"), `A` stands for an earlier part, which may contain an
    /// `A` itself, and a number repeats it. The letters `A` and `S` inside words are counted too, although they abbreviate
    /// nothing.
    private static func growth(of symbol: String) -> Int {
        let text = Array(symbol.utf8)
        var growth = 1
        for (place, letter) in text.enumerated() where letter == UInt8(ascii: "A") || letter == UInt8(ascii: "S") {
            var rest = text[(place + 1)...]
            var isEnded = false
            while !isEnded {
                let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                rest = rest.dropFirst(digits.count)
                let count = digits.isEmpty ? 1 : Int(String(decoding: digits, as: UTF8.self)) ?? .max
                growth *= min(count, growthLimit) + (letter == UInt8(ascii: "A") ? 1 : 0)
                guard growth <= growthLimit else { return growth }
                // A lowercase letter after `A` means that more substitutions follow.
                let next = rest.popFirst() ?? 0
                isEnded = letter != UInt8(ascii: "A") || !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next)
            }
        }
        return growth
    }
}
