// A crowd on a line of ages: each person is moved by mouse, finger or keys, and a needle stands at their median.
// Formulas: the ladder of queries/median.py. Push.js comes before this file and has node, set and still.
const STEP = 0.5; // of an age
const ROW = 19; // height of a person above another one
const ROWS = 8;
const WIDE = 15; // of a person
const NEAR = 30; // as far as a finger may miss
const EASE = 80; // milliseconds in which most of a movement is done
const CALM = 300; // after a key, before the server is asked
const PANEL = 128; // height of the stairs, or of the results
const STALE = 4000; // after which the server's word counts, whatever was sent to it

const order = ({ low, high }, ages, place) => (place < 1 ? low : place > ages.length ? high : ages[place - 1]);

export function median(bounds, ages) {
  const n = ages.length;
  if (!n) return (bounds.low + bounds.high) / 2;
  return (ages[Math.floor((n + 1) / 2) - 1] + ages[Math.floor(n / 2)]) / 2;
}

// A(k) for k = 0 … most: how far one person more or less moves the median of any crowd within k people
export function ladder(bounds, ages, most) {
  const n = ages.length;
  const at = (place) => order(bounds, ages, place);
  return Array.from({ length: most + 1 }, (_, k) => {
    const w = n + ((n + k + 1) % 2);
    const gap = at((w + k + 1) / 2) - at((w - k - 1) / 2);
    const wider = w === n ? at((w + k + 3) / 2) - at((w - k + 1) / 2) : gap;
    return Math.max(gap, wider) / 2;
  });
}

// the lowest and the highest median with one person more or less
export function reach(bounds, ages) {
  const fewer = ages.map((_, gone) => ages.filter((_, place) => place !== gone));
  const all = [ages, [bounds.low, ...ages], [...ages, bounds.high], ...fewer].map((each) => median(bounds, each));
  return [Math.min(...all), Math.max(...all)];
}

// who leaves of the worst people within k of these: those in the middle, whose places an empty gap takes
export function leaving(bounds, ages, k) {
  const n = ages.length;
  const at = (place) => order(bounds, ages, place);
  const w = n + ((n + k + 1) % 2);
  let [from, to] = [(w - k - 1) / 2, (w + k + 1) / 2];
  if (w === n && at(to + 1) - at(from + 1) > at(to) - at(from)) [from, to] = [from + 1, to + 1];
  return [Math.max(0, from), Math.min(n, to - 1)];
}

// the smallest k at which A(k) exceeds b
export function distance(stairs, b) {
  const found = stairs.findIndex((rung) => rung > b);
  return found < 0 ? stairs.length : found;
}

// every A(k) under the roof e^(-beta k), and the highest of them
export function smooth(stairs, beta) {
  const pressed = stairs.map((rung, k) => rung * Math.exp(-beta * k));
  const bound = Math.max(...pressed);
  return { pressed, bound, peak: pressed.indexOf(bound) };
}

// the median of each block, the middle of the line for one without people, and the mean of them
export function dealt(bounds, ages, deal, count) {
  const blocks = Array.from({ length: count }, (_, block) => ages.filter((_, place) => deal[place] === block));
  const middles = blocks.map((each) => median(bounds, each.sort((one, other) => one - other)));
  return { middles, mean: middles.reduce((sum, each) => sum + each, 0) / count };
}

const PARTS = `<svg role="group"></svg><div class="keys"></div>
<div class="spy"><b></b><div class="said"></div><div class="gauge"><i></i><u></u></div>
<div class="ends"><span></span><span></span></div><p class="limit"></p><p class="best"></p></div>
<p class="outcome" role="status"></p><div class="acts"></div>`;
const ACTS = ["run", "add", "remove", "worst", "again"];
const KEYS = ["local", "global", "stair"];
const TREMBLES = 9; // places of the noisy flag before it rests
const TREMBLE = 90; // milliseconds at each

function assemble(host, data) {
  const box = document.createElement("div");
  box.className = "push crowd";
  box.innerHTML = PARTS;
  host.append(box);
  const all = { box, svg: box.querySelector("svg"), people: [], gone: [], shown: new Map(), ticks: [], k: 0 };
  const part = (key, name, attributes, into = all.svg) => into.append((all[key] = node(name, attributes)));
  part("global", "rect", { class: "band global" });
  part("local", "rect", { class: "band local" });
  part("ground", "line", { class: "ground" });
  for (let at = 0; at <= 5; at += 1) {
    const [line, text] = [node("line", { class: "tick" }), node("text", { "text-anchor": "middle" })];
    all.svg.append(line, text);
    all.ticks.push({ at: data.low + (at * (data.high - data.low)) / 5, line, text });
  }
  part("needle", "path", { class: "needle" });
  part("said", "text", { class: "name truth", "text-anchor": "middle" });
  part("panel", "g");
  part("stand", "g");
  part("middles", "g");
  for (const name of KEYS) {
    const key = document.createElement("p");
    key.className = name;
    key.innerHTML = "<i></i><span></span>";
    box.querySelector(".keys").append(key);
  }
  for (const name of ACTS) {
    const button = document.createElement("button");
    button.type = "button";
    box.querySelector(".acts").append((all[name] = button));
  }
  stairs(all, data);
  heaps(all);
  return all;
}

// the stairs A(k), the bound across them, and the roof over them
function stairs(all, data) {
  all.walk = node("g", { class: "walk" });
  all.rungs = Array.from({ length: data.most + 1 }, () => {
    const pair = [node("rect", { class: "rung" }), node("rect", { class: "pressed" }), node("text")];
    set(pair[2], { "text-anchor": "middle" });
    all.walk.append(...pair);
    return pair;
  });
  all.floor = node("line", { class: "tick" });
  all.across = node("text", { "text-anchor": "middle" });
  all.upwards = node("text");
  all.roof = node("path", { class: "roof" });
  all.flag = node("line", { class: "flag" });
  all.flagged = node("text", { class: "name truth" });
  all.ball = node("circle", { class: "ball", r: 6 });
  all.gate = node("rect", { class: "gate", width: 6 });
  all.gated = node("text", { class: "name truth" });
  all.noise = node("line", { class: "flag noisy" });
  all.noised = node("text", { class: "name noisy" });
  all.grip = node("g", { class: "grip", role: "slider", tabindex: 0 });
  all.grip.append(node("path", { d: "M0 0 l-7 11 h14 z" }));
  all.bar = node("g", { class: "grip bar", role: "slider", tabindex: 0, "aria-orientation": "vertical" });
  all.line = node("line");
  all.bar.append(all.line, node("circle", { r: 9 }));
  all.bound = node("text", { class: "name truth" });
  all.walk.append(all.floor, all.across, all.upwards, all.roof, all.flag, all.gate, all.noise, all.flagged, all.gated, all.noised);
  all.walk.append(all.ball, all.grip, all.bar, all.bound);
  all.panel.append(all.walk);
}

// the results with and without the person
function heaps(all) {
  all.results = node("g");
  for (const which of ["without", "with"]) {
    all[`heap-${which}`] = node("path", { class: `heap ${which}` });
    all[`edge-${which}`] = node("path", { class: `edge ${which}` });
    all[`name-${which}`] = node("text", { class: `name ${which}` });
    all.results.append(all[`heap-${which}`], all[`edge-${which}`], all[`name-${which}`]);
  }
  all.panel.append(all.results);
}

const byAge = (one, other) => one.age - other.age;
const standing = (all) => all.people.filter((each) => !each.left);
const ages = (all) => standing(all).map((each) => each.age);
const who = (all) => standing(all).indexOf(all.chosen) + 1;
const watchedOne = (all) => standing(all)[all.data.who - 1]?.who.name ?? "";
// what the server was asked about, of this mode
const stamp = (data, ages, who, b) => [ages.join(), data.who === undefined ? "" : who, data.b === undefined ? "" : b].join("|");
const mine = (all) => stamp(all.data, ages(all), who(all), all.b);
const known = (all) => mine(all) === stamp(all.data, all.data.ages, all.data.who, all.data.b);

function person(all, age) {
  const made = { age, name: (all.names = (all.names ?? 0) + 1), node: node("g", { class: "person", role: "slider" }) };
  made.who = all.data.cast.find(({ name }) => standing(all).every((each) => each.who.name !== name));
  made.node.append(node("circle", { class: "ring", cx: 0, cy: -10, r: 13 }), body("figure", made.who, all.data.face, 20));
  set(made.node, { tabindex: 0, "aria-orientation": "horizontal" });
  made.node.addEventListener("focus", () => elect(all, made));
  made.node.addEventListener("keydown", (event) => press(all, made, event));
  all.people.push(made);
  all.stand.append(made.node);
  return made;
}

function elect(all, made) {
  const other = all.chosen !== made;
  all.chosen = made;
  if (other && all.data.who !== undefined && !all.held) report(all, CALM);
  all.play();
}

// where people stand now, in the order of their ages
const places = (all) => standing(all).sort(byAge).map((each) => [each, each.age]);

// people go to the worst ages, and keep their own for the way back
function worsen(all) {
  const own = standing(all).sort(byAge);
  const kept = new Map(own.map((each) => [each, each.age]));
  own.forEach((each, at) => (each.age = at < Math.floor(own.length / 2) ? all.data.low : all.data.high));
  report(all, 0);
  all.bad = kept;
}

function mend(all) {
  for (const [each, age] of all.bad) each.age = age;
  report(all, 0);
}

// a shown number follows its aim
function follow(all, key, aim, at_once = false) {
  const before = all.shown.get(key);
  const done = at_once || before === undefined || Math.abs(aim - before) < 0.3;
  const next = done ? aim : before + (aim - before) * all.share;
  if (next !== aim) all.moving = true;
  all.shown.set(key, next);
  return next;
}

// the rows in which people stand who would cover each other; of blocks each has its row
function rows(all, line, x) {
  const { deal, count } = all.data;
  if (deal) {
    const own = standing(all);
    return line.map(([each, age]) => [each, age, count - 1 - deal[own.indexOf(each)]]);
  }
  const ends = [];
  return line.map(([each, age]) => {
    let row = ends.findIndex((end) => end + WIDE <= x(age));
    if (row < 0) row = ends.length;
    ends[row] = x(age);
    return [each, age, row];
  });
}

function draw(all) {
  const { data, svg, box } = all;
  const wide = Math.max(260, box.clientWidth);
  const ground = ROW * (ROWS + 1) + 24;
  const [left, right] = [16, wide - 16];
  const x = (age) => left + ((age - data.low) / (data.high - data.low)) * (right - left);
  const top = ground + 74;
  Object.assign(all, { left, right, wide, level: ground, x, top, base: top + PANEL });
  const now = places(all).sort((one, other) => one[1] - other[1]);
  const [from, to] = leaving(data, now.map(([, age]) => age), data.stairs ? all.k : 0);
  const put = rows(all, now, x);
  const tight = data.deal ? ROWS / data.count : Math.min(1, ROWS / Math.max(...put.map(([, , row]) => row), 1));
  const lane = (row) => ground - 2 - row * ROW * tight;
  put.forEach(([each, age, row], place) => {
    const at = follow(all, `x${each.name}`, x(age), all.held === each);
    const up = follow(all, `y${each.name}`, lane(row));
    const seen = follow(all, `o${each.name}`, place >= from && place < to ? 15 : 100) / 100;
    set(each.node, { transform: `translate(${at.toFixed(2)} ${up.toFixed(2)})`, opacity: seen.toFixed(2) });
    each.node.classList.toggle("with", all.chosen === each);
  });
  for (const each of all.people.filter((one) => one.left)) {
    const at = follow(all, `x${each.name}`, wide + 20);
    set(each.node, { transform: `translate(${at} ${all.shown.get(`y${each.name}`)})` });
    if (at === wide + 20) each.node.remove();
  }
  all.people = all.people.filter((each) => each.node.isConnected);
  const seen = now.map(([, age]) => age).filter((_, place) => place < from || place >= to);
  const middle = data.deal ? blocks(all, lane) : hands(all, seen);
  set(all.ground, { x1: left, x2: right, y1: ground, y2: ground });
  for (const { at, line, text } of all.ticks) {
    set(line, { x1: x(at), x2: x(at), y1: ground, y2: ground + 5 });
    set(text, { x: x(at), y: ground + 44 });
    text.textContent = at;
  }
  const needle = follow(all, "needle", x(middle));
  set(all.needle, { d: `M${needle} 26 V${ground + 25} m-6 6 l6 -9 l6 9 z` });
  set(all.said, { x: Math.min(wide - 80, Math.max(80, needle)), y: 16 });
  all.said.textContent = data.words.middle.replace("{age}", short(middle));
  const tall = data.stairs || data.heaps ? all.base + (data.stairs ? 54 : 6) : ground + 50;
  set(svg, { viewBox: `0 0 ${wide} ${tall}`, height: tall });
  set(all.walk, { display: data.stairs ? "inline" : "none" });
  set(all.results, { display: data.heaps ? "inline" : "none" });
  if (data.stairs) climb(all);
  if (data.heaps) pour(all);
  tellCrowd(all, seen, middle);
}

// the needle at the median, and the bands: what one person can do here, and among the worst people
function hands(all, seen) {
  const { data, x } = all;
  const [low, high] = reach(data, seen);
  const middle = median(data, seen);
  band(all, "global", x(Math.max(data.low, middle - data.global)), x(Math.min(data.high, middle + data.global)));
  band(all, "local", x(low), x(high));
  all.middles.replaceChildren();
  return middle;
}

// a small needle for each block, and the mean of them, which one person moves by one part of the line at most
function blocks(all, lane) {
  const { data, x } = all;
  const { middles, mean } = dealt(data, ages(all), data.deal, data.count);
  while (all.middles.childElementCount < data.count) all.middles.append(node("path", { class: "middle" }));
  while (all.middles.childElementCount > data.count) all.middles.lastChild.remove();
  middles.forEach((age, block) => {
    const at = follow(all, `middle${block}`, x(age));
    const up = follow(all, `lane${block}`, lane(data.count - 1 - block));
    set(all.middles.children[block], { d: `M${at} ${up + 1} v-18 m-5 -4 h10 l-5 7 z` });
  });
  const part = (data.high - data.low) / data.count;
  band(all, "global", x(Math.max(data.low, mean - part)), x(Math.min(data.high, mean + part)));
  band(all, "local", x(mean), x(mean));
  return mean;
}

// a band is seen even where it is a point
function band(all, name, from, to) {
  const [low, high] = [follow(all, `${name}-from`, from), follow(all, `${name}-to`, to)];
  const wide = Math.max(3, high - low);
  set(all[name], { x: (low + high - wide) / 2, width: wide, y: all.level + 8, height: 16 });
}

function climb(all) {
  const { data, left, right, base, top } = all;
  const heights = ladder(data, ages(all).sort((one, other) => one - other), data.most);
  const wide = (right - left) / (data.most + 1);
  const y = (height) => base - (height / data.global) * (PANEL - 12);
  const { pressed, bound, peak } = smooth(heights, data.beta ?? 0);
  heights.forEach((height, k) => {
    const [rung, under, text] = all.rungs[k];
    const up = follow(all, `rung${k}`, y(height));
    const low = follow(all, `pressed${k}`, y(data.beta ? pressed[k] : 0));
    set(rung, { x: left + k * wide, width: wide - 1, y: Math.min(up, base - 1), height: Math.max(1, base - up) });
    set(under, { x: left + k * wide, width: wide - 1, y: low, height: Math.max(0, base - low) });
    rung.classList.toggle("chosen", k === all.k);
    rung.classList.toggle("above", data.b !== undefined && height > all.b);
    set(text, { x: left + (k + 0.5) * wide, y: base + 26 });
    text.textContent = k % 4 ? "" : k;
  });
  const middle = (k) => left + (k + 0.5) * wide;
  set(all.floor, { x1: left, x2: right, y1: base, y2: base });
  set(all.across, { x: (left + right) / 2, y: base + 46 });
  write(all.across, data.words.distanced);
  set(all.upwards, { x: left, y: top - 10 });
  write(all.upwards, data.words.rungs);
  set(all.grip, { transform: `translate(${follow(all, "grip", middle(all.k))} ${base + 1})` });
  const show = (part, seen) => set(part, { display: seen ? "inline" : "none" });
  for (const part of [all.bar, all.bound, all.flag, all.gate, all.gated]) show(part, data.b !== undefined);
  for (const part of [all.noise, all.noised]) show(part, data.b !== undefined && ran(all));
  for (const part of [all.roof, all.ball]) show(part, data.beta !== undefined);
  if (data.beta !== undefined) {
    const points = Array.from({ length: 4 * data.most + 5 }, (_, at) => at / 4 - 0.5).filter((k) => k >= 0);
    const roof = points.map((k) => `${middle(k).toFixed(1)} ${y(data.global * Math.exp(-data.beta * k)).toFixed(1)}`);
    set(all.roof, { d: `M${roof.join(" L")}` });
    const [cx, cy] = [follow(all, "ball-x", middle(peak)), follow(all, "ball-y", y(bound))];
    set(all.ball, { cx, cy });
    write(all.flagged, data.words.roof.replace("{s}", short(known(all) ? data.smooth : bound)));
    beside(all, all.flagged, cx, cy - 10);
  }
  if (data.b !== undefined) {
    const up = follow(all, "bar", y(all.b), all.barred);
    set(all.line, { x1: left - right, x2: 0, y1: 0, y2: 0 });
    set(all.bar, { transform: `translate(${right} ${up})` });
    set(all.bound, { x: left + 2, y: up - 6 });
    write(all.bound, data.words.bound.replace("{b}", short(all.b)));
    const at = known(all) ? data.distance : distance(heights, all.b);
    const cx = follow(all, "flag", left + Math.min(at, data.most + 1) * wide);
    set(all.flag, { x1: cx, x2: cx, y1: top - 4, y2: base });
    write(all.flagged, data.words.distance.replace("{d}", at));
    beside(all, all.flagged, cx, top + 4);
    guard(all, (place) => left + Math.min(Math.max(place, 0), data.most + 1) * wide);
  }
}

// a run of the test, as long as people and bound are those that were tested
const ran = (all) => Boolean(all.tried) && all.tried.of === mine(all) && known(all);

// the gate at T, which falls open once the noisy distance reaches it, and the flag of that distance
function guard(all, x) {
  const { data, base, top } = all;
  const run = ran(all) ? all.tried : null;
  const open = run && !run.left && run.noisy >= data.least;
  const foot = follow(all, "gate", open ? top + 14 : base);
  set(all.gate, { x: x(data.least) - 3, y: top + 8, height: Math.max(2, foot - top - 8) });
  all.gate.classList.toggle("open", Boolean(open));
  write(all.gated, data.words.least.replace("{t}", data.least));
  beside(all, all.gated, x(data.least), top + 24);
  for (const part of [all.noise, all.noised]) set(part, { display: run ? "inline" : "none" });
  if (!run) return;
  const at = follow(all, "noise", x(run.noisy), Boolean(run.left));
  set(all.noise, { x1: at, x2: at, y1: top + 32, y2: base });
  write(all.noised, data.words.noisy.replace("{d}", run.noisy));
  beside(all, all.noised, at, top + 44);
}

// the flag trembles, then it rests where the noise has put it
function test(all) {
  const { drawn } = all.data;
  all.runs = ((all.runs ?? -1) + 1) % drawn.length;
  const run = (all.tried = { of: mine(all), left: still() ? 0 : TREMBLES });
  const next = () => {
    if (all.tried !== run) return;
    run.noisy = drawn[(all.runs + 7 * run.left) % drawn.length];
    all.play();
    if (!run.left) return;
    setTimeout(() => {
      run.left -= 1;
      next();
    }, TREMBLE);
  };
  next();
}

// a name on the side of the figure where there is room
function beside(all, name, at, height) {
  const room = at < (all.left + all.right) / 2;
  set(name, { x: at + (room ? 8 : -8), y: height, "text-anchor": room ? "start" : "end" });
}

function pour(all) {
  const { data, base, top, x } = all;
  const { at, heights, names } = data.heaps;
  const most = Math.max(...heights.with, ...heights.without);
  all.results.classList.toggle("stale", !known(all));
  for (const which of ["without", "with"]) {
    const tops = heights[which].map((height, place) => {
      const up = follow(all, `${which}${place}`, base - (height / most) * (PANEL - 26));
      return [x(at[place]), up];
    });
    const line = tops.map(([one, up]) => `${one.toFixed(1)} ${up.toFixed(1)}`).join(" L");
    set(all[`edge-${which}`], { d: `M${line}` });
    set(all[`heap-${which}`], { d: `M${x(at[0])} ${base} L${line} L${x(at.at(-1))} ${base} Z` });
    set(all[`name-${which}`], { x: all.left, y: top + (which === "with" ? -2 : 14) });
    write(all[`name-${which}`], names[which].replace("{who}", watchedOne(all)));
  }
}

const short = (number) => String(Math.round(number * 100) / 100);
const write = (place, text) => {
  if (place.textContent !== text) place.textContent = text;
};

function tellCrowd(all, seen, middle) {
  const { data, box } = all;
  const { words } = data;
  const [local] = ladder(data, seen, 0);
  const part = (data.high - data.low) / (data.count ?? 1);
  const key = (name, text) => {
    box.querySelector(`.keys .${name}`).hidden = !text;
    write(box.querySelector(`.keys .${name} span`), text ?? "");
  };
  key("local", data.deal ? null : words.here.replace("{years}", short(local)));
  const most = (data.deal ? words.block : words.anywhere).replace("{years}", short(data.deal ? part : data.global));
  key("global", data.heaps ? null : most);
  key("stair", data.stairs && words.stair.replace("{years}", short(rung(all))).replaceAll("{k}", all.k));
  for (const name of ACTS) write(all[name], words[name] ?? "");
  all.run.hidden = !data.drawn;
  all.run.disabled = !known(all);
  write(box.querySelector(".outcome"), data.drawn && ran(all) && !all.tried.left ? outcome(all) : "");
  const full = !all.bad && standing(all).length >= data.most;
  if (full) write(all.add, words.full);
  all.add.disabled = all.bad || full;
  all.remove.disabled = all.bad || !all.chosen || standing(all).length <= 1;
  all.worst.hidden = data.mode !== "people";
  all.worst.setAttribute("aria-pressed", String(Boolean(all.bad)));
  set(all.svg, {
    "aria-label": words.figure
      .replace("{n}", seen.length)
      .replace("{median}", short(median(data, seen)))
      .replace("{local}", short(local))
      .replace("{global}", short(data.global)),
  });
  standing(all).forEach((each) =>
    set(each.node, {
      "aria-label": each.who.name,
      "aria-valuemin": data.low,
      "aria-valuemax": data.high,
      "aria-valuenow": each.age,
      "aria-valuetext": words.years.replace("{age}", short(each.age)),
    }),
  );
  box.querySelector(".spy").hidden = !data.heaps;
  if (data.stairs) tellWalk(all);
  if (data.heaps) tellSpy(all);
}

function outcome({ data, tried: run }) {
  const said = run.noisy >= data.least ? data.words.open : data.words.shut;
  return said.replace("{d}", run.noisy).replace("{t}", data.least);
}

const rung = (all) => ladder(all.data, ages(all).sort((one, other) => one - other), all.k)[all.k];

function tellWalk(all) {
  const { data } = all;
  set(all.grip, {
    "aria-label": data.words.distanced,
    "aria-valuemin": 0,
    "aria-valuemax": data.most,
    "aria-valuenow": all.k,
    "aria-valuetext": data.words.stair.replace("{years}", short(rung(all))).replaceAll("{k}", all.k),
  });
  if (data.b === undefined) return;
  set(all.bar, {
    "aria-label": data.words.bar,
    "aria-valuemin": data.offered[0],
    "aria-valuemax": data.offered.at(-1),
    "aria-valuenow": all.b,
  });
}

function tellSpy(all) {
  const { data, box } = all;
  const { words, odds, limit } = data;
  const [before, rest] = words.spy.split("{n}");
  box.querySelector(".spy").classList.toggle("stale", !known(all));
  box.querySelector(".spy").classList.toggle("won", odds > limit + 1e-9);
  write(box.querySelector(".spy b"), String(of100(odds - 1e-9)));
  write(box.querySelector(".said"), `${before}${rest}`.trim().replace("{who}", watchedOne(all)));
  write(box.querySelector(".ends span"), words.coin);
  write(box.querySelector(".ends span:last-child"), words.sure);
  write(box.querySelector(".limit"), words.limit);
  box.querySelector(".gauge i").style.width = `${200 * (Math.max(0.5, odds) - 0.5)}%`;
  box.querySelector(".gauge u").style.left = `${200 * (limit - 0.5)}%`;
  score(all);
}

// the highest odds of each kind of noise that were reached at this epsilon, while the picture is open
function score(all) {
  const { data, box } = all;
  all.best ??= {};
  const best = (all.best[data.epsilon] ??= {});
  if (known(all)) best[data.way] = Math.max(best[data.way] ?? 0, data.odds);
  const place = box.querySelector(".best");
  const said = [document.createTextNode(data.words.best)];
  for (const [way, name] of Object.entries(data.ways)) {
    if (best[way] === undefined) continue;
    const part = document.createElement("span");
    part.className = best[way] > data.limit + 1e-9 ? "beaten" : "";
    part.textContent = `${name} ${of100(best[way] - 1e-9)}`;
    said.push(part);
  }
  const text = said.map((part) => part.textContent).join();
  if (place.dataset.said === text) return;
  place.dataset.said = text;
  place.replaceChildren(...said);
}

// what was changed here is sent when hands rest
function report(all, pause) {
  all.bad = false;
  all.play();
  clearTimeout(all.later);
  all.waits = true;
  all.later = setTimeout(() => {
    all.waits = false;
    all.sent = { said: mine(all), until: performance.now() + STALE };
    all.send("moved", { ages: ages(all), who: who(all), b: all.b });
  }, pause);
}

function press(all, made, event) {
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
  const { low, high } = all.data;
  if (event.key in steps) made.age = Math.min(high, Math.max(low, made.age + steps[event.key]));
  else if (event.key === "Home") made.age = low;
  else if (event.key === "End") made.age = high;
  else if (event.key === "Delete" || event.key === "Backspace") leave(all, made);
  else return;
  event.preventDefault();
  event.stopPropagation();
  all.k = 0;
  report(all, CALM);
}

function leave(all, made) {
  const stay = standing(all);
  if (stay.length <= 1) return;
  const at = stay.indexOf(made);
  made.left = true;
  all.gone.push(made.age);
  all.chosen = stay[at + 1] ?? stay[at - 1];
  if (made.node === made.node.getRootNode().activeElement) all.chosen.node.focus();
}

function come(all) {
  const made = person(all, all.gone.pop() ?? all.data.called);
  all.shown.set(`x${made.name}`, all.right + 36); // from the edge
  all.chosen = made;
}

// arrow keys of a handle that has so many places
function stepped(event, place, last) {
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 4, PageDown: -4 };
  const wish = event.key === "Home" ? 0 : event.key === "End" ? last : place + (steps[event.key] ?? NaN);
  if (Number.isNaN(wish)) return null;
  event.preventDefault();
  event.stopPropagation();
  return Math.min(last, Math.max(0, wish));
}

function act(all) {
  const { svg } = all;
  const spot = (event) => {
    const frame = svg.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  const aged = (event) => {
    const { low, high } = all.data;
    const age = low + ((spot(event)[0] - all.left) / (all.right - all.left)) * (high - low);
    return Math.min(high, Math.max(low, Math.round(age / STEP) * STEP));
  };
  const nearest = (event) => {
    const [across, down] = spot(event);
    const far = (each) => Math.hypot(across - all.shown.get(`x${each.name}`), down - all.shown.get(`y${each.name}`) + 10);
    const [first] = standing(all).sort((one, other) => far(one) - far(other));
    return first && far(first) < NEAR && down < all.level + 12 ? first : null;
  };
  const step = (event) => {
    const [across, down] = spot(event);
    const place = Math.floor(((across - all.left) / (all.right - all.left)) * (all.data.most + 1));
    return all.data.stairs && down > all.top - 6 ? Math.min(all.data.most, Math.max(0, place)) : null;
  };
  const barred = (event) => {
    const [across, down] = spot(event);
    const near = Math.hypot(across - all.right, down - (all.shown.get("bar") ?? -100)) < NEAR;
    return all.data.b !== undefined && near;
  };
  const lift = (event) => {
    const height = ((all.base - spot(event)[1]) / (PANEL - 12)) * all.data.global;
    const far = (each) => Math.abs(each - height);
    all.b = all.data.offered.reduce((best, each) => (far(each) < far(best) ? each : best));
  };
  svg.addEventListener("pointerdown", (event) => {
    const made = nearest(event);
    all.barred = !made && barred(event);
    const k = made || all.barred ? null : step(event);
    if (!made && !all.barred && k === null) return;
    event.preventDefault();
    svg.setPointerCapture(event.pointerId);
    if (made) {
      all.held = made;
      all.before = mine(all);
      made.node.focus({ preventScroll: true });
      elect(all, made);
    } else if (k !== null) {
      all.k = k;
      all.climbing = true;
      all.grip.focus({ preventScroll: true });
    } else all.bar.focus({ preventScroll: true });
    all.play();
  });
  svg.addEventListener("pointermove", (event) => {
    svg.classList.toggle("near", Boolean(all.held ?? nearest(event)));
    if (all.held) {
      Object.assign(all, { bad: false, k: 0 });
      all.held.age = aged(event);
    } else if (all.barred) lift(event);
    else if (all.climbing) all.k = step(event) ?? all.k;
    else return;
    all.play();
  });
  const drop = () => {
    const changed = (all.held && mine(all) !== all.before) || all.barred;
    Object.assign(all, { held: null, barred: false, climbing: false });
    if (changed || !known(all)) report(all, 0);
  };
  for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, drop);
  svg.addEventListener("touchmove", (event) => (all.barred || all.climbing) && event.preventDefault(), { passive: false });
  all.grip.addEventListener("keydown", (event) => {
    all.k = stepped(event, all.k, all.data.most) ?? all.k;
    all.play();
  });
  all.bar.addEventListener("keydown", (event) => {
    const { offered } = all.data;
    const place = stepped(event, offered.indexOf(all.b), offered.length - 1);
    if (place === null) return;
    all.b = offered[place];
    report(all, CALM);
  });
  all.run.addEventListener("click", () => test(all));
  all.add.addEventListener("click", () => (come(all), report(all, 0)));
  all.remove.addEventListener("click", () => (leave(all, all.chosen), report(all, 0)));
  all.again.addEventListener("click", () => {
    all.gone = [];
    all.k = 0;
    settle(all, all.data.first);
    report(all, 0);
  });
  all.worst.addEventListener("click", () => (all.bad ? mend(all) : worsen(all)));
  all.watch = new ResizeObserver(() => {
    all.share = 1;
    draw(all);
  });
  all.watch.observe(all.box);
}

// other ages: people move there in their order; those who are missing come from the edge, others leave to it
function settle(all, wish) {
  while (standing(all).length > wish.length) standing(all).at(-1).left = true;
  while (standing(all).length < wish.length) {
    const made = person(all, wish.at(-1));
    if (all.right) all.shown.set(`x${made.name}`, all.right + 36);
  }
  standing(all).forEach((each, at) => (each.age = wish[at]));
  if (!all.chosen || all.chosen.left) all.chosen = standing(all).find((each) => each.who.name === all.data.mia.name) ?? standing(all).at(-1);
}

// what the server knows counts, except while a hand is at work or its last word has not been heard
function adopt(all, data) {
  const said = stamp(data, data.ages, data.who, data.b);
  if (all.sent && (said === all.sent.said || performance.now() > all.sent.until)) all.sent = null;
  all.b ??= data.b;
  if (data.mode !== all.mode) {
    const { bad } = all;
    Object.assign(all, { mode: data.mode, k: 0, sent: null });
    if (bad) mend(all);
  }
  if (all.held || all.barred || all.sent || all.waits || said === mine(all)) return;
  if (data.ages.join() !== ages(all).join()) settle(all, data.ages);
  if (data.who !== undefined) all.chosen = standing(all)[data.who - 1] ?? all.chosen;
  if (data.b !== undefined) all.b = data.b;
  all.bad = false;
}

function crowd({ data, parentElement, setTriggerValue }) {
  let all = parentElement.discreetCrowd;
  const born = !all;
  if (born) all = parentElement.discreetCrowd = assemble(parentElement, data);
  Object.assign(all, { data, send: setTriggerValue });
  all.play ??= () => {
    if (all.frame) return;
    let last = performance.now();
    const next = (now) => {
      all.frame = 0;
      all.share = still() ? 1 : 1 - Math.exp(-Math.max(0, now - last) / EASE);
      last = now;
      all.moving = false;
      draw(all);
      if (all.moving && all.box.isConnected) all.frame = requestAnimationFrame(next);
    };
    all.frame = requestAnimationFrame(next);
  };
  adopt(all, data);
  if (born) {
    all.share = 1;
    draw(all);
    act(all);
  }
  all.play();
}
