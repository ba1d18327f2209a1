extension MainJob {
    /// The output of `catalog --json`.
    struct Catalog: Decodable {
        struct Package: Decodable {
            let name: String
            let identifier: String
            let version: String
            let kind: String
            let size: Int
            let installed: Bool
        }

        let packages: [Package]
        let problems: [[String: Refusal]]
    }

    /// An item of the output of `list --json`.
    struct Installed: Decodable {
        let name: String
        let identifier: String
        let version: String
        let previous: String?
        let kind: String
        let size: Int
    }

    struct List: Decodable {
        let bundles: [Installed]
    }

    /// The output of `info --json`.
    struct Info: Decodable {
        struct Route: Decodable {
            let pattern: String
            let layout: String?
            let guards: [String]
            let priority: Int
            let exposure: String
            let deadline: Double?
            let mayDecline: Bool
        }

        struct Target: Decodable {
            let exposures: [String: String]
        }

        let name: String
        let identifier: String
        let version: String
        let previous: String?
        let sealSHA256: String
        let code: String
        let data: String
        let routes: [Route]
        let targets: [Target]
        let services: [String]
    }

    /// The output of `history --json`.
    struct History: Decodable {
        struct Entry: Decodable {
            let at: String
            let identifier: String
            let event: String
            let version: String
            let before: String?
        }

        let history: [Entry]
    }
}
