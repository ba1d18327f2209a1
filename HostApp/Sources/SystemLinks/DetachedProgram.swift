import Dispatch
import FoundationEssentials
import Glibc
import HostSystem
package import PluginCore
import Processes

/// A program that this process starts and leaves to itself.
///
/// It runs in a session of its own, without a terminal and without descriptors of this process, and lives on when this process ends.
package enum DetachedProgram {
    /// Starts a program, and waits until it has ended, for a limited time.
    ///
    /// - Parameters:
    ///   - program: The program's file.
    ///   - arguments: The arguments after the program's name. No shell reads them.
    ///   - environment: The variables, as `NAME=value`.
    ///   - milliseconds: The time to wait.
    /// - Returns: How it has ended; `nil` if it still runs.
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    static func start(
        _ program: FilePath, arguments: [String], environment: [String], waiting milliseconds: Int32
    ) async throws(AtriumError) -> SpawnedProcess.End? {
        let result: Result<SpawnedProcess.End?, AtriumError> = await withCheckedContinuation { continuation in
            // The queue's thread also reaps the program, whenever it ends.
            DispatchQueue(label: program.string).async {
                do throws(AtriumError) {
                    let process = try SpawnedProcess(
                        program, arguments: arguments, environment: environment, isDetached: true)
                    let hasEnded = process.wait(milliseconds: milliseconds)
                    continuation.resume(returning: .success(hasEnded ? process.reap() : nil))
                    _ = process.reap()
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// Returns the file of a program in the folders of a search path; `nil` if none has it.
    ///
    /// - Parameter path: Folders with colons between them. Relative ones are skipped, because what is in them depends on where a host is started.
    package static func find(_ name: String, on path: String) -> FilePath? {
        path.split(separator: ":").filter { $0.hasPrefix("/") }
            .map { FilePath(String($0)).appending(name) }
            .first { file in
                var status = stat()
                return stat(file.string, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
                    && access(file.string, X_OK) == 0
            }
    }

    /// The variables of this process with changes, as `NAME=value`.
    static func environment(with changes: [String: String]) -> [String] {
        let variables = ProcessInfo.processInfo.environment.merging(changes) { $1 }
        return variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }
}
