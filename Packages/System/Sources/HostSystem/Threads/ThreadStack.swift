internal import CSystem
import Glibc
import PluginCore

/// The calls on the stack of a blocked thread.
package struct ThreadStack: Sendable {
    private static let limit = 64

    /// The code addresses, innermost first; empty when the thread doesn't answer.
    private let addresses: [UInt]
    private let thread: Int

    /// Reads the stack of a thread by its number; 0 is the thread of the main actor.
    package init(ofThread thread: Int) {
        var addresses = [UnsafeRawPointer?](repeating: nil, count: Self.limit)
        let count = csystem_stack(thread, &addresses, Int32(Self.limit))
        self.addresses = addresses.prefix(Int(count)).compactMap { $0.map { UInt(bitPattern: $0) } }
        self.thread = thread
    }

    /// Writes a crash report about the hang of the thread, if crashes of this process leave reports.
    package func reportHang() {
        let pointers = addresses.map { UnsafeRawPointer(bitPattern: $0) }
        crash_notes_report_hang(thread, pointers, Int32(pointers.count))
    }

    /// A Boolean value that indicates whether the thread didn't answer.
    package var isUnknown: Bool { addresses.isEmpty }

    /// Returns whether one of the calls is of the library that crash notes are about.
    package func has(_ notes: CrashNotes) -> Bool {
        let pointers = addresses.compactMap { UnsafeRawPointer(bitPattern: $0) }
        return crash_notes_has(notes.slot, pointers, Int32(pointers.count))
    }

    /// One line for each call: the library, the offset, and the function if its name is exported.
    ///
    ///     libShop.so+0x1a2c4 Shop.HomePage.content.getter
    package var lines: [String] {
        addresses.enumerated().compactMap { index, address in
            // Return addresses may already lie in the next function, so all but the innermost are moved back by one.
            guard let code = UnsafeRawPointer(bitPattern: index == 0 ? address : address - 1) else { return nil }
            let place = csystem_place(code)
            guard let file = place.file else { return "0x" + String(address, radix: 16) }
            let line = "\(Self.name(String(cString: file)))+0x\(String(place.offset, radix: 16))"
            guard let symbol = place.symbol.map({ String(cString: $0) }) else { return line }
            return "\(line) \(Demangling.swiftName(of: symbol) ?? symbol)"
        }
    }

    /// Returns the file name of a library; a bundle's library is loaded through a descriptor that links to it.
    private static func name(_ path: String) -> String {
        let target = path.hasPrefix("/proc/") ? FileSystem.target(ofLink: path) : nil
        return FilePath(target ?? path).lastComponent
    }
}
