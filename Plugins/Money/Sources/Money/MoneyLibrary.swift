internal import PluginCore

/// Returns the library's description, which names its Core ABI and compiler but no principal object.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describeLibrary() }
