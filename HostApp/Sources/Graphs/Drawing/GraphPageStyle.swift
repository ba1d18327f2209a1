import WebPages

/// The style sheet of the page around a graph.
enum GraphPageStyle {
    static let page = InlineCode(
        """
        html, body { height: 100%; overflow: hidden; }
        body { display: grid; grid-template: auto 1fr / 320px 1fr; }
        header { grid-column: 1 / 3; display: flex; gap: 16px; align-items: center; padding: 10px 16px; border-bottom: 1px solid var(--line); }
        header .muted { flex: 1; }
        aside { overflow: auto; padding: 12px 16px; border-right: 1px solid var(--line); background: var(--panel); }
        #canvas { overflow: hidden; position: relative; cursor: grab; touch-action: none; }
        #canvas.moving { cursor: grabbing; }
        #drawing { width: 100%; height: 100%; display: block; user-select: none; }
        #results { list-style: none; margin: 8px 0 0; padding: 0; max-height: 40vh; overflow: auto; }
        #count { margin-top: 6px; }
        .ends { list-style: none; margin: 0; padding: 0; }
        .entry { display: block; width: 100%; text-align: left; margin: 2px 0; border-color: transparent; background: transparent; overflow-wrap: anywhere; }
        .entry:hover, .entry:focus-visible { background: var(--back); border-color: var(--line); }
        .entry .muted { font-size: 12px; }
        #detail h2 { overflow-wrap: anywhere; }
        #detail dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin: 0; }
        #detail dt { color: var(--muted); }
        #detail dd { margin: 0; overflow-wrap: anywhere; }
        #legend label { display: flex; gap: 8px; align-items: center; padding: 1px 0; }
        #legend svg { flex: none; }
        .graph .node { cursor: pointer; }
        .graph .node.selected > .card, .graph .node.selected > .row { stroke: var(--accent); stroke-width: 3; }
        .graph .node.found > .card, .graph .node.found > .row { fill: var(--mark); stroke: var(--warn); }
        .graph.focused .node.far, .graph.focused .edge.far { opacity: .16; }
        .graph .edge.hidden { display: none; }
        @media (max-width: 700px) {
          body { grid-template: auto auto 1fr / 1fr; }
          header { grid-column: 1; }
          aside { max-height: 42vh; border-right: 0; border-bottom: 1px solid var(--line); }
        }
        """, hash: "K6ElohsSm0pUk+xJc/vS2tByHNHKiSjfnsho1u1tmU4=")
}
