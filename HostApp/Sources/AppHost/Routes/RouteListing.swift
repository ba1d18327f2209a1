import FoundationEssentials
import PluginCore
import PluginRouter

/// Every route of an app as a table of plain values, so that two of them can be compared.
struct RouteListing: Hashable {
    /// One route.
    struct Line: Hashable, Codable {
        /// The pattern, as it was declared.
        let pattern: String
        /// Where it was declared: `bundle.json` or `manifest`.
        let source: String
        /// `page`, `handler` or `object`.
        let kind: String
        /// The identifier of the bundle it belongs to.
        let owner: String
        /// What the bundle calls it.
        let name: String
        /// `layout/pageId` of a page described by data.
        let layout: String?
        /// Who may ask for it.
        let exposure: String
        /// Routes of a higher priority are asked first.
        let priority: Int
        /// What must hold before it opens, in order.
        let interceptors: [String]
        /// How many seconds what serves it may take; `nil` for the host's deadline.
        let deadline: Double?
        /// A Boolean value that indicates whether it may leave an address to the next route that matches.
        let mayDecline: Bool
        /// The parameters that it adds to the address's own, as a query.
        let parameters: String
        /// A Boolean value that indicates whether its bundle is installed.
        let isInstalled: Bool
    }

    /// Where addresses lead that nobody serves.
    struct Fallback: Hashable, Codable {
        /// Which addresses: a pattern, `scheme://` for those of a scheme, or empty for all.
        let of: String
        /// Where they lead.
        let to: String
    }

    /// The routes, by pattern, the rules of `bundle.json` before what manifests say of the same addresses.
    let lines: [Line]
    /// The fallbacks, in the order of what they are for.
    let fallbacks: [Fallback]

    init(_ lines: [Line], fallbacks: [Fallback] = []) {
        self.fallbacks = fallbacks.sorted { $0.of < $1.of }
        self.lines = lines.sorted { one, other in
            (one.pattern, one.source, one.owner) < (other.pattern, other.source, other.owner)
        }
    }
}

extension RouteListing {
    /// The form that is written with `--json` and read with `--diff`.
    private struct Document: Codable {
        let routes: [Line]
        let fallbacks: [Fallback]
    }

    /// What every version of the form says first.
    private struct Header: Codable {
        let formatVersion: Int
    }

    /// The only `formatVersion` there is.
    static let formatVersion = 1

    /// Reads a listing that was written before.
    ///
    /// - Throws: ``AtriumError`` with code `fileUnknown`, `inputOutput` or `documentInvalid`.
    static func read(_ path: FilePath) throws(AtriumError) -> RouteListing {
        let data = [UInt8](try InputFile.content(of: path))
        do {
            guard try StrictJSON.decode(Header.self, from: data).formatVersion == formatVersion else {
                throw AtriumError(.documentInvalid, path.string, detail: "its formatVersion is not \(formatVersion)")
            }
            let document = try StrictJSON.decode(Document.self, from: data)
            return RouteListing(document.routes, fallbacks: document.fallbacks)
        } catch let error as AtriumError {
            throw error
        } catch {
            throw AtriumError(.documentInvalid, path.string, detail: "\"hostapp routes --json\" has not written it")
        }
    }
}
