import WebPages

/// The style sheet of a timeline's page.
enum TimelineStyle {
    static let page = InlineCode(
        """
        header { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; padding: 10px 24px; border-bottom: 1px solid var(--line); position: sticky; top: 0; background: var(--back); z-index: 1; }
        header h1 { overflow-wrap: anywhere; }
        header input[type=search] { width: 260px; margin-left: auto; }
        main { padding: 16px 24px 48px; max-width: 1500px; margin: auto; }
        #chart { border: 1px solid var(--line); border-radius: 8px; overflow: auto; max-height: 62vh; background: var(--panel); }
        #timeline { display: block; width: 100%; cursor: grab; touch-action: none; }
        #detail { min-height: 44px; padding: 8px 0; overflow-wrap: anywhere; }
        #detail p { margin: 0; }
        #tip { position: fixed; pointer-events: none; max-width: 520px; padding: 6px 10px; background: var(--back); border: 1px solid var(--line); border-radius: 6px; box-shadow: 0 4px 16px #0003; overflow-wrap: anywhere; z-index: 2; }
        .swatch { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 8px; }
        #longest tbody tr { cursor: pointer; }
        #longest tbody tr:hover, #longest tbody tr.selected { background: var(--panel); }
        """, hash: "oF67XMHFv2VcchWnVH+UmOfSDhMqZ9q3T+I33BmnqzQ=")
}
