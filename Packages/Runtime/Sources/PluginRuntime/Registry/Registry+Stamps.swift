import PluginCore
import SQLite

/// By what a part of an installed version is known, since it was read and found to be what was sealed.
struct VersionStamp: Sendable {
    enum Part: Sendable {
        /// The library's file: ``FileStamp``.
        case library
        /// Seal, signature and key: ``SealGate``.
        case seal
    }

    let bundle: PluginBundle
    let part: Part
    let text: String
}

extension Registry {
    /// Writes down how parts of versions are known.
    func keep(_ stamps: [VersionStamp]) throws(AtriumError) {
        try write { database in
            for stamp in stamps {
                let identity = stamp.bundle.identity
                try database.execute(
                    stamp.part.update, stamp.text, identity.identifier, identity.version.description,
                    stamp.bundle.digest)
            }
        }
    }
}

extension Registry {
    /// Writes down who has signed a version, and how its parts are known since.
    func keep(signerOf bundle: PluginBundle) throws(AtriumError) {
        let (identity, seal) = (bundle.identity, bundle.seal)
        try write { database in
            _ = try database.execute(
                """
                UPDATE bundle SET key_id = ?, library_stamp = ?, seal_stamp = ?
                WHERE identifier = ? AND version = ? AND digest = ?
                """, seal.keyID, seal.libraryStamp, seal.sealStamp, identity.identifier, identity.version.description,
                bundle.digest)
        }
    }
}

extension VersionStamp.Part {
    fileprivate var update: String {
        switch self {
        case .library: "UPDATE bundle SET library_stamp = ? WHERE identifier = ? AND version = ? AND digest = ?"
        case .seal: "UPDATE bundle SET seal_stamp = ? WHERE identifier = ? AND version = ? AND digest = ?"
        }
    }
}
