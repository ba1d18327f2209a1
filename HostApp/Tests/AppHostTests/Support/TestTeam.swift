import Authoring
import Signing

/// The team that the tests' hosts trust.
enum TestTeam {
    static let name = "com.example"
    /// The signing key, created for each run.
    static let key = Result { try SigningKey.generate() }

    static func sealer() throws -> Sealer { Sealer(key: try key.get(), team: name, signedAt: 1_795_262_400) }

    /// Returns a trust file with the team, as it ships with a host.
    static func trust() throws -> String {
        """
        {"formatVersion": 1, "teams": [{"team": "\(name)", "name": "Example", "prefixes": ["\(name)"],
          "keys": [{"key": "\(try key.get().publicKey.base64)"}]}]}
        """
    }
}
