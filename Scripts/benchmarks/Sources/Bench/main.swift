import Glibc
import PluginCore

/// Prints every figure: what was measured, the baseline of the same run, their ratio, and the budget.
///
///     Bench [--bundles] BUILD_FOLDER EMPTY_PROGRAM ROUTES_FILE [MATCHIT_PROGRAM]
///
/// An empty BUILD_FOLDER leaves out what needs one; --bundles leaves out all but what becomes of bundles. Runs itself, as
/// `Bench load-plugin SANDBOX` and the like, for figures that need a fresh process.
var arguments = Array(CommandLine.arguments.dropFirst())
if let subject = arguments.first.flatMap(FreshProcess.init) {
    print(try await subject.run(Array(arguments.dropFirst())))
    exit(0)
}
let isBundlesOnly = arguments.first == "--bundles"
if isBundlesOnly { arguments.removeFirst() }
guard 3...4 ~= arguments.count else {
    print("usage: Bench [--bundles] BUILD_FOLDER EMPTY_PROGRAM ROUTES_FILE [MATCHIT_PROGRAM]")
    exit(64)
}
let place = try TemporaryFolder()
defer { place.remove() }
let empty = FilePath(arguments[1])
let workshop = Workshop(build: FilePath(arguments[0]), folder: place.path, team: try BenchTeam())
if !isBundlesOnly {
    let routes = try RouteSet(path: FilePath(arguments[2]))
    let matchit = arguments.count == 4 ? Program(path: FilePath(arguments[3]), arguments: [arguments[2]]) : nil
    Figure.printTable(try await MatchCost(routes: routes, matchit: matchit).measure())
    if matchit == nil {
        print(
            "matchit was not measured: Scripts/bench --matchit FOLDER takes a checkout of it (by ibraheemdev)")
    }
    Figure.printTable(try await ManyRoutes(routes: routes).measure())
    Figure.printTable(try await ServedRoutes(workshop: workshop).measure())
    Figure.printTable(try await MediatorCall().measure())
}
// Without a build there is nothing that could be loaded or opened.
if !arguments[0].isEmpty {
    Figure.printTable(try await PluginLoad(workshop: workshop, program: "/proc/self/exe").measure())
    let large = empty.parent.appending("libLargePlugin.so")
    Figure.printTable(
        try await VerifiedLoad(workshop: workshop, program: "/proc/self/exe", library: large).measure())
    Figure.printTable(try await LargeInstall(workshop: workshop, program: "/proc/self/exe").measure())
    Figure.printTable([try await ManyInstalls(workshop: workshop).measure()])
    if !isBundlesOnly {
        Figure.printTable([try await ColdOpen(workshop: workshop, empty: empty).measure()])
        Figure.printTable([try await ManyBundles(workshop: workshop).measure()])
    }
}
