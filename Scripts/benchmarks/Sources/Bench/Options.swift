import PluginCore

/// The command line of a run.
struct Options {
    struct Unusable: Error, CustomStringConvertible {
        let problem: String

        var description: String {
            """
            \(problem)
            usage: Bench [--routing | --bundles | --extensions | --catalogs | --authoring | --screens] [--smoke] [--performance FILE | --check FILE] BUILD EMPTY_PROGRAM ROUTES [MATCHIT]
            """
        }
    }

    private(set) var isRouting = false
    private(set) var isBundles = false
    private(set) var isExtensions = false
    private(set) var isCatalogs = false
    private(set) var isAuthoring = false
    private(set) var isScreens = false
    /// A Boolean value that indicates whether everything is measured.
    var isComplete: Bool { !isRouting && !isBundles && !isExtensions && !isCatalogs && !isAuthoring && !isScreens }
    private(set) var effort = Effort.full
    /// The document whose table is written or checked.
    private(set) var written: FigureTable?
    private(set) var checked: FigureTable?
    let build: FilePath
    let empty: FilePath
    let routes: FilePath
    /// The Rust program for matching; `nil` if there is none.
    let matchit: FilePath?

    init(_ words: [String]) throws {
        var paths: [FilePath] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--routing": isRouting = true
            case "--bundles": isBundles = true
            case "--extensions": isExtensions = true
            case "--catalogs": isCatalogs = true
            case "--authoring": isAuthoring = true
            case "--screens": isScreens = true
            case "--smoke": effort = .smoke
            case "--performance", "--check":
                guard let path = rest.popFirst() else { throw Unusable(problem: "\(word) needs a file") }
                let table = FigureTable(path: FilePath(path))
                if word == "--performance" { written = table } else { checked = table }
            case _ where word.hasPrefix("-"): throw Unusable(problem: "unknown option \"\(word)\"")
            default: paths.append(FilePath(word))
            }
        }
        guard 3...4 ~= paths.count else { throw Unusable(problem: "\(paths.count) paths in place of 3 or 4") }
        (build, empty, routes) = (paths[0], paths[1], paths[2])
        matchit = paths.count == 4 ? paths[3] : nil
    }
}
