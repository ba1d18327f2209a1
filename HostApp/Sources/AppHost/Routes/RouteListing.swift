import FoundationEssentials
import PluginCore
import PluginRouter

/// All routes of an app as a table of plain values, so that two listings can be compared.
struct RouteListing: Hashable {
    /// One route.
    struct Line: Hashable, Codable {
        /// The pattern as it was declared.
        let pattern: String
        /// The file that declares the route, which is `bundle.json` or `manifest`.
        let source: String
        /// The kind of the route, which is `page`, `handler` or `object`.
        let kind: String
        /// The identifier of the bundle that owns the route.
        let owner: String
        /// The name of the page, handler or object in the bundle.
        let name: String
        /// The layout and page identifier of a page described by a layout, such as `layout/pageId`.
        let layout: String?
        /// The origins that may use the route.
        let exposure: String
        /// The priority of the route; routes with a higher priority are matched first.
        let priority: Int
        /// The interceptors that run before the route, in order.
        let interceptors: [String]
        /// The deadline in seconds; `nil` for the host's default.
        let deadline: Double?
        /// A Boolean value that indicates whether the route may decline an address, so that the next matching route is tried.
        let mayDecline: Bool
        /// The parameters that the route adds to those of the address, as a query.
        let parameters: String
        /// A Boolean value that indicates whether the bundle is installed.
        let isInstalled: Bool
    }

    /// The target of addresses that no route matches.
    struct Fallback: Hashable, Codable {
        /// The addresses, as a pattern, as `scheme://` for all of a scheme, or empty for all.
        let of: String
        /// The address that opens instead.
        let to: String
    }

    /// The routes, sorted by pattern; rules of the composition precede routes of manifests for the same addresses.
    let lines: [Line]
    /// The fallbacks, sorted by their addresses.
    let fallbacks: [Fallback]

    init(_ lines: [Line], fallbacks: [Fallback] = []) {
        self.fallbacks = fallbacks.sorted { $0.of < $1.of }
        self.lines = lines.sorted { one, other in
            (one.pattern, one.source, one.owner) < (other.pattern, other.source, other.owner)
        }
    }
}

extension RouteListing {
    /// The document that `--json` writes and `--diff` reads.
    private struct Document: Codable {
        let routes: [Line]
        let fallbacks: [Fallback]
    }

    /// The field that every format version starts with.
    private struct Header: Codable {
        let formatVersion: Int
    }

    /// The only supported format version.
    static let formatVersion = 1

    /// Reads a listing from a file.
    ///
    /// - Throws: ``AtriumError`` with code `fileUnknown`, `inputOutput` or `documentInvalid`.
    static func read(_ path: FilePath) throws(AtriumError) -> RouteListing {
        let data = [UInt8](try InputFile.content(of: path))
        do {
            guard try StrictJSON.decode(Header.self, from: data).formatVersion == formatVersion else {
                throw AtriumError(.documentInvalid, path.string, detail: "expected formatVersion \(formatVersion)")
            }
            let document = try StrictJSON.decode(Document.self, from: data)
            return RouteListing(document.routes, fallbacks: document.fallbacks)
        } catch let error as AtriumError {
            throw error
        } catch {
            throw AtriumError(.documentInvalid, path.string, detail: "it was not written by \"hostapp routes --json\"")
        }
    }
}
