internal import CPluginEntry

/// What this copy of Core is: the two numbers a host and a plugin compare before they trust each other.
public enum CoreVersion {
    /// The contract's ABI version. It goes up when a plugin compiled against the old contract can no longer be loaded;
    /// a plugin and its host must agree on it exactly.
    public static var abi: UInt32 { plugin_core_abi() }

    /// Core's release, by Semantic Versioning 2.0.0. Additions that keep the ABI raise the minor number.
    public static var release: String { String(cString: plugin_core_version()) }

    /// The compiler that built this copy of Core, as that compiler names itself.
    public static var compiler: String { String(cString: plugin_compiler_version()) }
}
