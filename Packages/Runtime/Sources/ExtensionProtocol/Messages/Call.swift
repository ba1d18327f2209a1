/// A call of a function of an object in the other process.
package struct Call: RequestMessage {
    package static let method = MessageNumber.call

    /// The number that the other process has given to the object. 0 is the object with which a connection begins.
    package let object: UInt32
    /// The number of the function.
    package let function: UInt8
    /// The number of the other process's request in whose handling the call is made, or 0.
    package let context: UInt32
    /// The arguments.
    package let arguments: TransferredValues

    package init(object: UInt32, function: UInt8, context: UInt32, arguments: TransferredValues) {
        self.object = object
        self.function = function
        self.context = context
        self.arguments = arguments
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        object = try reader.read()
        function = try reader.read()
        context = try reader.read()
        arguments = try TransferredValues(from: &reader)
    }

    package func write(to writer: inout WireWriter) {
        writer.write(object)
        writer.write(function)
        writer.write(context)
        arguments.write(to: &writer)
    }

    /// The result of a call.
    package struct Reply: WireValue {
        /// The result.
        package let values: TransferredValues

        package init(values: TransferredValues) {
            self.values = values
        }

        package init(from reader: inout WireReader) throws(WireReader.Malformed) {
            values = try TransferredValues(from: &reader)
        }

        package func write(to writer: inout WireWriter) { values.write(to: &writer) }
    }
}

/// A call without a result. The receiver performs those with one context one after the other.
package struct Notify: EventMessage {
    package static let method = MessageNumber.notify

    /// The number of the object.
    package let object: UInt32
    /// The number of the function.
    package let function: UInt8
    /// The number of the other process's request in whose handling the call is made, or 0.
    package let context: UInt32
    /// The arguments.
    package let arguments: TransferredValues

    package init(object: UInt32, function: UInt8, context: UInt32, arguments: TransferredValues) {
        self.object = object
        self.function = function
        self.context = context
        self.arguments = arguments
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        object = try reader.read()
        function = try reader.read()
        context = try reader.read()
        arguments = try TransferredValues(from: &reader)
    }

    package func write(to writer: inout WireWriter) {
        writer.write(object)
        writer.write(function)
        writer.write(context)
        arguments.write(to: &writer)
    }
}

/// The end of the sender's use of an object.
package struct Release: EventMessage {
    package static let method = MessageNumber.release

    /// The number of the object.
    package let object: UInt32
    /// The number of times that the sender has received the object since the last release.
    package let count: UInt32

    package init(object: UInt32, count: UInt32) {
        self.object = object
        self.count = count
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        object = try reader.read()
        count = try reader.read()
    }

    package func write(to writer: inout WireWriter) {
        writer.write(object)
        writer.write(count)
    }
}

/// The content of a page before the first reference to it, after a change, and after the last reference was released.
package struct PageChanged: EventMessage {
    package static let method = MessageNumber.pageChanged

    /// The number of the page.
    package let page: UInt32
    /// The content of the page, or nil if the sender no longer knows the page by this number.
    package let content: TransferredBytes?

    package init(page: UInt32, content: TransferredBytes?) {
        self.page = page
        self.content = content
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        page = try reader.read()
        content = try reader.readOptional { (reader: inout WireReader) throws(WireReader.Malformed) in
            try TransferredBytes(from: &reader)
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(page)
        writer.write(content) { $1.write(to: &$0) }
    }
}
