internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// The calls on the stack of a thread that is held.
struct ThreadStack: Sendable {
    private static let limit = 64

    /// Innermost first; empty when the thread does not answer.
    private let addresses: [UInt]

    /// Asks a thread of this process, by its number; 0 for the one that runs the main actor.
    init(ofThread thread: Int) {
        var addresses = [UnsafeRawPointer?](repeating: nil, count: Self.limit)
        let count = csystem_stack(thread, &addresses, Int32(Self.limit))
        self.addresses = addresses.prefix(Int(count)).compactMap { $0.map { UInt(bitPattern: $0) } }
    }

    /// A Boolean value that indicates whether the thread has not answered.
    var isUnknown: Bool { addresses.isEmpty }

    /// Returns whether one of the calls is of the library that a slot of the crash notes is about.
    func has(_ slot: Int32) -> Bool {
        let pointers = addresses.compactMap { UnsafeRawPointer(bitPattern: $0) }
        return crash_notes_has(slot, pointers, Int32(pointers.count))
    }

    /// One call a line: the library, the place in it, and the function where the library exports its name.
    ///
    ///     libShop.so+0x1a2c4 Shop.ShopBundle.resource(for:)
    var lines: [String] {
        addresses.enumerated().compactMap { index, address in
            // All but the innermost are where a call returns to, which may be another function already.
            guard let code = UnsafeRawPointer(bitPattern: index == 0 ? address : address - 1) else { return nil }
            let place = csystem_place(code)
            guard let file = place.file else { return "0x" + String(address, radix: 16) }
            let line = "\(Self.name(String(cString: file)))+0x\(String(place.offset, radix: 16))"
            guard let symbol = place.symbol.map({ String(cString: $0) }) else { return line }
            return "\(line) \(Demangling.swiftName(of: symbol) ?? symbol)"
        }
    }

    /// The file name of a library; a bundle's is loaded by a descriptor, which leads to it.
    private static func name(_ path: String) -> String {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = path.hasPrefix("/proc/") ? readlink(path, &target, target.count) : -1
        let file = count < 0 ? path : String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return FilePath(file).lastComponent
    }
}
