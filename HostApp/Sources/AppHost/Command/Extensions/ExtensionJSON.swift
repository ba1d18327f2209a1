import Console
import ExtensionHost
import PluginCore
import Registry

extension InstalledExtension {
    /// The extension for scripts.
    var json: JSONText {
        [
            "extension": .string(declaration.identifier.text), "bundle": .string(bundle.text),
            "name": .string(declaration.name), "point": .string(declaration.point),
            "enabled": .bool(choice.isEnabled), "hasContent": .bool(choice.hasContent),
        ]
    }
}

extension ExtensionLimits {
    /// The limits for scripts, in seconds and bytes.
    var json: JSONText {
        [
            "start": .number(start), "request": .number(request), "end": .number(end), "idle": .number(idle),
            "memory": .integer(memory), "fileSize": .integer(fileSize), "openFiles": .integer(openFiles),
            "processorTime": .number(processorTime),
        ]
    }

    /// The limits as people read them.
    var words: [(name: String, value: String)] {
        [
            (localized("time to start"), "\(start) s"), (localized("time for a request"), "\(request) s"),
            (localized("time to end"), "\(end) s"),
            (localized("time for which it waits for another request"), "\(idle) s"),
            (localized("memory"), byteCount(memory)),
            (localized("size of a file"), byteCount(fileSize)), (localized("open files"), "\(openFiles)"),
            (localized("processor time"), "\(processorTime) s"),
        ]
    }
}
