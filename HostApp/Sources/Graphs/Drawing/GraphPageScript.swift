import WebPages

/// The script of a graph's page: search, selection, what belongs together, zoom.
///
/// It writes names as text alone, and an address such as `#shop/item` opens the page with that search.
enum GraphPageScript {
    static let script = InlineCode(
        #"""
        'use strict';
        const data = JSON.parse(document.getElementById('data').textContent);
        const svg = document.getElementById('drawing');
        const nodes = data.nodes, edges = data.edges;
        const shapes = new Map(), lines = new Map(), indices = new Map();
        nodes.forEach((node, index) => indices.set(node.id, index));
        for (const shape of svg.querySelectorAll('.node')) shapes.set(Number(shape.dataset.node), shape);
        for (const line of svg.querySelectorAll('.edge')) lines.set(Number(line.dataset.edge), line);
        const find = id => document.getElementById(id);
        const element = (name, text, style) => {
          const made = document.createElement(name);
          if (text !== undefined) made.textContent = text;
          if (style) made.className = style;
          return made;
        };
        const parentOf = index => nodes[index].parent === null ? index : indices.get(nodes[index].parent);
        const entry = index => {
          const item = element('li'), button = element('button', undefined, 'entry');
          const node = nodes[index], owner = parentOf(index);
          button.append(element('span', node.label, 'code'), ' ');
          button.append(element('span', node.words + (owner === index ? '' : ' of ' + nodes[owner].label), 'muted'));
          button.addEventListener('click', () => select(index, true));
          item.append(button);
          return item;
        };

        let selected = -1;
        function select(index, moves) {
          selected = index;
          const near = new Set(), nearEdges = new Set();
          if (index >= 0) {
            const isCard = nodes[index].parent === null;
            const own = new Set(nodes.keys().filter(other => other === index || isCard && parentOf(other) === index));
            for (const other of own) near.add(other);
            near.add(parentOf(index));
            edges.forEach((edge, number) => {
              const from = indices.get(edge.from), to = indices.get(edge.to);
              if (!own.has(from) && !own.has(to)) return;
              nearEdges.add(number);
              for (const end of [from, to]) { near.add(end); near.add(parentOf(end)); }
            });
          }
          svg.classList.toggle('focused', index >= 0);
          for (const [number, shape] of shapes) {
            shape.classList.toggle('selected', number === index);
            shape.classList.toggle('far', index >= 0 && !near.has(number));
          }
          for (const [number, line] of lines) line.classList.toggle('far', index >= 0 && !nearEdges.has(number));
          describe(index);
          if (moves && index >= 0) show(index);
        }

        function describe(index) {
          const detail = find('detail');
          detail.replaceChildren();
          if (index < 0) {
            detail.append(element('p', 'Click a bundle or one of its rows, or search.', 'muted'));
            return;
          }
          const node = nodes[index], list = element('dl');
          detail.append(element('h2', node.label), list);
          const facts = [{ name: 'is', value: node.words }, ...node.facts];
          if (node.team !== null) facts.push({ name: 'team', value: node.team });
          if (node.isMissing) facts.push({ name: 'state', value: 'not installed' });
          if (node.change) facts.push({ name: 'change', value: node.change });
          for (const change of node.changes || []) {
            facts.push({ name: change.name, value: change.before + ' → ' + change.after });
          }
          for (const fact of facts) list.append(element('dt', fact.name), element('dd', fact.value));
          const isCard = node.parent === null;
          const mine = end => { const other = indices.get(end); return other === index || isCard && parentOf(other) === index; };
          const groups = new Map();
          for (const edge of edges) {
            const leaves = mine(edge.from), arrives = mine(edge.to);
            if (leaves === arrives) continue;
            const title = (leaves ? edge.words : edge.passive) + (edge.isObserved ? ' (observed)' : '');
            if (!groups.has(title)) groups.set(title, new Set());
            groups.get(title).add(indices.get(leaves ? edge.to : edge.from));
          }
          if (!isCard) groups.set('belongs to', new Set([parentOf(index)]));
          else {
            const parts = [...nodes.keys()].filter(other => other !== index && parentOf(other) === index);
            if (parts.length) groups.set('declares', new Set(parts));
          }
          for (const [title, ends] of groups) {
            const items = element('ul');
            items.className = 'ends';
            for (const end of ends) items.append(entry(end));
            detail.append(element('h2', title), items);
          }
        }

        const search = find('search');
        function look() {
          const text = search.value.trim().toLowerCase(), results = find('results');
          const found = text === '' ? [] : nodes.map((node, index) => index).filter(index =>
            (nodes[index].label + ' ' + nodes[index].facts.map(fact => fact.value).join(' ')).toLowerCase().includes(text));
          // Names that match come before facts that do.
          const isNamed = index => nodes[index].label.toLowerCase().includes(text);
          found.sort((one, other) => isNamed(other) - isNamed(one));
          for (const [number, shape] of shapes) shape.classList.toggle('found', found.includes(number));
          results.replaceChildren(...found.slice(0, 200).map(entry));
          find('count').textContent = text === '' ? '' : found.length === 1 ? '1 match' : found.length + ' matches';
          return found;
        }
        search.addEventListener('input', look);
        search.addEventListener('keydown', event => {
          if (event.key === 'Enter') { const found = look(); if (found.length) select(found[0], true); }
          if (event.key === 'Escape') { search.value = ''; look(); select(-1); }
        });
        document.addEventListener('keydown', event => {
          if (event.target === search) return;
          if (event.key === '/') { event.preventDefault(); search.focus(); }
          if (event.key === 'Escape') select(-1);
        });

        for (const box of document.querySelectorAll('#legend input')) {
          box.addEventListener('change', () => {
            edges.forEach((edge, number) => {
              if (edge.kind === box.value) lines.get(number)?.classList.toggle('hidden', !box.checked);
            });
          });
        }

        const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
        let view = { x: 0, y: 0, width, height };
        const apply = () => svg.setAttribute('viewBox', [view.x, view.y, view.width, view.height].join(' '));
        const limited = value => Math.min(Math.max(value, 80), 4 * Math.max(width, height));
        function zoom(factor, x, y) {
          const wide = limited(view.width * factor), scale = wide / view.width;
          view = { x: x - (x - view.x) * scale, y: y - (y - view.y) * scale, width: wide, height: view.height * scale };
          apply();
        }
        function show(index) {
          const box = shapes.get(index).getBBox(), offset = svg.querySelector('g').transform.baseVal[0].matrix;
          const x = box.x + offset.e + box.width / 2, y = box.y + offset.f + box.height / 2;
          const wide = Math.min(view.width, Math.max(900, box.width * 2)), scale = wide / view.width;
          view = { x: x - wide / 2, y: y - view.height * scale / 2, width: wide, height: view.height * scale };
          apply();
        }
        const place = event => {
          const matrix = svg.getScreenCTM().inverse();
          return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
        };
        svg.addEventListener('wheel', event => {
          event.preventDefault();
          const at = place(event);
          zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, at.x, at.y);
        }, { passive: false });
        let drag = null;
        svg.addEventListener('pointerdown', event => { drag = { x: event.clientX, y: event.clientY, view, moved: false }; });
        window.addEventListener('pointermove', event => {
          if (!drag) return;
          const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
          if (!drag.moved && Math.hypot(dx, dy) < 4) return;
          drag.moved = true;
          find('canvas').classList.add('moving');
          const scale = 1 / svg.getScreenCTM().a;
          view = { ...drag.view, x: drag.view.x - dx * scale, y: drag.view.y - dy * scale };
          apply();
        });
        window.addEventListener('pointerup', () => {
          find('canvas').classList.remove('moving');
          setTimeout(() => { drag = null; });
        });
        svg.addEventListener('click', event => {
          if (drag && drag.moved) return;
          const shape = event.target.closest('.node');
          select(shape ? Number(shape.dataset.node) : -1, false);
        });
        find('whole').addEventListener('click', () => { view = { x: 0, y: 0, width, height }; apply(); select(-1); });

        describe(-1);
        if (location.hash.length > 1) {
          try { search.value = decodeURIComponent(location.hash.slice(1)); } catch { search.value = ''; }
          const found = look();
          if (found.length) select(found[0], true);
        }
        """#, hash: "/dmng0HQpb99JMAOmrdqnpXeS1V47qxOmeDHW3PS9AI=")
}
