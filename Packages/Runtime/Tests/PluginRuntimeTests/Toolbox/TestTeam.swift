import Authoring
import PluginCore
import Signing

/// The team whose packages the tests' hosts trust.
enum TestTeam {
    static let name = "com.example"
    /// A key that is generated for each run.
    static let key = Result { try SigningKey.generate() }

    static func sealer(by key: SigningKey? = nil) throws -> Sealer {
        Sealer(key: try key ?? self.key.get(), team: name, signedAt: 1_795_262_400)
    }

    /// Returns the content of a trust file that trusts the team, as it ships with a host.
    static func trust() throws -> String {
        """
        {"formatVersion": 1, "teams": [{"team": "\(name)", "name": "Example", "prefixes": ["\(name)"],
          "keys": [{"key": "\(try key.get().publicKey.base64)"}]}]}
        """
    }
}
