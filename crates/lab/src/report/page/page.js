"use strict";
// Script of a page: sorts tables, shows values under the pointer, and filters the rows. The rows are lists of numbers; for some
// columns the numbers are indices into `texts`.
(() => {
  const read = id => JSON.parse(document.getElementById(id).textContent);
  const data = read("data"), charts = read("places");
  const index = Object.fromEntries(data.columns.map((name, k) => [name, k]));
  const of = (line, column) => {
    const value = line[index[column]];
    const texts = data.texts[column];
    return texts ? texts[value] : value;
  };
  const make = (name, text, kind) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };

  // Formats seconds with three digits, as in the tables.
  const seconds = s => s === null ? "" : s >= 100 ? s.toFixed(0) : s >= 10 ? s.toFixed(1) : s >= 1 ? s.toFixed(2) : s.toFixed(3);
  const whole = n => n === null ? "" : String(n);

  // Sorts numbers before words, and empty values last in either direction.
  const compare = (a, b, down) => {
    const empty = v => v === null || v === undefined || v === "";
    if (empty(a) || empty(b)) return empty(a) - empty(b);
    const [x, y] = [typeof a === "number", typeof b === "number"];
    if (x !== y) return y - x;
    const order = x ? a - b : a.localeCompare(b, "en", { numeric: true });
    return down ? -order : order;
  };
  const value = text => {
    const bare = text.replace(/^[≥<] /, "").replace(/\/\d+$/, "");
    return bare !== "" && !Number.isNaN(Number(bare)) ? Number(bare) : text;
  };
  const turned = (head, cell) => {
    const down = cell.getAttribute("aria-sort") === "ascending";
    for (const other of head.cells) other.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", down ? "descending" : "ascending");
    return down;
  };
  for (const table of document.querySelectorAll("table.sorts")) {
    const head = table.tHead.rows[0], body = table.tBodies[0];
    for (const cell of head.cells) cell.querySelector("button").addEventListener("click", () => {
      const down = turned(head, cell), k = cell.cellIndex;
      const lines = [...body.rows].map(row => [value(row.cells[k].textContent), row]);
      lines.sort((a, b) => compare(a[0], b[0], down));
      body.append(...lines.map(([, row]) => row));
    });
  }

  // Values under the pointer.
  const tip = document.getElementById("tip");
  const outcome = line => {
    const cpu = of(line, "cpu");
    return of(line, "said") + (cpu === null ? "" : ", " + seconds(cpu) + " s CPU");
  };
  const said = row => {
    const line = data.lines[row], seed = of(line, "seed");
    return of(line, "method") + "\n" + of(line, "question") + (seed ? ", seed " + seed : "") + "\n" + outcome(line);
  };
  const isMedian = about => Array.isArray(about) && about.length === 5;
  const median = ([x, y, open, of, answered]) =>
    `${x} vertices: ${open ? "≥ " : ""}${y}, median of ${of} (${answered} answered)`;
  const words = about => typeof about === "number" ? said(about)
    : typeof about === "string" ? about
    : isMedian(about) ? median(about) : about.map(said).join("\n");
  for (const figure of document.querySelectorAll("figure.chart")) {
    const chart = charts[figure.dataset.chart], svg = figure.querySelector("svg");
    const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    ring.setAttribute("r", 7);
    const leave = () => { tip.hidden = true; ring.remove(); };
    svg.addEventListener("pointermove", event => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      let nearest = -1, least = 24 * 24;
      chart.at.forEach(([x, y], k) => {
        const distance = (x - at.x) ** 2 + (y - at.y) ** 2;
        if (distance < least) [nearest, least] = [k, distance];
      });
      if (nearest < 0) return leave();
      const [x, y, series] = chart.at[nearest];
      ring.id = "ring";
      ring.setAttribute("cx", x);
      ring.setAttribute("cy", y);
      svg.append(ring);
      const about = chart.about[nearest];
      tip.textContent = (isMedian(about) ? chart.series[series] + "\n" : "") + words(about);
      tip.hidden = false;
      const room = 12, box = tip.getBoundingClientRect();
      tip.style.left = Math.max(4, Math.min(event.clientX + room, innerWidth - box.width - 4)) + "px";
      const below = event.clientY + room + box.height < innerHeight;
      tip.style.top = (below ? event.clientY + room : Math.max(4, event.clientY - room - box.height)) + "px";
    });
    svg.addEventListener("pointerleave", leave);
  }

  // All rows.
  const columns = [
    ["question", line => of(line, "question"), "long"],
    ["method", line => of(line, "method"), "long"],
    ["seed", line => of(line, "seed"), "number"],
    ["outcome", line => of(line, "said"), "long"],
    ["CPU s", line => of(line, "cpu"), "number", seconds],
    ["wall s", line => of(line, "wall"), "number", seconds],
    ["memory KiB", line => of(line, "peak"), "number", whole],
    ["variables", line => of(line, "variables"), "number", whole],
    ["clauses", line => of(line, "clauses"), "number", whole],
    ["statistics", line => of(line, "statistics").split(" ")[0], "long"],
  ];
  const step = 200;
  const table = document.getElementById("all"), body = table.tBodies[0];
  const [filter, method, status, count, more] = ["filter", "method", "status", "count", "more"].map(id => document.getElementById(id));
  for (const [list, column] of [[method, "method"], [status, "status"]]) {
    (data.texts[column] ?? []).forEach((text, k) => list.append(new Option(text, k)));
  }
  // Texts that the filter searches.
  const found = data.lines.map(line =>
    ["question", "method", "said", "source"].map(column => of(line, column)).join(" ").toLowerCase());
  let order = data.lines.map((_, k) => k), shown = [], room = step;
  const again = line => {
    const job = `{"question":${JSON.stringify(of(line, "question"))},"method":${JSON.stringify(data.ways[line[index.method]])},` +
      `"seed":${of(line, "seed")},"limits":${of(line, "limits")}}`;
    return `hamcnf work <<< '${job.replaceAll("'", "'\\''")}'`;
  };
  const details = line => {
    const row = make("tr"), cell = make("td", undefined, "details"), list = make("dl");
    cell.colSpan = columns.length;
    const shortened = data.shortened ? " (the others are in the CSV file)" : "";
    for (const [name, text] of [
      ["statistics", of(line, "statistics") + shortened], ["limits", of(line, "limits")], ["hamcnf", of(line, "build")],
      ["solver", of(line, "solver")], ["machine", of(line, "machine")], ["from", of(line, "source")],
    ]) list.append(make("dt", name), make("dd", text));
    const command = make("dd");
    command.append(make("code", again(line)));
    list.append(make("dt", "again"), command);
    cell.append(list);
    row.append(cell);
    return row;
  };
  const show = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = order.filter(k => {
      const line = data.lines[k];
      return (method.value === "" || line[index.method] === Number(method.value)) &&
        (status.value === "" || line[index.status] === Number(status.value)) &&
        words.every(word => found[k].includes(word));
    });
    count.textContent = `${shown.length} of ${data.lines.length} rows`;
    body.replaceChildren(...shown.slice(0, room).map(k => {
      const row = make("tr"), line = data.lines[k];
      for (const [, get, kind, show] of columns) {
        const cell = make("td", (show ?? String)(get(line)), kind);
        if (kind === "long") cell.title = cell.textContent;
        row.append(cell);
      }
      row.addEventListener("click", () => {
        if (row.classList.toggle("open")) row.after(details(line));
        else row.nextSibling.remove();
      });
      return row;
    }));
    more.hidden = shown.length <= room;
  };
  const head = make("tr");
  for (const [name, get, kind] of columns) {
    const cell = make("th", undefined, kind === "number" ? kind : undefined), button = make("button", name);
    button.type = "button";
    cell.scope = "col";
    cell.append(button);
    button.addEventListener("click", () => {
      const down = turned(head, cell);
      order.sort((a, b) => compare(get(data.lines[a]), get(data.lines[b]), down) || a - b);
      show();
    });
    head.append(cell);
  }
  table.tHead.append(head);
  for (const control of [filter, method, status]) control.addEventListener("input", () => { room = step; show(); });
  more.addEventListener("click", () => { room += 5 * step; show(); });
  show();
})();
