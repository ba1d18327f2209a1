import PluginCore
internal import SQLite
internal import Synchronization

/// What is installed, which version is active, which routes and targets that brings, and what was done: one SQLite
/// database, and the only word on it.
///
/// A rollback journal, and not a write-ahead log: every start reads and few ever write, and a folder without `-wal` and
/// `-shm` files can be read from a medium that can not be written.
public final class Registry: Sendable {
    private let path: FilePath
    private let opened = Mutex<Database?>(nil)

    /// The registry of a sandbox; it is opened by the first call that needs it, and made by the first that writes.
    public init(_ sandbox: Sandbox) {
        path = sandbox.registry
    }

    /// Reads; `nil` when there is no registry yet.
    func read<T>(_ body: (Database) throws -> T) throws(AtriumError) -> T? {
        do {
            guard let database = try database(create: false) else { return nil }
            return try body(database)
        } catch {
            throw translated(error)
        }
    }

    /// Writes in one transaction: all of it or none.
    func write<T>(_ body: (Database) throws -> T) throws(AtriumError) -> T {
        do {
            guard let database = try database(create: true) else {
                throw AtriumError(.registryDamaged, path.string, detail: "it can not be made")
            }
            return try database.transaction { try body(database) }
        } catch {
            throw translated(error)
        }
    }

    private func database(create: Bool) throws -> Database? {
        try opened.withLock { opened -> Database? in
            if let opened { return opened }
            guard create || FileSystem.isFile(path) else { return nil }
            var options = DatabaseOptions()
            options.journal = .unchanged
            options.synchronous = .extra
            options.access = create ? .create : .readWrite
            let database: Database
            do {
                database = try Database(path: path.string, options: options)
            } catch let error as SQLiteError where !create && (error.isReadOnly || error.isCannotOpen) {
                // A sandbox on a medium that can not be written can still be read.
                options.access = .readOnly
                database = try Database(path: path.string, options: options)
            }
            try RegistrySchema.migrations.apply(to: database)
            opened = database
            return database
        }
    }

    private func translated(_ error: any Error) -> AtriumError {
        if let error = error as? AtriumError { return error }
        if case MigrationError.unknownVersion(let version, _) = error {
            return AtriumError(
                .registryDamaged, path.string, detail: "it has version \(version), and a newer host wrote it"
            )
        }
        guard let cause = error as? SQLiteError ?? (error as? MigrationError)?.sqliteError else {
            return AtriumError(.registryDamaged, path.string, detail: "\(error)")
        }
        let code: AtriumError.Code =
            if cause.isBusy { .sandboxBusy } else if cause.isReadOnly || cause.isCannotOpen {
                .sandboxUnwritable
            } else if cause.isFull || cause.code.primary == .ioError { .inputOutput } else { .registryDamaged }
        return AtriumError(code, path.string, detail: "\(cause.message) (SQLite \(cause.code.rawValue))")
    }
}
