public import PluginCore

/// Identifiers of many bundles, such as `"com.link\(number)"`.
extension BundleIdentifier: @retroactive ExpressibleByStringInterpolation {}
