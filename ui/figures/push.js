// People on a line, one of whom is dragged by mouse, finger or keys. Below them: the laws of the published mean with
// and without her, and how often the best guess between the two is right. Formulas: see push.py.
const MOVE = 240; // milliseconds in which what was changed by a key or the slider moves to its place
const WALK = 1100; // milliseconds in which she walks to her place, once per visit
const REST = 500; // before she begins
const WALKED = "discreet-push-walked";
const EDGE = 30; // left and right of the line: half of her ring
const GROUND = 88; // the line on which people stand

// ten people with her; without her, the middle of the bounds fills her place
export function laws({ others, middle }, age, scale) {
  const people = others.length + 1;
  const total = others.reduce((sum, each) => sum + each, 0);
  const [gone, here] = [(total + middle) / people, (total + age) / people];
  return { without: gone, with: here, odds: 1 - Math.exp(-Math.abs(here - gone) / (2 * scale)) / 2 };
}

export const density = (y, centre, scale) => Math.exp(-Math.abs(y - centre) / scale) / (2 * scale);

export const of100 = (chance) => Math.ceil(100 * chance); // as report/risk.py counts

const SVG = "http://www.w3.org/2000/svg";
function node(name, attributes = {}, text) {
  const made = document.createElementNS(SVG, name);
  set(made, attributes);
  if (text !== undefined) made.textContent = text;
  return made;
}
function set(made, attributes) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
}
// a person of people.py, of this height in pixels
function body(name, each, face, height) {
  const group = node("g", { class: name });
  const drawn = node("g", { transform: `scale(${height / 40})` });
  drawn.append(node("path", { d: each.outline }), node("path", { class: "face", d: face }));
  group.append(drawn);
  return group;
}

const HTML = `<svg role="group"></svg>
<div class="noise"><label for="noise"></label><input id="noise" type="range" min="0" step="1"></div>
<div class="spy"><b></b><div class="said"></div><div class="gauge"><i></i><u></u></div>
<div class="ends"><span></span><span></span></div><p class="limit"></p></div>
<p class="note"></p>`;

// all parts are made once, and later only moved: the handle keeps the finger that holds it, and the focus
function build(host, data) {
  const box = document.createElement("div");
  box.className = "push";
  box.innerHTML = HTML;
  host.append(box);
  const all = { box, svg: box.querySelector("svg"), range: box.querySelector("input"), ticks: [], others: [] };
  const part = (key, name, attributes) => all.svg.append((all[key] = node(name, attributes)));
  for (const which of ["without", "with"]) {
    part(`heap-${which}`, "path", { class: `heap ${which}` });
    part(`edge-${which}`, "path", { class: `edge ${which}` });
    part(`fall-${which}`, "line", { class: `fall ${which}` });
  }
  part("base", "line", { class: "tick" });
  part("ground", "line", { class: "ground" });
  for (const which of ["without", "with"]) part(`name-${which}`, "text", { class: `name ${which}` });
  part("published", "text");
  for (let at = 0; at <= 5; at += 1) {
    const [line, text] = [node("line", { class: "tick" }), node("text")];
    all.svg.append(line, text);
    all.ticks.push({ at: data.low + (at / 5) * (data.high - data.low), line, text });
  }
  all.place = body("place", data.mia, "", 25);
  all.others = data.others.map((_, at) => body("other", data.cast[at], "", 25));
  all.handle = node("g", { class: "handle", tabindex: 0, role: "slider", "aria-orientation": "horizontal" });
  all.knob = node("g");
  const large = body("body", data.mia, data.face, 42);
  all.knob.append(
    node("rect", { class: "reach", x: -40, y: -62, width: 80, height: 72 }),
    node("circle", { class: "ring", cx: 0, cy: -20, r: 27 }),
    large,
    (all.lower = node("path", { class: "arrows", d: "M-33 -26 l-6 6 l6 6" })),
    (all.higher = node("path", { class: "arrows", d: "M33 -26 l6 6 l-6 6" })),
  );
  all.person = node("text", { class: "name with", y: GROUND - 58 });
  all.handle.append(all.knob, all.person);
  all.svg.append(all.place, ...all.others, all.handle);
  return all;
}

function paint(all) {
  const { data, shown, box } = all;
  const { words } = data;
  const wide = Math.max(260, box.clientWidth);
  const base = wide < 420 ? 206 : 232;
  const peak = base - GROUND - 44;
  const [left, right] = [EDGE, wide - EDGE];
  const x = (value) => left + ((value - data.low) / (data.high - data.low)) * (right - left);
  const now = laws(data, shown.age, shown.scale);
  set(all.svg, { viewBox: `0 0 ${wide} ${base + 22}`, height: base + 22, "aria-label": words.figure });

  const least = data.stops[0].scale;
  const most = data.stops[data.stops.length - 1].scale;
  const tall = peak * (1 - 0.3 * (Math.log(shown.scale / least) / Math.log(most / least)));
  const step = (data.high - data.low) / 240;
  for (const which of ["without", "with"]) {
    const centre = now[which];
    const places = [centre];
    for (let at = data.low; at <= data.high; at += step) places.push(at);
    places.sort((one, other) => one - other);
    const height = (y) => (tall * density(y, centre, shown.scale)) / density(centre, centre, shown.scale);
    const line = places.map((y) => `${x(y).toFixed(2)} ${(base - height(y)).toFixed(2)}`).join(" L ");
    set(all[`edge-${which}`], { d: `M ${line}` });
    set(all[`heap-${which}`], { d: `M ${left} ${base} L ${line} L ${right} ${base} Z` });
    set(all[`fall-${which}`], { x1: x(centre), x2: x(centre), y1: GROUND, y2: base });
  }
  set(all.base, { x1: left, x2: right, y1: base, y2: base });
  set(all.ground, { x1: left, x2: right, y1: GROUND, y2: GROUND });
  const after = now.with >= now.without ? 1 : -1;
  const gap = 10 + Math.min(30, (x(shown.scale) - left) * 0.5);
  for (const [which, side] of [["without", -after], ["with", after]]) {
    const label = all[`name-${which}`];
    set(label, { x: x(now[which]) + side * gap, y: base - tall + 12, "text-anchor": side > 0 ? "start" : "end" });
    label.textContent = words[which];
  }
  set(all.published, { x: left, y: base + 17 });
  all.ticks.forEach(({ at, line, text }, place) => {
    set(line, { x1: x(at), x2: x(at), y1: GROUND, y2: GROUND + 5 });
    set(text, { x: x(at), y: GROUND + 19, "text-anchor": "middle" });
    text.textContent = place ? at : words.years.replace("{age}", at);
  });
  all.others.forEach((each, at) => set(each, { transform: `translate(${x(data.others[at])} ${GROUND - 1})` }));
  set(all.place, { transform: `translate(${x(data.middle)} ${GROUND - 1})` });
  set(all.knob, { transform: `translate(${x(shown.age)} ${GROUND - 1})` });
  set(all.lower, { opacity: shown.age > data.low ? 1 : 0 });
  set(all.higher, { opacity: shown.age < data.high ? 1 : 0 });
  const half = 52; // of her name
  set(all.person, { x: Math.min(wide - half, Math.max(half, x(shown.age))), "text-anchor": "middle" });
  tell(all);
}

// the words and numbers are those of her age in whole years, as it is declared
function tell(all) {
  const { data, box, handle } = all;
  const { words } = data;
  const stop = data.stops[all.noise];
  const age = Math.round(all.age);
  const { odds } = laws(data, age, stop.scale);
  const write = (selector, text) => {
    const place = box.querySelector(selector);
    if (place.textContent !== text) place.textContent = text;
  };
  all.published.textContent = stop.published;
  all.person.textContent = words.person.replace("{age}", age);
  write(".noise label", words.noise);
  write(".note", words.note);
  const said = words.spy.replace("{age}", age);
  const [before, rest] = said.split("{n}");
  write(".spy b", String(of100(odds)));
  write(".said", `${before}${rest}`.trim());
  write(".ends span", words.coin);
  write(".ends span:last-child", words.sure);
  write(".limit", stop.words);
  box.querySelector(".gauge i").style.width = `${(odds - 0.5) * 200}%`;
  box.querySelector(".gauge u").style.left = `${(stop.limit - 0.5) * 200}%`;
  all.range.setAttribute("aria-valuetext", `${stop.published}. ${said.replace("{n}", of100(odds))}`);
  set(handle, {
    "aria-label": words.label,
    "aria-valuemin": data.low,
    "aria-valuemax": data.high,
    "aria-valuenow": age,
    "aria-valuetext": `${words.years.replace("{age}", age)}. ${said.replace("{n}", of100(odds))}`,
  });
}

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// move what is shown to where it belongs; noise is moved by factors
function move(all, time = MOVE) {
  cancelAnimationFrame(all.frame);
  const from = { ...all.shown };
  const to = { age: Math.round(all.age), scale: all.data.stops[all.noise].scale };
  if (!time || still()) {
    all.shown = to;
    paint(all);
    return;
  }
  glide(all, time, 0, (part) => {
    const age = from.age + part * (to.age - from.age);
    all.shown = { age, scale: from.scale * (to.scale / from.scale) ** part };
  });
}

// she walks to her place from where she makes no difference, and the odds with her: this shows that she can be moved
function walk(all) {
  const end = all.age;
  glide(all, WALK, REST, (part) => {
    all.age = all.shown.age = all.data.middle + part * (end - all.data.middle);
  });
}

function glide(all, time, pause, place) {
  const begun = performance.now() + pause;
  const next = (now) => {
    const part = 1 - (1 - Math.min(1, Math.max(0, (now - begun) / time))) ** 3;
    place(part);
    paint(all);
    if (part < 1 && all.box.isConnected) all.frame = requestAnimationFrame(next);
  };
  next(performance.now());
}

function wire(all) {
  const { handle, svg, range } = all;
  const bounded = (age) => Math.max(all.data.low, Math.min(all.data.high, age));
  const drag = (event) => {
    const frame = svg.getBoundingClientRect();
    const share = (event.clientX - frame.left - EDGE) / (frame.width - 2 * EDGE);
    all.age = bounded(all.data.low + share * (all.data.high - all.data.low));
    move(all, 0);
  };
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    handle.focus({ preventScroll: true });
    event.preventDefault();
  });
  handle.addEventListener("pointermove", (event) => handle.hasPointerCapture(event.pointerId) && drag(event));
  handle.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
    if (event.key in steps) all.age = bounded(Math.round(all.age) + steps[event.key]);
    else if (event.key === "Home") all.age = all.data.low;
    else if (event.key === "End") all.age = all.data.high;
    else return;
    event.preventDefault();
    event.stopPropagation();
    move(all);
  });
  range.addEventListener("input", () => {
    all.noise = Number(range.value);
    move(all);
  });
  all.watch = new ResizeObserver(() => paint(all));
  all.watch.observe(all.box);
}

export default (part) => {
  const { data, parentElement } = part;
  if (data.ages) return crowd(part); // of crowd.js
  let all = parentElement.discreetPush;
  if (!all) {
    all = parentElement.discreetPush = build(parentElement, data);
    Object.assign(all, { data, age: data.start, noise: data.first });
    all.shown = { age: data.start, scale: data.stops[data.first].scale };
    all.range.max = data.stops.length - 1;
    all.range.value = data.first;
    wire(all);
    if (!still() && !sessionStorage.getItem(WALKED)) {
      sessionStorage.setItem(WALKED, "yes");
      walk(all);
    }
  }
  all.data = data;
  paint(all);
};
