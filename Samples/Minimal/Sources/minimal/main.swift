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

/// Shows a page, and then what the user asks for. Returns an exit status.
@MainActor
func show(_ address: String, _ router: Router) -> Int32 {
    var pages: [OpenPage] = []
    var line: String? = address
    while let text = line {
        do {
            let words = text.split(separator: " ").map(String.init)
            switch words.first {
            case "back": try pages.removeLast().close()
            case "call" where words.count > 2:
                let pairs = words.dropFirst(3).map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
                let parameters = Dictionary(pairs.map { ($0[0], $0.last ?? "") }) { first, _ in first }
                print(try router.call(words[1], words[2], parameters))
            case let address?: pages.append(try router.open(address))
            case nil: break
            }
            guard let page = pages.last else { return 0 }
            if words.first != "call" { print(try page.text()) }
        } catch {
            log("\(error)")
            if pages.isEmpty { return 1 }
        }
        // Writes all output now: it may be a pipe, whose reader waits.
        fflush(nil)
        line = readLine()
    }
    return 0
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
        let router = Router(store, sentinel)
        // The process ends while the plugins exist, so no code of theirs runs any more.
        withExtendedLifetime(router) { exit(show(words[1], router)) }
    case "rollback" where words.count == 2:
        print("\(try store.rollBack(words[1])) is active")
    case "list" where words.count == 1:
        for bundle in try store.bundles() {
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
