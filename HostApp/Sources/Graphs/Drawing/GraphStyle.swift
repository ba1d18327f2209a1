import WebPages

/// The style sheet of a drawn graph, in the file and in the page.
///
/// Colors are written out for light and dark, because some viewers of SVG know no variables. Diagrams tell kinds and changes by lines
/// and signs, too, and not by color alone.
enum GraphStyle {
    static let drawing = InlineCode(
        """
        .graph { font-family: ui-sans-serif, system-ui, "DejaVu Sans", "Noto Sans", sans-serif; }
        .graph .back { fill: #ffffff; }
        .graph .team { fill: #f6f8fa; stroke: #d0d7de; }
        .graph .team-name { fill: #59636e; font-size: 12px; }
        .graph .card { fill: #ffffff; stroke: #8c959f; stroke-width: 1.2; }
        .graph .missing > .card { stroke-dasharray: 5 4; }
        .graph .head { fill: #ddf4ff; }
        .graph .host > .head { fill: #eaeef2; }
        .graph .missing > .head { fill: #f6f8fa; }
        .graph .title { fill: #1f2328; font-size: 14px; font-weight: 600; }
        .graph .subtitle { fill: #59636e; font-size: 10.5px; }
        .graph .section { fill: #59636e; font-size: 10px; font-weight: 600; letter-spacing: .06em; }
        .graph .row { fill: transparent; }
        .graph .name { fill: #1f2328; font-size: 11px; font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
        .graph .kind { fill: #59636e; font-size: 10px; }
        .graph .mark { fill: #0969da; }
        .graph .action .mark, .graph .service .mark { fill: #8250df; }
        .graph .extension .mark, .graph .extensionPoint .mark { fill: #1a7f37; }
        .graph .outside { fill: #9a6700; font-size: 10px; }
        .graph .edge path { fill: none; stroke: #6e7781; stroke-width: 1.3; }
        .graph .edge polygon { fill: #6e7781; }
        .graph .requiresOnDemand path { stroke-dasharray: 6 4; }
        .graph .guards path { stroke: #8250df; stroke-dasharray: 2 3; }
        .graph .guards polygon { fill: #8250df; }
        .graph .extends path { stroke: #1a7f37; stroke-dasharray: 8 3 2 3; }
        .graph .extends polygon { fill: #1a7f37; }
        .graph .links path, .graph .fallsBack path { stroke: #0969da; }
        .graph .links polygon, .graph .fallsBack polygon { fill: #0969da; }
        .graph .fallsBack path { stroke-dasharray: 2 3; }
        .graph .calls path { stroke: #bc4c00; stroke-width: 2.4; }
        .graph .calls polygon { fill: #bc4c00; }
        .graph .count { fill: #bc4c00; font-size: 11px; font-weight: 600; }
        .graph .legend { fill: #1f2328; font-size: 11px; }
        .graph .legend-title { fill: #59636e; font-size: 11px; font-weight: 600; }
        .graph .added > .card, .graph .added > .row { stroke: #1a7f37; fill: #dafbe1; }
        .graph .added.edge path { stroke: #1a7f37; stroke-width: 2.4; }
        .graph .added.edge polygon, .graph .added > .sign { fill: #1a7f37; }
        .graph .removed > .card, .graph .removed > .row { stroke: #cf222e; fill: #ffebe9; }
        .graph .removed.edge path { stroke: #cf222e; stroke-width: 2.4; stroke-dasharray: 3 3; }
        .graph .removed.edge polygon, .graph .removed > .sign { fill: #cf222e; }
        .graph .removed > .name { text-decoration: line-through; }
        .graph .changed > .card { stroke: #9a6700; stroke-width: 2.4; }
        .graph .changed > .row { stroke: #9a6700; fill: #fff8c5; }
        .graph .changed.edge path { stroke: #9a6700; stroke-width: 2.4; }
        .graph .changed.edge polygon, .graph .changed > .sign { fill: #9a6700; }
        .graph .sign { font-size: 14px; font-weight: 700; }
        @media (prefers-color-scheme: dark) {
          .graph .back { fill: #0d1117; }
          .graph .team { fill: #151b23; stroke: #3d444d; }
          .graph .team-name, .graph .subtitle, .graph .section, .graph .kind, .graph .legend-title { fill: #9198a1; }
          .graph .card { fill: #0d1117; stroke: #656c76; }
          .graph .head { fill: #0c2d6b; }
          .graph .host > .head { fill: #2a313c; }
          .graph .missing > .head { fill: #212830; }
          .graph .title, .graph .name, .graph .legend { fill: #f0f6fc; }
          .graph .mark { fill: #4493f8; }
          .graph .action .mark, .graph .service .mark { fill: #ab7df8; }
          .graph .extension .mark, .graph .extensionPoint .mark { fill: #3fb950; }
          .graph .outside { fill: #d29922; }
          .graph .edge path { stroke: #9198a1; }
          .graph .edge polygon { fill: #9198a1; }
          .graph .guards path { stroke: #ab7df8; }
          .graph .guards polygon { fill: #ab7df8; }
          .graph .extends path { stroke: #3fb950; }
          .graph .extends polygon { fill: #3fb950; }
          .graph .links path, .graph .fallsBack path { stroke: #4493f8; }
          .graph .links polygon, .graph .fallsBack polygon { fill: #4493f8; }
          .graph .calls path { stroke: #f0883e; }
          .graph .calls polygon, .graph .count { fill: #f0883e; }
          .graph .added > .card, .graph .added > .row { stroke: #3fb950; fill: #12361f; }
          .graph .added.edge path { stroke: #3fb950; }
          .graph .added.edge polygon, .graph .added > .sign { fill: #3fb950; }
          .graph .removed > .card, .graph .removed > .row { stroke: #f85149; fill: #4a1518; }
          .graph .removed.edge path { stroke: #f85149; }
          .graph .removed.edge polygon, .graph .removed > .sign { fill: #f85149; }
          .graph .changed > .card { stroke: #d29922; }
          .graph .changed > .row { stroke: #d29922; fill: #3b2f0b; }
          .graph .changed.edge path { stroke: #d29922; }
          .graph .changed.edge polygon, .graph .changed > .sign { fill: #d29922; }
        }
        """, hash: "YjhuHrGpSAvjh69fkWlEec381o1DCpryliClSJULfeI=")
}
