import Contract
import Foundation

let usage = """
    usage: minimal [--in FOLDER] COMMAND

      install MANIFEST LIBRARY   installs a version, which is used from now on, also by hosts that run
      open ADDRESS               shows a page, and then reads lines until there are no more: an empty one
                                 draws the page again, an address opens another page, "back" closes it,
                                 and "call TARGET ACTION NAME=VALUE..." calls an action
      rollback BUNDLE            goes back to the version before
      list                       prints the active versions, their targets, and what they open

    FOLDER is ./minimal.sandbox by default.
    """

/// Prints a message that is not a result.
func log(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("minimal: \(text)\n".utf8))
}

/// The pages that the user has opened, the last one on top.
@MainActor
final class Session {
    private let router: Router
    private var pages: [OpenPage] = []

    init(_ router: Router) {
        self.router = router
    }

    /// Does what a line says, and prints the page on top, or the result of a call.
    func run(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        switch words.first {
        case "back" where !pages.isEmpty: try pages.removeLast().close()
        case "call" where words.count > 2:
            let pairs = try words.dropFirst(3).map { word in
                guard let sign = word.firstIndex(of: "=") else { throw Failure("\"\(word)\" must be NAME=VALUE") }
                return (String(word[..<sign]), String(word[word.index(after: sign)...]))
            }
            return print(try router.call(words[1], words[2], Dictionary(pairs) { first, _ in first }))
        case let address?: pages.append(try router.open(address))
        case nil: break
        }
        if let page = pages.last { print(try page.text()) }
    }

    /// Shows a page, and then does what the user types, until the last page is closed or the input ends.
    ///
    /// - Returns: The exit status: 1 if the first page cannot be shown.
    func run(from address: String) -> Int32 {
        var status: Int32 = 1
        var line: String? = address
        while let text = line {
            do {
                try run(text)
                status = 0
            } catch {
                log("\(error)")
            }
            if pages.isEmpty { break }
            // Writes all output now: it may be a pipe, whose reader waits.
            fflush(nil)
            line = readLine()
        }
        return status
    }
}

@MainActor
func run(_ words: [String], in folder: URL) throws {
    let store = try Store(at: folder)
    // Goes back from versions that crashed the hosts before, ahead of anything else.
    let sentinel = try Sentinel(in: store.sentinelFolder) { name in
        let active = try store.quarantine(name)
        log("\(name) has crashed; \(active.map { "\($0) is active" } ?? "it is not used any longer")")
    }
    switch words.first {
    case "install" where words.count == 3:
        print("installed \(try store.install(URL(filePath: words[1]), URL(filePath: words[2])))")
    case "open" where words.count == 2:
        let session = Session(Router(store, sentinel))
        // The process ends with pages and plugins as they are, so that none of their deinitializers runs unwatched.
        withExtendedLifetime(session) {
            let status = session.run(from: words[1])
            fflush(nil)
            _exit(status)
        }
    case "rollback" where words.count == 2:
        print("\(try store.rollBack(words[1])) is active")
    case "list" where words.count == 1:
        for bundle in try store.activeBundles() {
            print(
                bundle.name, bundle.manifest.target ?? "-", bundle.manifest.routes.joined(separator: " "),
                separator: "\t")
        }
    default:
        throw Failure("unknown command; minimal --help prints all")
    }
}

var words = Array(CommandLine.arguments.dropFirst())
var folder = "minimal.sandbox"
if words.count > 1, words[0] == "--in" {
    folder = words[1]
    words.removeFirst(2)
}
if words.isEmpty || words == ["--help"] {
    print(usage)
    exit(0)
}
// A reader of the output that goes away does not end this process in the middle of a plugin's code.
signal(SIGPIPE, SIG_IGN)
do {
    try run(words, in: URL(filePath: folder))
} catch {
    log("\(error)")
    exit(1)
}

// In the product: HostApp. It adds catalogs, screens, documents for scripts, help, languages, checks of a sandbox and their remedies.
