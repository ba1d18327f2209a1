internal import CPluginEntry

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
