public import CPluginEntry

/// The single value that a plugin library passes to its host.
///
/// A plugin exports one C function; the host looks up no other symbol by name:
///
/// ```swift
/// import PluginCore
///
/// @c(plugin_entry_v3)
/// public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Hello.self) }
/// ```
///
/// The layout is `plugin_entry_v3_t` in `plugin_entry.h`.
public enum PluginEntry {
    /// The name of the exported function.
    public static var symbol: String { "plugin_entry_v3" }

    /// Returns the description of a plugin, given the type of its principal object.
    ///
    /// The compiler emits this function into the plugin, so the description contains the versions that the plugin was built with.
    ///
    /// - Returns: A pointer to a `plugin_entry_v3_t` that stays valid for the life of the process.
    @export(implementation)
    public static func describe(_ type: (some BundleDelegate).Type) -> UnsafeRawPointer {
        describe(principal: PrincipalType(type))
    }

    /// Returns the description of a library with another kind of principal object, such as an extension.
    ///
    /// - Parameter principal: What the library's host makes the object of, or nil for a library bundle.
    /// - Returns: A pointer as ``describe(_:)`` returns it.
    @export(implementation)
    public static func describe(principal: (any Sendable)?) -> UnsafeRawPointer {
        describe(principal, abi: plugin_core_abi(), core: plugin_core_version(), compiler: plugin_compiler_version())
    }

    /// Returns the description of a library bundle, which has no principal object.
    ///
    /// ```swift
    /// @c(plugin_entry_v3)
    /// public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describeLibrary() }
    /// ```
    ///
    /// - Returns: A pointer as ``describe(_:)`` returns it.
    @export(implementation)
    public static func describeLibrary() -> UnsafeRawPointer {
        describe(principal: nil)
    }

    /// Returns a description with the given versions, so tests can create incompatible ones.
    ///
    /// - Parameters:
    ///   - principal: The type of the principal object, or nil for a library.
    ///   - abi: The ABI version.
    ///   - core: The release of Core, in static storage.
    ///   - compiler: The version text of the compiler, in static storage.
    public static func describe(
        _ principal: (any Sendable)?, abi: UInt32, core: UnsafePointer<CChar>, compiler: UnsafePointer<CChar>
    ) -> UnsafeRawPointer {
        let entry = UnsafeMutablePointer<plugin_entry_v3_t>.allocate(capacity: 1)
        entry.initialize(
            to: plugin_entry_v3_t(
                magic: PLUGIN_ENTRY_MAGIC, abi_version: abi, core_version: core, compiler_version: compiler,
                principal_type: principal.map { UnsafeRawPointer(Unmanaged.passRetained(PrincipalBox($0)).toOpaque()) })
        )
        return UnsafeRawPointer(entry)
    }
}

/// The type of the principal object, boxed so that a C pointer can refer to it.
private final class PrincipalBox: Sendable {
    let principal: any Sendable

    init(_ principal: any Sendable) {
        self.principal = principal
    }
}

/// A plugin's entry that the host has read and checked.
public struct EntryDescription: Sendable {
    /// The Core release that the plugin was compiled against.
    public let coreVersion: String
    /// The version text of the compiler that built the plugin.
    public let compiler: String
    /// The value that ``PluginEntry/describe(principal:)`` was given, or nil for a library that others link.
    public let principal: (any Sendable)?

    /// Reads the value that the plugin's exported function returned.
    ///
    /// - Parameters:
    ///   - pointer: The returned pointer; `nil` is rejected like any other invalid value.
    ///   - bundle: The bundle, for the error.
    /// - Throws: ``AtriumError`` with code `libraryIncompatible` if the magic number, the ABI version or the compiler differs from this
    ///   host's. Swift's ABI is not stable on Linux, so code of another compiler is never run.
    public init(reading pointer: UnsafeRawPointer?, of bundle: BundleIdentity) throws(AtriumError) {
        func incompatible(_ reason: String, _ values: [String: ErrorReason.Value] = [:]) -> AtriumError {
            AtriumError(.libraryIncompatible, bundle, reason: reason, values)
        }
        guard let pointer else { throw incompatible("entryNothing") }
        let magic = pointer.loadUnaligned(as: UInt32.self)
        guard magic == PLUGIN_ENTRY_MAGIC else { throw incompatible("entryMagic") }
        let entry = pointer.load(as: plugin_entry_v3_t.self)
        let (abi, host) = (entry.abi_version, CoreVersion.abi)
        guard abi == host else {
            throw incompatible(
                abi < host ? "pluginABIOlder" : "pluginABINewer",
                ["abi": .integer(Int(abi)), "host": .integer(Int(host)), "core": .text(CoreVersion.release)])
        }
        coreVersion = String(cString: entry.core_version)
        compiler = String(cString: entry.compiler_version)
        guard compiler == CoreVersion.compiler else {
            throw incompatible("compilerDiffers", ["compiler": .text(compiler), "host": .text(CoreVersion.compiler)])
        }
        principal = entry.principal_type.map {
            Unmanaged<PrincipalBox>.fromOpaque($0).takeUnretainedValue().principal
        }
    }

    /// The type of the plugin's principal object, or nil for an extension and for a library that others link.
    public var principalType: PrincipalType? { principal as? PrincipalType }
}

/// The versions of this copy of Core, which the host compares with those of a plugin before it runs the plugin.
public enum CoreVersion {
    /// The ABI version of the contract. A plugin and its host must have the same one.
    ///
    /// It is increased when plugins that were compiled against the previous contract can no longer be loaded.
    public static var abi: UInt32 { plugin_core_abi() }

    /// The release of Core, by Semantic Versioning 2.0.0. Additions that keep the ABI increase the minor number.
    public static var release: String { String(cString: plugin_core_version()) }

    /// The version text of the compiler that built this copy of Core.
    public static var compiler: String { String(cString: plugin_compiler_version()) }
}
