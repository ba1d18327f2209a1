// A program that is a host imports this module alone.
@_exported public import PluginCatalog
@_exported public import PluginCore
@_exported public import PluginRouter
@_exported public import PluginRuntime
@_exported public import Registry
@_exported public import RemoteCatalog
@_exported public import Trust
