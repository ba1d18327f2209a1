import Contract

/// Opens addresses, and calls actions. No plugin knows another: both ways lead through here.
@MainActor
final class Router {
    private let store: Store
    private let loader: Loader
    private var depth = 0

    init(_ store: Store, _ sentinel: Sentinel) {
        self.store = store
        loader = Loader(sentinel)
    }

    /// Opens an address: finds the most specific pattern in the manifests of the active versions, loads its bundle on first use, and asks
    /// that for the page.
    func open(_ address: String) throws -> OpenPage {
        var request = try Request(address)
        let matches = try store.activeBundles().flatMap { bundle in
            bundle.manifest.routes.map(Pattern.init).compactMap { pattern in
                pattern.captures(of: request.path).map { (bundle: bundle, pattern: pattern, captures: $0) }
            }
        }
        let best = matches.max { $0.pattern.specificity.lexicographicallyPrecedes($1.pattern.specificity) }
        guard let best else { throw Failure("no bundle opens \(address); \"minimal list\" prints what is opened") }
        request.values.merge(best.captures) { _, capture in capture }
        return try lease(of: best.bundle).page(for: best.pattern.text, request)
    }

    /// Calls an action of the bundle with a target, which is loaded on first use.
    func call(_ target: String, _ action: String, _ parameters: [String: String]) throws -> String {
        guard let bundle = try store.activeBundles().first(where: { $0.manifest.target == target }) else {
            throw Failure("no bundle has the target \"\(target)\"; \"minimal list\" prints the targets")
        }
        guard depth < 16 else {
            throw Failure("more than 16 calls wait for each other, at last for \(target)/\(action)")
        }
        depth += 1
        defer { depth -= 1 }
        return try lease(of: bundle).perform(action, parameters)
    }

    private func lease(of bundle: InstalledBundle) throws -> Lease {
        try loader.lease(of: bundle) { [weak self] target, action, parameters in
            guard let self else { throw Failure("the host ends") }
            return try call(target, action, parameters)
        }
    }
}

/// A pattern such as `shop/item/:id`, whose segments stand for themselves or, with a colon, for any one.
struct Pattern {
    let text: String
    private let segments: [Substring]

    init(_ text: String) {
        self.text = text
        segments = text.split(separator: "/")
    }

    /// Returns the captured values by name, or nil if the path does not match.
    func captures(of path: [String]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var captures: [String: String] = [:]
        for (segment, value) in zip(segments, path) {
            if segment.hasPrefix(":") {
                captures[String(segment.dropFirst())] = value
            } else if segment != value {
                return nil
            }
        }
        return captures
    }

    /// 1 for a text, 0 for a capture. Compared from the left, the larger one wins.
    var specificity: [Int] { segments.map { $0.hasPrefix(":") ? 0 : 1 } }

    /// The same for two patterns that match the same addresses.
    var key: [Substring] { segments.map { $0.hasPrefix(":") ? ":" : $0 } }
}

// In the product: Packages/Router/Sources/PluginRouter, Packages/Router/Sources/PluginRouter/Matching/RouteList.swift. It adds an index of all patterns, so that no request searches them one by one, kinds
// of routes, redirects, interceptors, exposure, requests that are asynchronous and end at a deadline, and installing on demand.
