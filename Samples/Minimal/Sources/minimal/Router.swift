import Contract

/// Opens addresses, and calls actions. No plugin knows another: both ways lead through here.
@MainActor
final class Router {
    private let store: Store
    private let loader: Loader
    private var depth = 0

    init(_ store: Store, _ sentinel: Sentinel) {
        (self.store, loader) = (store, Loader(sentinel))
    }

    /// Opens an address: finds the pattern in the manifests of the active versions, loads the bundle on first use, and asks it for the page.
    func open(_ address: String) throws -> OpenPage {
        var request = try Request(address)
        let matches = try store.bundles().flatMap { bundle in
            bundle.manifest.routes.map(Pattern.init).compactMap { pattern in
                pattern.captures(of: request.path).map { (bundle: bundle, pattern: pattern, captures: $0) }
            }
        }
        guard let best = matches.max(by: { $0.pattern < $1.pattern }) else {
            throw Failure("no bundle opens \(address); \"minimal list\" prints the patterns of all")
        }
        if let other = matches.first(where: { $0.bundle.name != best.bundle.name && !($0.pattern < best.pattern) }) {
            throw Failure("both \(best.bundle.name) and \(other.bundle.name) open \(address); roll one of them back")
        }
        request.values.merge(best.captures) { _, capture in capture }
        return try lease(of: best.bundle).page(for: best.pattern.text, request)
    }

    /// Calls an action of the active bundle with a target, which is loaded on first use: the mediator.
    func call(_ target: String, _ action: String, _ parameters: [String: String]) throws -> any Sendable {
        guard let bundle = try store.bundles().first(where: { $0.manifest.target == target }) else {
            throw Failure("no bundle has the target \"\(target)\"; install one that has")
        }
        guard depth < 16 else { throw Failure("calls lead in a circle, at last to \(target)/\(action)") }
        depth += 1
        defer { depth -= 1 }
        return try lease(of: bundle).perform(action, parameters)
    }

    private func lease(of bundle: InstalledBundle) throws -> Lease {
        try loader.lease(of: bundle) { [unowned self] in try call($0, $1, $2) }
    }
}

/// A pattern such as `shop/item/:id`, whose segments stand for themselves or, with a colon, for any one.
struct Pattern: Comparable {
    let text: String
    private let segments: [Substring]

    init(_ text: String) {
        (self.text, segments) = (text, text.split(separator: "/"))
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

    /// Whether the other pattern is more specific: the first segment in which they differ decides, and a text wins over a capture.
    static func < (one: Self, other: Self) -> Bool {
        one.kinds.lexicographicallyPrecedes(other.kinds)
    }

    static func == (one: Self, other: Self) -> Bool { one.kinds == other.kinds }

    private var kinds: [Int] { segments.map { $0.hasPrefix(":") ? 0 : 1 } }
}

// In the product: Packages/Router/Sources/PluginRouter. It adds an index of all patterns, which no request searches one by one, kinds of
// routes, redirects, interceptors, exposure, requests that are asynchronous and end at a deadline, and installing on demand.
