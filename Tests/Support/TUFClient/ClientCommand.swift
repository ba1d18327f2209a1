import FoundationEssentials
import HTTPTransfer
import TUF
import TUFMetadata

/// An invalid command line.
struct UsageError: Error {
    let message: String
}

/// A command of `tuf-client`. Its options may come in any order, before and after the verb.
struct ClientCommand {
    static let usage = """
        usage: tuf-client --metadata-dir DIR init TRUSTED_ROOT
               tuf-client --metadata-dir DIR --metadata-url URL refresh
               tuf-client --metadata-dir DIR --metadata-url URL --target-name PATH [--target-name PATH ...]
                          --target-base-url URL --target-dir DIR download
        """

    private enum Verb {
        case initialize(root: String)
        case refresh
        case download
    }

    private static let optionNames: Set = [
        "--metadata-dir", "--metadata-url", "--target-name", "--target-base-url", "--target-dir",
    ]

    private let verb: Verb
    private let options: [String: [String]]

    init(arguments: [String]) throws(UsageError) {
        var options: [String: [String]] = [:]
        var words: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                words.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard Self.optionNames.contains(name) else { throw UsageError(message: "unknown option \(name)") }
            guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                throw UsageError(message: "\(name) needs a value")
            }
            options[name, default: []].append(value)
        }
        for (name, values) in options where name != "--target-name" && values.count > 1 {
            throw UsageError(message: "\(name) is given twice")
        }
        switch (words.first, words.count) {
        case ("init", 2): verb = .initialize(root: words[1])
        case ("refresh", 1): verb = .refresh
        case ("download", 1): verb = .download
        default: throw UsageError(message: "unknown command \(words.joined(separator: " ").debugDescription)")
        }
        self.options = options
    }

    private func value(_ name: String) throws(UsageError) -> String {
        guard let value = options[name]?.first else { throw UsageError(message: "\(name) is missing") }
        return value
    }

    func run() async throws {
        let folder = try value("--metadata-dir")
        switch verb {
        case .initialize(let path):
            let client = TUFClient(folder: folder, metadata: FolderSource("."), targets: FolderSource("."))
            try client.initialize(root: Array(Data(contentsOf: URL(filePath: path))))
        case .refresh:
            _ = try await client(folder, targets: nil).refresh()
        case .download:
            let (names, target) = (options["--target-name"] ?? [], try value("--target-dir"))
            guard !names.isEmpty else { throw UsageError(message: "--target-name is missing") }
            let client = try client(folder, targets: value("--target-base-url"))
            let trusted = try await client.refresh()
            for name in names {
                guard let found = try await client.find(name, in: trusted) else { throw TUFError(.targetUnknown, name) }
                let file = try HashAlgorithm.sha256.digest(of: Array(name.utf8))
                try await client.download(found, in: trusted, to: "\(target)/\(file)")
            }
        }
    }

    private func client(_ folder: String, targets: String?) throws(UsageError) -> TUFClient {
        let address = try value("--metadata-url")
        let http = HTTPClient(userAgent: "Atrium-tuf-client/1.0")
        return TUFClient(
            folder: folder, metadata: HTTPSource(address, client: http),
            targets: HTTPSource(targets ?? address, client: http))
    }
}
