import BundleFormat
import HostSystem
internal import FoundationEssentials
public import PluginCore
internal import Signing

extension TrustStore {
    /// The only supported format version.
    public static let formatVersion = 1

    /// The maximum size of a trust store's file, in bytes; larger files are rejected unread.
    public static let sizeLimit = 1 << 20

    /// The maximum number of teams, prefixes or keys in a list; longer lists are rejected.
    static let listLimit = 8192

    /// Reads a trust store's file.
    ///
    /// - Parameter name: the subject of an error: the file's path.
    /// - Throws: ``AtriumError`` with code `trustInvalid` and one problem for each violated rule, with its place
    ///   (`teams[0].keys[1].key: ...`).
    public init(reading bytes: [UInt8], named name: String) throws(AtriumError) {
        guard bytes.count <= Self.sizeLimit else {
            throw AtriumError(.trustInvalid, name, reason: .tooLarge(bytes.count, limit: Self.sizeLimit))
        }
        let problems = ManifestProblems()
        let draft: TrustDraft
        do {
            draft = try StrictJSON.decode(TrustDraft.self, from: bytes, userInfo: problems.userInfo)
        } catch let error as JSONError {
            throw AtriumError(.trustInvalid, name, reason: .verbatim(error.description))
        } catch {
            throw AtriumError(.trustInvalid, name, reason: "notTrustStore")
        }
        let teams = TrustRules(problems: problems).validate(draft)
        guard problems.all.isEmpty else { throw AtriumError(.trustInvalid, name, problems: problems.all) }
        self.init(teams: [])
        for team in teams { set(team) }
    }

    /// Returns the file's content; equal stores have equal content.
    public func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding can't fail: the document has only strings and a small number.
        return [UInt8]((try? encoder.encode(TrustDraft(self))) ?? Data()) + [UInt8(ascii: "\n")]
    }
}
