import Glibc
import PluginCore

/// Prints every figure: what was measured, the baseline of the same run, their ratio, and the budget.
let arguments = CommandLine.arguments.dropFirst()
guard let build = arguments.first, let empty = arguments.dropFirst().first else {
    print("usage: Bench BUILD_FOLDER EMPTY_PROGRAM")
    exit(64)
}
let place = try TemporaryFolder()
defer { place.remove() }
let workshop = Workshop(build: FilePath(build), folder: place.path)
var figures: [Figure] = []
figures.append(try await ColdOpen(workshop: workshop, empty: FilePath(empty)).measure())
figures.append(try await ManyBundles(workshop: workshop).measure())
figures.append(try await PluginLoad(workshop: workshop).measure())
Figure.printTable(figures)
