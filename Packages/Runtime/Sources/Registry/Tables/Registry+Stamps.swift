package import PluginCore
import SQLite

/// The stamp of a verified part of an installed version, which stays equal while the part doesn't change.
package struct VersionStamp: Sendable {
    package enum Part: Sendable {
        /// The library's file, stamped by ``FileStamp``.
        case library
        /// The seal, the signature and the key, stamped by ``SealVerification``.
        case seal
    }

    package let bundle: PluginBundle
    package let part: Part
    package let text: String

    package init(bundle: PluginBundle, part: Part, text: String) {
        self.bundle = bundle
        self.part = part
        self.text = text
    }
}

extension Registry {
    /// Stores the stamps of verified parts.
    package func save(_ stamps: [VersionStamp]) throws(AtriumError) {
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
    /// Stores the key that has signed a version, and the stamps of its parts.
    package func record(signerOf bundle: PluginBundle) throws(AtriumError) {
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
