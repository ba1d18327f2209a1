public import CPluginEntry

/// The single value that a plugin library passes to its host.
///
/// A plugin exports one C function; the host looks up no other symbol by name:
///
/// ```swift
/// import PluginCore
///
/// @c(plugin_entry_v1)
/// public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Hello.self) }
/// ```
///
/// The layout is `plugin_entry_v1_t` in `plugin_entry.h`.
public enum PluginEntry {
    /// The name of the exported function.
    public static var symbol: String { "plugin_entry_v1" }

    /// Returns the description of a plugin, given the type of its principal object.
    ///
    /// The compiler emits this function into the plugin, so the description contains the versions that the plugin was built with.
    ///
    /// - Returns: A pointer to a `plugin_entry_v1_t` that stays valid for the life of the process.
    @export(implementation)
    public static func describe(_ type: any BundleDelegate.Type) -> UnsafeRawPointer {
        describe(type, abi: plugin_core_abi(), core: plugin_core_version(), compiler: plugin_compiler_version())
    }

    /// Returns the description of a library bundle, which has no principal object.
    ///
    /// ```swift
    /// @c(plugin_entry_v1)
    /// public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describeLibrary() }
    /// ```
    ///
    /// - Returns: A pointer as ``describe(_:)`` returns it.
    @export(implementation)
    public static func describeLibrary() -> UnsafeRawPointer {
        describe(
            NoPrincipal.self, abi: plugin_core_abi(), core: plugin_core_version(),
            compiler: plugin_compiler_version())
    }

    /// Returns the description of a plugin with the given versions, so tests can create incompatible ones.
    ///
    /// - Parameters:
    ///   - type: The type of the principal object.
    ///   - abi: The ABI version.
    ///   - core: The release of Core, in static storage.
    ///   - compiler: The version text of the compiler, in static storage.
    public static func describe(
        _ type: any BundleDelegate.Type, abi: UInt32, core: UnsafePointer<CChar>, compiler: UnsafePointer<CChar>
    ) -> UnsafeRawPointer {
        let entry = UnsafeMutablePointer<plugin_entry_v1_t>.allocate(capacity: 1)
        entry.initialize(
            to: plugin_entry_v1_t(
                magic: PLUGIN_ENTRY_MAGIC,
                abi_version: abi,
                core_version: core,
                compiler_version: compiler,
                context: Unmanaged.passRetained(PrincipalType(type)).toOpaque(),
                make_principal: { context in
                    // Only `EntryDescription.makePrincipal()` calls this, and it runs on the main actor.
                    let type = Unmanaged<PrincipalType>.fromOpaque(context).takeUnretainedValue()
                    return Unmanaged.passRetained(MainActor.assumeIsolated { type.makePrincipal() }).toOpaque()
                }
            )
        )
        return UnsafeRawPointer(entry)
    }
}

/// The type of the principal object, boxed so that a C pointer can refer to it.
private final class PrincipalType: Sendable {
    private let type: any BundleDelegate.Type

    init(_ type: any BundleDelegate.Type) {
        self.type = type
    }

    @MainActor
    func makePrincipal() -> PrincipalBox {
        PrincipalBox(type.init())
    }
}

/// The principal object with its conformance, boxed so that one C pointer can refer to both.
final class PrincipalBox: Sendable {
    let principal: any BundleDelegate

    init(_ principal: any BundleDelegate) {
        self.principal = principal
    }
}

/// A placeholder principal object for libraries, because the C function must not return a null pointer. Hosts never create one.
@usableFromInline
final class NoPrincipal: BundleDelegate {
    @usableFromInline
    init() {}
}
