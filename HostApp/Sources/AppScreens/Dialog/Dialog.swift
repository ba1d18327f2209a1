import Console
import PluginCore

/// A box over the screen that asks for something or reports something.
package struct Dialog {
    private let title: String
    private var isError = false
    private let lines: [String]
    private var fields: [FormField] = []
    private let buttons: [String]
    /// The command of the first button, which gets the values of the fields; `nil` if the user only reads the dialog.
    private var yes: ScreenCommand?
    /// The command of every other way out.
    private var no: ScreenCommand?
    /// The selected field or, after the fields, button.
    private var selection = 0
    private var scroll = 0

    /// A message of several paragraphs.
    package static func message(_ title: String, _ lines: [String], isError: Bool = false) -> Dialog {
        Dialog(title: title, isError: isError, lines: lines, buttons: [localized("OK")])
    }

    /// The list of the keys.
    static var keys: Dialog {
        .message(
            localized("Keys"),
            programText("hostapp", "screenKeys").split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init))
    }

    /// A question that is answered with yes or no.
    package static func question(
        _ title: String, _ lines: [String], yes: ScreenCommand = .answer(true), no: ScreenCommand? = .answer(false)
    ) -> Dialog {
        Dialog(title: title, lines: lines, buttons: [localized("Yes"), localized("No")], yes: yes, no: no)
    }

    /// A Boolean value that indicates whether somebody waits for the answer.
    var isAwaited: Bool { no != nil }

    /// The form of an action with fields.
    static func form(_ item: PageItem, isInList: Bool = false) -> Dialog {
        let fields = item.action.fields.map { FormField($0, value: item.input[$0.name] ?? $0.initial) }
        return Dialog(
            title: item.action.title, lines: [], fields: fields, buttons: [localized("OK"), localized("Cancel")],
            yes: .perform(action: item.action.identifier, input: item.input, isInList: isInList))
    }

    /// The form for an address.
    static func address() -> Dialog {
        let field = FormField(PageField("address", label: localized("Address")), value: "")
        return Dialog(
            title: localized("Open an address"), lines: [], fields: [field],
            buttons: [localized("Open"), localized("Cancel")], yes: .openAddress(""))
    }

    /// The state of a dialog after an event.
    enum Outcome: Equatable {
        case open
        case closed(ScreenCommand?)
    }

    mutating func handle(_ key: Key) -> Outcome {
        switch key {
        case .escape: return .closed(no)
        case .enter: return pressEnter()
        case .up, .backTab: move(-1)
        case .down, .tab: move(1)
        case .pageUp: scroll = max(0, scroll - 10)
        case .pageDown: scroll += 10
        case _ where selection < fields.count: fields[selection].handle(key)
        case .left: move(-1)
        case .right: move(1)
        case .character("y") where isQuestion: return .closed(yes)
        case .character("n") where isQuestion: return .closed(no)
        default: break
        }
        return .open
    }

    /// Chooses a field or a button with the mouse.
    mutating func press(_ target: ScreenTarget) -> Outcome {
        switch target {
        case .field(let index) where index < fields.count:
            if selection == index { fields[index].handle(.character(" ")) }
            selection = index
        case .button(let index) where index < buttons.count:
            selection = fields.count + index
            return pressEnter()
        default: break
        }
        return .open
    }

    private mutating func move(_ step: Int) {
        let count = fields.count + buttons.count
        if fields.isEmpty, buttons.count == 1 { return scroll = max(0, scroll + step) }
        selection = (selection + step + count) % count
    }

    private mutating func pressEnter() -> Outcome {
        if selection + 1 < fields.count {
            selection += 1
            return .open
        }
        return .closed(selection <= fields.count ? confirmation : no)
    }

    private var isQuestion: Bool { yes != nil && fields.isEmpty }

    /// The command of the first button with the values of the fields.
    private var confirmation: ScreenCommand? {
        switch yes {
        case .perform(let action, let input, let isInList):
            let input = fields.reduce(into: input) { $0[$1.name] = $1.value }
            return .perform(action: action, input: input, isInList: isInList)
        case .openAddress: return .openAddress(fields.first?.value ?? "")
        default: return yes
        }
    }

    /// Draws the box in the middle of the screen.
    mutating func draw(on canvas: inout Canvas, in area: Rectangle, _ styles: ScreenStyles) {
        let labels = fields.map { displayWidth(of: printable($0.label)) }.max() ?? 0
        let most = min(area.columns - 6, 72)
        let inner = fields.isEmpty ? min(most, max(24, lines.map { displayWidth(of: printable($0)) }.max() ?? 0)) : most
        let paragraphs = lines.flatMap { WrappedText($0).lines(width: max(1, inner)) }
        let rows = paragraphs.count + fields.count + (paragraphs.isEmpty || fields.isEmpty ? 0 : 1) + 4
        let box = area.centered(columns: inner + 4, rows: rows)
        canvas.fill(box)
        canvas.targets.append((area, .nothing))
        canvas.frame(box, isHeavy: true, isError ? styles.error : .plain)
        canvas.write(" \(title) ", in: box.inset(columns: 2), isError ? styles.error : styles.title)
        let inside = box.inset(columns: 2, rows: 1)
        let visible = max(1, inside.rows - fields.count - 2)
        scroll = max(0, min(scroll, paragraphs.count - visible))
        var row = 0
        for line in paragraphs.dropFirst(scroll).prefix(visible) {
            canvas.write(line, in: inside.line(row))
            row += 1
        }
        if !paragraphs.isEmpty, !fields.isEmpty { row += 1 }
        for (index, field) in fields.enumerated() {
            canvas.write(field.label, in: inside.line(row), styles.muted)
            let place = inside.line(row, from: min(labels, inside.columns / 2) + 2)
            field.draw(on: &canvas, in: place, isSelected: index == selection, styles)
            canvas.targets.append((place, .field(index)))
            row += 1
        }
        var place = inside.line(inside.rows - 1)
        for (index, button) in buttons.enumerated() {
            let isSelected = selection == fields.count + index
            let end = canvas.write(
                isSelected ? "[\(button)]" : " \(button) ", in: place,
                isSelected ? styles.selection : styles.action)
            let rest = place.line(0, from: end - place.column + 2)
            place.columns = end - place.column
            canvas.targets.append((place, .button(index)))
            place = rest
        }
    }
}
