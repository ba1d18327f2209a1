import WebPages

/// The script of a timeline's page: drawing on a canvas, zoom, tool tips, search.
enum TimelineScript {
    static let script = InlineCode(
        #"""
        'use strict';
        const data = JSON.parse(document.getElementById('data').textContent);
        const events = data.events, lanes = data.lanes;
        const find = id => document.getElementById(id);
        const element = (name, text, style) => {
          const made = document.createElement(name);
          if (text !== undefined) made.textContent = text;
          if (style) made.className = style;
          return made;
        };
        const hues = { command: 212, resolve: 265, install: 330, load: 28, route: 145, action: 185, service: 95, event: 55, extension: 300 };
        const hue = category => hues[category] ?? [...category].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7);
        const isDark = matchMedia('(prefers-color-scheme: dark)');
        const color = category => `hsl(${hue(category)} ${isDark.matches ? '50% 38%' : '65% 78%'})`;
        const variable = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
        const time = value => value < 1e3 ? `${Math.round(value * 10) / 10} µs`
          : value < 1e6 ? `${Math.round(value / 100) / 10} ms` : `${Math.round(value / 1e5) / 10} s`;
        for (const row of document.querySelectorAll('#categories tbody tr')) {
          row.querySelector('.swatch').style.background = color(row.dataset.category);
        }

        const canvas = find('timeline'), context = canvas.getContext('2d');
        const rowHeight = 22, laneGap = 10, head = 26, gutter = 92;
        const tops = [];
        let bottom = head;
        for (const lane of lanes) { tops.push(bottom); bottom += lane.depth * rowHeight + laneGap; }
        const first = events.reduce((least, event) => Math.min(least, event.start), Infinity);
        const last = events.reduce((most, event) => Math.max(most, event.start + event.duration), 0);
        const start = events.length ? first : 0, span = Math.max(events.length ? last - first : 1, 1);
        let view = { from: start, span };
        let found = null, selected = -1, wide = 0;
        const x = at => gutter + (at - view.from) / view.span * (wide - gutter - 12);
        const at = x => view.from + (x - gutter) / (wide - gutter - 12) * view.span;

        function draw() {
          const ratio = devicePixelRatio || 1;
          wide = canvas.clientWidth;
          canvas.style.height = bottom + 'px';
          canvas.width = wide * ratio;
          canvas.height = bottom * ratio;
          context.setTransform(ratio, 0, 0, ratio, 0, 0);
          context.clearRect(0, 0, wide, bottom);
          const text = variable('--text'), muted = variable('--muted'), line = variable('--line');
          context.font = '11px ui-sans-serif, system-ui, "DejaVu Sans", sans-serif';
          context.textBaseline = 'middle';
          const raw = view.span / Math.max(2, (wide - gutter) / 110), power = 10 ** Math.floor(Math.log10(raw));
          const step = [1, 2, 5, 10].map(factor => factor * power).find(size => size >= raw);
          for (let tick = Math.ceil((view.from - start) / step); tick * step + start <= view.from + view.span; tick++) {
            const place = x(start + tick * step);
            context.fillStyle = line;
            context.fillRect(Math.round(place), head - 6, 1, bottom);
            context.fillStyle = muted;
            context.fillText(time(tick * step), place + 4, 12);
          }
          lanes.forEach((lane, index) => {
            if (index) { context.fillStyle = line; context.fillRect(0, tops[index] - laneGap / 2, wide, 1); }
          });
          context.save();
          context.beginPath();
          context.rect(gutter, 0, wide - gutter, bottom);
          context.clip();
          events.forEach((event, index) => {
            const left = x(event.start), width = Math.max(1.5, x(event.start + event.duration) - left);
            if (left > wide || left + width < gutter) return;
            const y = tops[event.lane] + event.row * rowHeight;
            context.globalAlpha = found && !found.has(index) ? .18 : 1;
            context.fillStyle = color(event.category);
            context.fillRect(left, y, width, rowHeight - 2);
            if (index === selected) {
              context.strokeStyle = variable('--accent');
              context.lineWidth = 2;
              context.strokeRect(left, y, width, rowHeight - 2);
            }
            const visible = Math.max(left, gutter), room = left + width - visible - 10;
            if (room > 24) {
              context.fillStyle = text;
              let label = event.name;
              if (context.measureText(label).width > room) {
                let low = 0, high = label.length;
                while (low < high) {
                  const middle = (low + high + 1) >> 1;
                  if (context.measureText(label.slice(0, middle) + '…').width <= room) low = middle; else high = middle - 1;
                }
                label = label.slice(0, low) + '…';
              }
              context.fillText(label, visible + 5, y + rowHeight / 2 - 1);
            }
          });
          context.restore();
          context.fillStyle = muted;
          lanes.forEach((lane, index) => context.fillText(lane.title, 10, tops[index] + rowHeight / 2 - 1));
        }

        function hit(event) {
          const box = canvas.getBoundingClientRect(), px = event.clientX - box.left, py = event.clientY - box.top;
          if (px < gutter) return -1;
          return events.findLastIndex(one => {
            const y = tops[one.lane] + one.row * rowHeight, left = x(one.start);
            return py >= y && py < y + rowHeight - 2 && px >= left - 1 && px <= Math.max(left + 2, x(one.start + one.duration));
          });
        }
        function lines(index) {
          const event = events[index];
          const facts = [`${event.category}, ${time(event.duration)}, begins at ${time(event.start - start)}`];
          if (event.caller) facts.push(`for ${event.caller}`);
          return [element('strong', event.name), ...facts.map(fact => element('div', fact, 'muted'))];
        }
        function select(index, moves) {
          selected = index;
          const detail = find('detail');
          if (index >= 0) detail.replaceChildren(...lines(index));
          for (const row of document.querySelectorAll('#longest tbody tr')) {
            row.classList.toggle('selected', Number(row.dataset.event) === index);
          }
          if (moves && index >= 0) {
            const wanted = Math.max(events[index].duration * 1.4, span / 1e6);
            view = { from: events[index].start - (wanted - events[index].duration) / 2, span: wanted };
          }
          draw();
        }
        const longest = [...events.keys()].sort((one, other) => events[other].duration - events[one].duration).slice(0, 20);
        const body = document.querySelector('#longest tbody');
        for (const index of longest) {
          const event = events[index], row = element('tr');
          row.dataset.event = index;
          row.append(element('td', event.name, 'code'), element('td', event.category), element('td', event.caller ?? ''),
            element('td', time(event.start - start), 'number'), element('td', time(event.duration), 'number'));
          row.addEventListener('click', () => select(index, true));
          body.append(row);
        }

        const search = find('search');
        search.addEventListener('input', () => {
          const text = search.value.trim().toLowerCase();
          found = text === '' ? null : new Set([...events.keys()].filter(index =>
            (events[index].name + ' ' + events[index].category).toLowerCase().includes(text)));
          find('count').textContent = found ? `${found.size} match${found.size === 1 ? '' : 'es'}` : '';
          draw();
        });
        search.addEventListener('keydown', event => {
          if (event.key === 'Enter' && found && found.size) select([...found][0], true);
          if (event.key === 'Escape') { search.value = ''; search.dispatchEvent(new Event('input')); }
        });
        document.addEventListener('keydown', event => {
          if (event.key === '/' && event.target !== search) { event.preventDefault(); search.focus(); }
        });

        function zoom(factor, place) {
          const wanted = Math.min(Math.max(view.span * factor, span / 1e6), span * 1.2);
          view = { from: place - (place - view.from) * wanted / view.span, span: wanted };
          draw();
        }
        canvas.addEventListener('wheel', event => {
          if (event.shiftKey) return;
          event.preventDefault();
          zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, at(event.clientX - canvas.getBoundingClientRect().left));
        }, { passive: false });
        canvas.addEventListener('keydown', event => {
          const middle = view.from + view.span / 2;
          if (event.key === '+') zoom(1 / 1.5, middle);
          else if (event.key === '-') zoom(1.5, middle);
          else if (event.key === 'ArrowLeft') { view = { ...view, from: view.from - view.span / 10 }; draw(); }
          else if (event.key === 'ArrowRight') { view = { ...view, from: view.from + view.span / 10 }; draw(); }
        });
        let drag = null;
        canvas.addEventListener('pointerdown', event => { drag = { x: event.clientX, from: view.from, moved: false }; });
        window.addEventListener('pointermove', event => {
          const tip = find('tip');
          if (drag) {
            const dx = event.clientX - drag.x;
            if (drag.moved || Math.abs(dx) > 3) {
              drag.moved = true;
              tip.hidden = true;
              view = { ...view, from: drag.from - dx / (wide - gutter - 12) * view.span };
              draw();
            }
            return;
          }
          const index = event.target === canvas ? hit(event) : -1;
          tip.hidden = index < 0;
          if (index < 0) return;
          tip.replaceChildren(...lines(index));
          tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + 'px';
          tip.style.top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8) + 'px';
        });
        window.addEventListener('pointerup', event => {
          if (drag && !drag.moved && event.target === canvas) select(hit(event), false);
          drag = null;
        });
        find('whole').addEventListener('click', () => { view = { from: start, span }; selected = -1; select(-1); });
        addEventListener('resize', draw);
        isDark.addEventListener('change', draw);
        draw();
        """#, hash: "y2J933UaXXpNZNKMcXRM4jCAM+4nFt2x5n4yIKRwPCA=")
}
