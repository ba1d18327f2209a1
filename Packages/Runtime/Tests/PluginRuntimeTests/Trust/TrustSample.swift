import BundleFormat
import PluginCore
import Signing

@testable import Trust

/// Keys that are the same in every run, and trust stores that contain them.
enum TrustSample {
    static let keys = [
        "RWSfFjBv+sHErNmPKF4IxvPDuT/UM0hxRC1sd+Us6mHTvaRYUsmTNEoU",
        "RWQrpp07wtSpswXYw8DFmaq9xee+24ormKtuYKaQZcEciFCXtWrvbKom",
        "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3",
    ]

    static func key(_ index: Int) throws -> VerifyingKey { try VerifyingKey(keys[index]) }

    /// Returns a store with one team, `com.example`, and the first key.
    static func store() throws -> TrustStore {
        try TrustStore.empty.adding(team: "com.example", name: "Example", prefixes: ["com.example"], key: key(0))
    }
}

extension TrustStore {
    /// Returns the text of the key that may sign a bundle, or the code of the error that rejects it.
    func report(
        _ key: Int, of team: String = "com.example", on identifier: BundleIdentifier = "com.example.shop",
        for purpose: VerificationPurpose = .install, at time: Int64 = 1_000
    ) throws -> String {
        let id = try TrustSample.key(key).id
        do throws(AtriumError) {
            return try validate(
                keyID: id, team: team, identifier: identifier, subject: "shop", purpose: purpose, at: time
            ).base64 == TrustSample.keys[key] ? "passes" : "another key"
        } catch {
            return error.code.name
        }
    }
}
