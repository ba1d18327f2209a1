public import CPluginEntry

/// The one value a plugin library hands to its host, and how the host reads it back.
///
/// A plugin exports a single C symbol and nothing else is ever looked up by name:
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
    /// The exported symbol's name.
    public static var symbol: String { "plugin_entry_v1" }

    /// Describes a plugin whose principal object is made by `type.init()`.
    ///
    /// Emitted into the plugin, so that the description carries what the plugin was built with.
    ///
    /// - Returns: a pointer to a `plugin_entry_v1_t` that stays valid as long as the process lives.
    @export(implementation)
    public static func describe(_ type: any BundleDelegate.Type) -> UnsafeRawPointer {
        describe(type, abi: plugin_core_abi(), core: plugin_core_version(), compiler: plugin_compiler_version())
    }

    /// Describes a bundle of kind `lib`: it has no principal object, and says what it was built with.
    ///
    /// ```swift
    /// @c(plugin_entry_v1)
    /// public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describeLibrary() }
    /// ```
    ///
    /// - Returns: as ``describe(_:)``.
    @export(implementation)
    public static func describeLibrary() -> UnsafeRawPointer {
        describe(
            NoPrincipal.self, abi: plugin_core_abi(), core: plugin_core_version(),
            compiler: plugin_compiler_version())
    }

    /// Describes a plugin that was built against the given contract; tests make wrong ones with it.
    ///
    /// - Parameters:
    ///   - type: the principal's type.
    ///   - abi: the version of the contract.
    ///   - core: Core's release, in static storage.
    ///   - compiler: the compiler's name of itself, in static storage.
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
                    // Only `EntryDescription.makePrincipal()` calls this, on the main actor.
                    let type = Unmanaged<PrincipalType>.fromOpaque(context).takeUnretainedValue()
                    return Unmanaged.passRetained(MainActor.assumeIsolated { type.makePrincipal() }).toOpaque()
                }
            )
        )
        return UnsafeRawPointer(entry)
    }
}

/// The principal's type, boxed so that a C pointer can carry it.
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

/// The principal object with its conformance, boxed so that one C pointer carries both.
final class PrincipalBox: Sendable {
    let principal: any BundleDelegate

    init(_ principal: any BundleDelegate) {
        self.principal = principal
    }
}

/// Stands where a library has no principal object, so that the contract's function never returns nothing. A host makes none.
@usableFromInline
final class NoPrincipal: BundleDelegate {
    @usableFromInline
    init() {}
}
