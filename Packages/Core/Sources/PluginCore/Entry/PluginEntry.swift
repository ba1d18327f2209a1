public import CPluginEntry

/// The single value that a plugin library passes to its host.
///
/// A plugin exports one C function; the host looks up no other symbol by name:
///
/// ```swift
/// import PluginCore
///
/// @c(plugin_entry_v2)
/// public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Hello.self) }
/// ```
///
/// The layout is `plugin_entry_v2_t` in `plugin_entry.h`.
public enum PluginEntry {
    /// The name of the exported function.
    public static var symbol: String { "plugin_entry_v2" }

    /// Returns the description of a plugin, given the type of its principal object.
    ///
    /// The compiler emits this function into the plugin, so the description contains the versions that the plugin was built with.
    ///
    /// - Returns: A pointer to a `plugin_entry_v2_t` that stays valid for the life of the process.
    @export(implementation)
    public static func describe(_ type: (some BundleDelegate).Type) -> UnsafeRawPointer {
        describe(
            PrincipalType(type), abi: plugin_core_abi(), core: plugin_core_version(),
            compiler: plugin_compiler_version())
    }

    /// Returns the description of an extension, given the type of its principal object.
    ///
    /// - Returns: A pointer as ``describe(_:)`` returns it.
    @export(implementation)
    public static func describe(extension type: (some ExtensionDelegate).Type) -> UnsafeRawPointer {
        describe(
            ExtensionType(type), abi: plugin_core_abi(), core: plugin_core_version(),
            compiler: plugin_compiler_version())
    }

    /// Returns the description of a library bundle, which has no principal object.
    ///
    /// ```swift
    /// @c(plugin_entry_v2)
    /// public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describeLibrary() }
    /// ```
    ///
    /// - Returns: A pointer as ``describe(_:)`` returns it.
    @export(implementation)
    public static func describeLibrary() -> UnsafeRawPointer {
        describe(nil, abi: plugin_core_abi(), core: plugin_core_version(), compiler: plugin_compiler_version())
    }

    /// Returns the description of a plugin with the given versions, so tests can create incompatible ones.
    ///
    /// - Parameters:
    ///   - type: The type of the principal object, or nil for a library.
    ///   - abi: The ABI version.
    ///   - core: The release of Core, in static storage.
    ///   - compiler: The version text of the compiler, in static storage.
    public static func describe(
        _ type: PrincipalType?, abi: UInt32, core: UnsafePointer<CChar>, compiler: UnsafePointer<CChar>
    ) -> UnsafeRawPointer {
        describe(type.map { PrincipalBox(.bundle($0)) }, abi, core, compiler)
    }

    /// Returns the description of an extension with the given versions, so tests can create incompatible ones.
    ///
    /// - Parameters:
    ///   - type: The type of the principal object.
    ///   - abi: The ABI version.
    ///   - core: The release of Core, in static storage.
    ///   - compiler: The version text of the compiler, in static storage.
    public static func describe(
        _ type: ExtensionType, abi: UInt32, core: UnsafePointer<CChar>, compiler: UnsafePointer<CChar>
    ) -> UnsafeRawPointer {
        describe(PrincipalBox(.extension(type)), abi, core, compiler)
    }

    private static func describe(
        _ principal: PrincipalBox?, _ abi: UInt32, _ core: UnsafePointer<CChar>, _ compiler: UnsafePointer<CChar>
    ) -> UnsafeRawPointer {
        let entry = UnsafeMutablePointer<plugin_entry_v2_t>.allocate(capacity: 1)
        entry.initialize(
            to: plugin_entry_v2_t(
                magic: PLUGIN_ENTRY_MAGIC,
                abi_version: abi,
                core_version: core,
                compiler_version: compiler,
                principal_type: principal.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) }
            )
        )
        return UnsafeRawPointer(entry)
    }
}

/// The type of the principal object, boxed so that a C pointer can refer to it.
final class PrincipalBox: Sendable {
    enum Content: Sendable {
        case bundle(PrincipalType)
        case `extension`(ExtensionType)
    }

    let content: Content

    init(_ content: Content) {
        self.content = content
    }
}
