public import BundleFormat
import HostSystem
public import PluginCore
public import Signing

extension TrustStore {
    /// Returns the trusted key that must have signed a bundle.
    ///
    /// - Parameters:
    ///   - keyID: the key that the signature names.
    ///   - team: the team that the seal names.
    ///   - identifier: the bundle's identifier.
    ///   - appGroups: the app groups that the bundle declares.
    ///   - subject: the subject of an error.
    ///   - purpose: the reason for the check; an expired key may not install new bundles, but those it signed before still load.
    ///   - time: the current time, in seconds since 1970.
    /// - Throws: ``AtriumError`` with the first code that applies: `teamUnknown`, `keyRevoked`, `teamForeign`, `groupForeign`
    ///   or `keyRetired`.
    public func validate(
        keyID: KeyID, team: String, identifier: BundleIdentifier, appGroups: [String] = [], subject: String,
        purpose: VerificationPurpose,
        at time: Int64
    ) throws(AtriumError) -> VerifyingKey {
        guard let known = self.team(team) else {
            throw AtriumError(.teamUnknown, subject, reason: "noTeam", ["team": .text(team)])
        }
        guard let key = known.keys.first(where: { $0.key.id == keyID }) else {
            throw AtriumError(
                .teamUnknown, subject, reason: "teamWithoutKey", ["team": .text(team), "key": "\(keyID)"])
        }
        if let revocation = key.revocation {
            let time = UTCTime.text(revocation.time)
            throw AtriumError(
                .keyRevoked, subject, reason: "keyRevokedAt",
                ["key": "\(keyID)", "time": .text(time), "comment": .text(revocation.reason)])
        }
        let owner = owner(of: identifier.text)
        guard owner?.identifier == team else {
            throw AtriumError(
                .teamForeign, subject, reason: owner == nil ? "identifierOfNoTeam" : "identifierOfOtherTeam",
                ["owner": .text(owner?.identifier ?? ""), "identifier": .text(identifier), "team": .text(team)])
        }
        for group in appGroups {
            let name = AppGroupOwnership.name(of: group)
            let owner = self.owner(of: name)
            guard owner?.identifier != team else { continue }
            throw AtriumError(
                .groupForeign, subject, reason: owner == nil ? "signedGroupOfNoTeam" : "signedGroupOfOtherTeam",
                [
                    "owner": .text(owner?.identifier ?? ""), "owned": .text(name), "team": .text(team),
                    "group": .text(group),
                ])
        }
        if purpose == .install, key.isRetired(at: time), let end = key.validUntil {
            throw AtriumError(
                .keyRetired, subject, reason: "keyRetiredAt", ["key": "\(keyID)", "time": .text(UTCTime.text(end))])
        }
        return key.key
    }
}

extension TrustStore.Key {
    /// Returns whether the key has expired.
    public func isRetired(at time: Int64) -> Bool {
        validUntil.map { time >= $0 } ?? false
    }
}

extension SignatureVerification {
    /// Returns the check by a host's trust store, which also says which team owns the bundle's name.
    ///
    /// - Parameter time: the current time, in seconds since 1970.
    public static func trust(_ store: TrustStore, _ purpose: VerificationPurpose, at time: Int64) -> Self {
        Self { signature, source, seal, manifest, subject throws(AtriumError) in
            let signature = try MinisignSignature(reading: signature, of: subject)
            let key = try store.validate(
                keyID: signature.keyID, team: seal.team, identifier: manifest.identity.identifier,
                appGroups: manifest.appGroups, subject: subject, purpose: purpose, at: time)
            try verify(signature, of: source, by: key, in: subject)
        }
    }

    /// Returns the check by a single key, regardless of the team in the seal and of the bundle's name.
    public static func key(_ key: VerifyingKey) -> Self {
        Self { signature, source, _, _, subject throws(AtriumError) in
            try verify(MinisignSignature(reading: signature, of: subject), of: source, by: key, in: subject)
        }
    }

    private static func verify(
        _ signature: MinisignSignature, of source: [UInt8], by key: VerifyingKey, in subject: String
    ) throws(AtriumError) {
        do {
            try signature.verify(source, by: key)
        } catch {
            throw AtriumError(
                error.code == .keyMismatch ? .teamUnknown : .signatureInvalid, subject, reason: error.reason)
        }
    }
}

extension MinisignSignature {
    /// Reads a signature from the content of its file.
    ///
    /// - Throws: ``AtriumError`` with code `signatureInvalid`.
    init(reading bytes: [UInt8], of subject: String) throws(AtriumError) {
        func unreadable(_ problem: ErrorReason) -> AtriumError {
            AtriumError(
                .signatureInvalid, subject, reason: "signatureUnreadable",
                ["name": .text(Seal.signatureName), "problem": .reason(problem)])
        }
        // Invalid UTF-8 isn't repaired: the bytes that are verified must be those of the file.
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unreadable(ErrorReason("notUTF8")) }
        do {
            try self.init(text)
        } catch {
            throw unreadable(error.reason)
        }
    }
}

/// The ownership of app groups: a group belongs to the team that owns the prefix of its name.
///
/// The groups `group.com.example` and `group.com.example.shared` belong to the owner of `com.example`, as bundles of these
/// names do.
public enum AppGroupOwnership {
    /// Returns the reverse-domain name of a group: its name without the leading part "group.".
    static func name(of group: String) -> String {
        let prefix = "group."
        return group.hasPrefix(prefix) ? String(group.dropFirst(prefix.count)) : group
    }

    /// Checks, without a trust store, that a bundle declares no app group of another team.
    ///
    /// The team's prefix is its identifier if the bundle's identifier begins with it, and otherwise the first two labels of the
    /// bundle's identifier.
    ///
    /// - Parameter team: the signing team, if known.
    /// - Throws: ``AtriumError`` with code `groupForeign` and all foreign groups.
    public static func requireOwn(in manifest: Manifest, team: String?) throws(AtriumError) {
        let identifier = manifest.identity.identifier.text
        let labels = identifier.split(separator: ".").prefix(2).joined(separator: ".")
        let prefix = team.flatMap { TrustStore.covers($0, identifier) ? $0 : nil } ?? labels
        let problems = manifest.appGroups.filter { !TrustStore.covers(prefix, name(of: $0)) }.map { group in
            ErrorReason.at(
                "appGroups",
                ErrorReason(
                    "groupOfOtherTeam",
                    ["group": .text(group), "owned": .text(name(of: group)), "prefix": .text(prefix)]))
        }
        guard problems.isEmpty else {
            throw AtriumError(.groupForeign, manifest.identity, problems: problems)
        }
    }
}
