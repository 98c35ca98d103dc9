// A crowd on a line of ages: each person is moved by mouse, finger or keys, and a needle stands at their median.
// Formulas: the ladder of queries/median.py. Push.js comes before this file and has node, set and still.
const STEP = 0.5; // of an age
const ROW = 19; // height of a person above another one
const ROWS = 8;
const WIDE = 15; // of a person
const NEAR = 30; // as far as a finger may miss
const EASE = 80; // milliseconds in which most of a movement is done
const CALM = 300; // after a key, before the server is asked
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

const PARTS = `<svg role="group"></svg><div class="keys"></div><div class="acts"></div>`;

function assemble(host, data) {
  const box = document.createElement("div");
  box.className = "push crowd";
  box.innerHTML = PARTS;
  host.append(box);
  const all = { box, svg: box.querySelector("svg"), people: [], gone: [], shown: new Map(), ticks: [] };
  const part = (key, name, attributes, into = all.svg) => into.append((all[key] = node(name, attributes)));
  part("global", "rect", { class: "band global" });
  part("local", "rect", { class: "band local" });
  part("ground", "line", { class: "ground" });
  for (let at = data.low; at <= data.high; at += (data.high - data.low) / 5) {
    const [line, text] = [node("line", { class: "tick" }), node("text", { "text-anchor": "middle" })];
    all.svg.append(line, text);
    all.ticks.push({ at, line, text });
  }
  part("needle", "path", { class: "needle" });
  part("said", "text", { class: "name truth", "text-anchor": "middle" });
  part("stand", "g");
  for (const name of ["local", "global"]) {
    const key = document.createElement("p");
    key.className = name;
    key.innerHTML = "<i></i><span></span>";
    box.querySelector(".keys").append(key);
  }
  for (const name of ["add", "remove", "worst", "again"]) {
    const button = document.createElement("button");
    button.type = "button";
    box.querySelector(".acts").append((all[name] = button));
  }
  return all;
}

// people who stand, in the order of their ages
const standing = (all) => all.people.filter((each) => !each.left).sort((one, other) => one.age - other.age);
const ages = (all) => standing(all).map((each) => each.age);

function person(all, age) {
  const made = { age, name: (all.names = (all.names ?? 0) + 1), node: node("g", { class: "person", role: "slider" }) };
  made.node.append(node("circle", { class: "ring", cx: 0, cy: -10, r: 13 }), figure());
  set(made.node, { tabindex: 0, "aria-orientation": "horizontal" });
  made.node.addEventListener("focus", () => elect(all, made));
  made.node.addEventListener("keydown", (event) => press(all, made, event));
  all.people.push(made);
  all.stand.append(made.node);
  return made;
}

function figure() {
  const group = node("g", { class: "figure" });
  group.append(node("circle", { cx: 0, cy: -15.5, r: 3.8 }), node("path", { d: "M-6.5 -1 a6.5 10 0 0 1 13 0 z" }));
  return group;
}

function elect(all, made) {
  all.chosen = made;
  all.play();
}

// where people stand now: their own ages, or the worst ones
function places(all) {
  const own = standing(all);
  if (!all.bad) return new Map(own.map((each) => [each, each.age]));
  const low = Math.floor(own.length / 2);
  return new Map(own.map((each, at) => [each, at < low ? all.data.low : all.data.high]));
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

// the rows in which people stand who would cover each other
function rows(line, x) {
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
  Object.assign(all, { left, right });
  const now = [...places(all)].sort((one, other) => one[1] - other[1]);
  const seen = now.map(([, age]) => age);
  const put = rows(now, x);
  const tight = Math.min(1, ROWS / Math.max(...put.map(([, , row]) => row), 1));
  for (const [each, age, row] of put) {
    const held = all.held === each;
    const at = follow(all, `x${each.name}`, x(age), held);
    const up = follow(all, `y${each.name}`, ground - 2 - row * ROW * tight);
    set(each.node, { transform: `translate(${at.toFixed(2)} ${up.toFixed(2)})` });
    each.node.classList.toggle("with", all.chosen === each);
  }
  for (const each of all.people.filter((one) => one.left)) {
    const at = follow(all, `x${each.name}`, wide + 20);
    set(each.node, { transform: `translate(${at.toFixed(2)} ${all.shown.get(`y${each.name}`)})` });
    if (at === wide + 20) each.node.remove();
  }
  all.people = all.people.filter((each) => each.node.isConnected);
  const [low, high] = reach(data, seen);
  const middle = median(data, seen);
  band(all, "global", x(Math.max(data.low, middle - data.global)), x(Math.min(data.high, middle + data.global)), ground);
  band(all, "local", x(low), x(high), ground);
  set(all.ground, { x1: left, x2: right, y1: ground, y2: ground });
  for (const { at, line, text } of all.ticks) {
    set(line, { x1: x(at), x2: x(at), y1: ground, y2: ground + 5 });
    set(text, { x: x(at), y: ground + 44 });
    text.textContent = at;
  }
  const needle = follow(all, "needle", x(middle));
  set(all.needle, { d: `M${needle} 26 V${ground + 25} m-6 6 l6 -9 l6 9 z` });
  set(all.said, { x: Math.min(wide - 50, Math.max(50, needle)), y: 16 });
  all.said.textContent = data.words.median.replace("{age}", short(middle));
  set(svg, { viewBox: `0 0 ${wide} ${ground + 50}`, height: ground + 50 });
  tellCrowd(all, seen, middle);
}

// a band is seen even where it is a point
function band(all, name, from, to, ground) {
  const [low, high] = [follow(all, `${name}-from`, from), follow(all, `${name}-to`, to)];
  set(all[name], { x: Math.min(low, (low + high) / 2 - 1.5), width: Math.max(3, high - low), y: ground + 8, height: 16 });
}

const short = (number) => String(Math.round(number * 1000) / 1000);

function tellCrowd(all, seen, middle) {
  const { data, box } = all;
  const { words } = data;
  const write = (place, text) => {
    if (place.textContent !== text) place.textContent = text;
  };
  const [local] = ladder(data, seen, 0);
  write(box.querySelector(".keys .local span"), words.local.replace("{years}", short(local)));
  write(box.querySelector(".keys .global span"), words.global.replace("{years}", short(data.global)));
  for (const name of ["add", "remove", "worst", "again"]) write(all[name], words[name]);
  all.add.disabled = all.bad || standing(all).length >= data.most;
  all.remove.disabled = all.bad || !all.chosen || standing(all).length <= 1;
  all.worst.setAttribute("aria-pressed", String(Boolean(all.bad)));
  set(all.svg, {
    "aria-label": words.figure
      .replace("{n}", seen.length)
      .replace("{median}", short(middle))
      .replace("{local}", short(local))
      .replace("{global}", short(data.global)),
  });
  standing(all).forEach((each, at) =>
    set(each.node, {
      "aria-label": words.person.replace("{n}", at + 1),
      "aria-valuemin": data.low,
      "aria-valuemax": data.high,
      "aria-valuenow": each.age,
      "aria-valuetext": words.years.replace("{age}", short(each.age)),
    }),
  );
}

// what was changed here is sent when hands rest
function report(all, pause) {
  all.bad = false;
  all.play();
  clearTimeout(all.later);
  all.later = setTimeout(() => {
    all.sent = { ages: ages(all).join(), until: performance.now() + STALE };
    all.send("moved", { ages: ages(all) });
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

function act(all) {
  const { svg, data } = all;
  const aged = (event) => {
    const frame = svg.getBoundingClientRect();
    const share = (event.clientX - frame.left - all.left) / (all.right - all.left);
    const age = data.low + share * (data.high - data.low);
    return Math.min(data.high, Math.max(data.low, Math.round(age / STEP) * STEP));
  };
  const nearest = (event) => {
    const frame = svg.getBoundingClientRect();
    const far = (each) =>
      Math.hypot(
        event.clientX - frame.left - all.shown.get(`x${each.name}`),
        event.clientY - frame.top - all.shown.get(`y${each.name}`) + 10,
      );
    const [first] = standing(all).sort((one, other) => far(one) - far(other));
    return first && far(first) < NEAR ? first : null;
  };
  svg.addEventListener("pointerdown", (event) => {
    const made = nearest(event);
    if (!made) return;
    event.preventDefault();
    svg.setPointerCapture(event.pointerId);
    all.held = made;
    all.before = made.age;
    made.node.focus({ preventScroll: true });
    elect(all, made);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!all.held) {
      svg.classList.toggle("near", Boolean(nearest(event)));
      return;
    }
    all.bad = false;
    all.held.age = aged(event);
    all.play();
  });
  const drop = () => {
    const made = all.held;
    all.held = null;
    if (made && made.age !== all.before) report(all, 0);
  };
  for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, drop);
  all.add.addEventListener("click", () => (come(all), report(all, 0)));
  all.remove.addEventListener("click", () => (leave(all, all.chosen), report(all, 0)));
  all.again.addEventListener("click", () => (settle(all, all.data.first), report(all, 0)));
  all.worst.addEventListener("click", () => {
    all.bad = !all.bad;
    all.play();
  });
  all.watch = new ResizeObserver(() => {
    all.share = 1;
    draw(all);
  });
  all.watch.observe(all.box);
}

// other ages: the same people in the same order move there; those who are missing come from the edge or leave to it
function settle(all, wish) {
  const wanted = [...wish].sort((one, other) => one - other);
  while (standing(all).length > wanted.length) standing(all).at(-1).left = true;
  while (standing(all).length < wanted.length) {
    const made = person(all, wanted.at(-1));
    if (all.right) all.shown.set(`x${made.name}`, all.right + 36);
  }
  standing(all).forEach((each, at) => (each.age = wanted[at]));
  if (!all.chosen || all.chosen.left) all.chosen = standing(all).at(-1);
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
  const said = [...data.ages].sort((one, other) => one - other).join();
  if (all.sent && (said === all.sent.ages || performance.now() > all.sent.until)) all.sent = null;
  if (!all.held && !all.sent && said !== ages(all).join()) {
    all.bad = false;
    settle(all, data.ages);
  }
  if (born) {
    all.share = 1;
    draw(all);
    act(all);
  }
  all.play();
}
