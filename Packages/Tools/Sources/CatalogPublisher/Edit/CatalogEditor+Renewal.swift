import CatalogFormat
import PluginCore
public import TUFMetadata
import TUFRepository

extension CatalogEditor {
    /// Signs roles again that expire soon and whose keys are in a folder. A publication always signs the timestamp.
    ///
    /// - Returns: The renewed roles, with the timestamp.
    public mutating func renew(with keys: CatalogKeys, at time: UTCTime = .now) throws -> [String] {
        guard let published = repository.published else { throw PublisherError.noCatalog(folder) }
        var renewed = ["timestamp"]
        let root = repository.root
        func has(_ needed: RoleKeys) -> Bool { keys.ids.intersection(needed.ids).count >= needed.threshold }
        // A snapshot is renewed after half of its life, so that a missed run of the command does no harm.
        if published.snapshot.content.expires < time.adding(hours: repository.lifetimes.snapshot * 12) {
            try change { (repository) throws(TUFError) in try repository.renew("snapshot") }
            renewed.append("snapshot")
        }
        let soon = time.adding(days: RoleExpiry.warningDays)
        if published.root.content.expires < soon, has(root.keys(of: .root)) {
            try change { (repository) throws(TUFError) in try repository.renew("root") }
            renewed.append("root")
        }
        for role in ["targets"] + (try delegations()).map(\.name) {
            guard let content = try inRepository({ () throws(TUFError) in try published.targets(of: role) })?.content,
                content.expires < soon,
                has(try inRepository { () throws(TUFError) in try repository.keys(ofTargetsRole: role) })
            else { continue }
            try change { (repository) throws(TUFError) in try repository.renew(role) }
            renewed.append(role)
        }
        return renewed
    }
}

extension UTCTime {
    func adding(hours: Int) -> UTCTime { UTCTime(seconds: seconds + hours * 3600) }
}
