import CProcesses
public import HostSystem
public import PluginCore

/// The bundles whose libraries are in this process.
public enum CodeOwners {
    /// Adds a library, before it is opened: its constructors are code of the bundle too.
    ///
    /// Without memory for it its code is nobody's, which is no reason not to load it.
    ///
    /// - Parameter image: the name under which the loader will have the library.
    public static func add(_ image: String, owner: BundleIdentity) {
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

/// The reports that crashes and hangs of this process leave in a folder, with the calls on the stack and the owner of each.
///
/// ```swift
/// services.willLoad = { image, bundle in
///     CodeOwners.add(image, owner: bundle)
///     CrashReporting.begin(in: folder)
/// }
/// services.onHang = { $0.stack.report() }
/// ```
public enum CrashReporting {
    /// Makes each crash of this process leave a report in a folder, from now on.
    ///
    /// Nothing is written before. The path may be too long for a report, which is no reason not to run.
    public static func begin(in folder: FilePath) { crash_reports_begin(folder.string) }
}

extension ThreadStack {
    /// Writes a crash report about the hang of the thread, if crashes of this process leave reports.
    public func report() { crash_reports_write_hang(thread, addresses, addresses.count) }

    /// One line for each call: the library, the offset, and the function if its name is exported.
    ///
    ///     libShop.so+0x1a2c4 Shop.HomePage.content.getter
    public var lines: [String] {
        addresses.enumerated().map { index, address in
            // Return addresses may already lie in the next function, so all but the innermost are moved back by one.
            let code = code_name_at(index == 0 ? address : address - 1)
            guard let file = code.file else { return "0x" + String(address, radix: 16) }
            let line = "\(Self.name(String(cString: file)))+0x\(String(code.offset, radix: 16))"
            guard let symbol = code.symbol.map({ String(cString: $0) }) else { return line }
            return "\(line) \(Demangling.swiftName(of: symbol) ?? symbol)"
        }
    }

    /// Returns the file name of a library; a bundle's library is loaded through a descriptor that links to it.
    private static func name(_ path: String) -> String {
        let target = path.hasPrefix("/proc/") ? FileSystem.target(ofLink: path) : nil
        return FilePath(target ?? path).lastComponent
    }
}
