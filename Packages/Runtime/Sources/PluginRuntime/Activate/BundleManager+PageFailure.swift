public import PluginCore
import PluginRouter

extension BundleManager {
    /// Returns the error that an action of a page threw, with the name of the bundle that the page is from.
    public func failure(_ error: any Error, of action: String, on page: any Page) -> any Error {
        for lease in activations.values.map(\.lease) + replaced.map(\.lease) {
            if let failure = lease.failure(error, of: action, on: page) { return failure }
        }
        return error
    }
}
