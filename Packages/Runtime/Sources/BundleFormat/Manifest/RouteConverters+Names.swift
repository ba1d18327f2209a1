package import PluginRouter

extension RouteConverters {
    /// Returns the standard converters and others of which only the names are known; those accept any text.
    package static func standard(registering names: [String]) -> RouteConverters {
        var converters = RouteConverters.standard
        for name in names where converters[name] == nil {
            converters.register(RouteConverter(name, example: name) { _ in true })
        }
        return converters
    }
}
