import Contract
import Glibc

/// Loads versions on first use, and gives them leases.
///
/// A library is never unloaded: objects of its types may be anywhere, and Swift does not support it. Two versions of a bundle have files of
/// their own and keep their symbols to themselves, so they live side by side in one process.
@MainActor
final class Loader {
    private let sentinel: Sentinel
    /// The version of each bundle that gets new requests, and the leases of these and of versions before them.
    private var current: [String: BundleName] = [:]
    private var leases: [BundleName: Lease] = [:]
    private var loading: Set<String> = []

    init(_ sentinel: Sentinel) {
        self.sentinel = sentinel
    }

    /// Returns the lease of a version, which is loaded on first use, and replaces the version of the bundle that was used until now.
    ///
    /// If it cannot be loaded, the version before stays as it is. It gets no new requests, but a rollback finds it again, with its state.
    func lease(of bundle: InstalledBundle, mediator: @escaping Lease.Mediator) throws -> Lease {
        let name = bundle.name
        if current[name.identifier] == name, let lease = leases[name] { return lease }
        guard loading.insert(name.identifier).inserted else {
            throw Failure("\(name) is still starting; a plugin that it called during its start has called it back")
        }
        defer { loading.remove(name.identifier) }
        let kept = leases[name].flatMap { $0.hasEnded ? nil : $0 }
        let lease =
            try kept ?? Lease(of: bundle, type: pluginType(of: bundle), sentinel: sentinel, mediator: mediator)
        leases[name] = lease
        lease.resume()
        if let old = current.updateValue(name, forKey: name.identifier) { leases[old]?.replace() }
        leases = leases.filter { !$0.value.hasEnded }
        return lease
    }

    /// Maps the library into the process, and asks it for its plugin.
    private func pluginType(of bundle: InstalledBundle) throws -> any Plugin.Type {
        func problem(_ text: String) -> Failure { Failure("\(bundle.name) cannot be loaded: \(text)") }
        // From here on code of the plugin runs: initializers of its library, and the function that it exports.
        return try sentinel.watch(bundle.name) {
            // RTLD_NOW: a missing symbol is found here, and not in the middle of a call. The library needs libContract.so, whose name the
            // linker finds among the libraries of this process. It does not search the disk for another one.
            guard let library = dlopen(bundle.library.path, RTLD_NOW | RTLD_LOCAL) else {
                throw problem(dlerror().map { String(cString: $0) } ?? "unknown error")
            }
            guard let symbol = dlsym(library, PluginEntry.symbol) else {
                throw problem("it does not export \(PluginEntry.symbol)")
            }
            let entry = unsafeBitCast(symbol, to: (@convention(c) () -> UnsafeRawPointer?).self)
            guard let description = entry() else { throw problem("\(PluginEntry.symbol) returned nothing") }
            do {
                return try PluginEntry.type(describedBy: description)
            } catch {
                throw problem("\(error)")
            }
        }
    }
}

// In the product: Packages/Runtime/Sources/PluginRuntime/Running, Packages/Runtime/Sources/PluginRuntime/Load. It adds locks of versions in
// use, admission, the seal of all files, checks of the library's file before any of its code runs, libraries that bundles share, and
// processes of their own for plugins.
