internal import PluginCore

/// What tells the host which Core and which compiler the library was built with. It has no principal object.
@c(plugin_entry_v1)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describeLibrary() }
