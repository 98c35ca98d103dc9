// Results fall one by one on their values, and pile up. They were drawn by the server.
const FALL = 450; // milliseconds of one fall
const SPACING = 22; // between two of a hundred
const ROOM = { left: 12, right: 12, top: 8, bottom: 40 };

function build(root, words) {
  const make = (kind, name) => {
    const node = document.createElement(kind);
    node.className = name;
    return node;
  };
  const all = { box: make("div", "falling"), canvas: make("canvas", "field"), row: make("div", "row") };
  all.canvas.setAttribute("role", "img");
  all.status = make("p", "status");
  all.status.setAttribute("role", "status");
  for (const name of ["one", "hundred", "again"]) {
    all[name] = make("button", name);
    all[name].type = "button";
    all.row.append(all[name]);
  }
  all.row.append(all.status);
  all.box.append(all.canvas, all.row);
  root.append(all.box);
  return all;
}

function paint(all) {
  const { canvas, data } = all;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const scale = window.devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const [ink, text] = [style.getPropertyValue("--st-primary-color"), style.getPropertyValue("--st-text-color")];
  const piles = data.labels.map(() => 0);
  const moving = all.moving;
  for (const place of data.piles.slice(0, all.landed)) piles[place] += 1;
  const most = Math.max(10, ...piles) * 1.1;
  const step = (width - ROOM.left - ROOM.right) / piles.length;
  const ground = height - ROOM.bottom;
  const tall = (count) => (count / most) * (ground - ROOM.top);
  pen.fillStyle = ink;
  piles.forEach((count, place) => {
    const high = tall(count);
    pen.fillRect(ROOM.left + place * step + 1, ground - high, Math.max(1, step - 2), high);
  });
  for (const drop of moving.filter((one) => one.share > 0)) {
    const end = ground - tall(piles[drop.place]);
    pen.beginPath();
    pen.arc(ROOM.left + (drop.place + 0.5) * step, ROOM.top + (end - ROOM.top) * drop.share ** 2, 5, 0, 7);
    pen.fill();
  }
  pen.fillStyle = text;
  pen.strokeStyle = text;
  pen.font = `13px ${style.fontFamily}`;
  pen.textAlign = "center";
  if (data.truth !== null) {
    const x = ROOM.left + (data.truth + 0.5) * step;
    pen.setLineDash([3, 3]);
    pen.beginPath();
    pen.moveTo(x, ROOM.top);
    pen.lineTo(x, ground);
    pen.stroke();
    pen.setLineDash([]);
  }
  const every = Math.max(1, Math.ceil((64 * piles.length) / Math.max(1, width)));
  data.labels.forEach((label, place) => {
    if (place % every === Math.floor(every / 2) || every === 1)
      pen.fillText(label, ROOM.left + (place + 0.5) * step, ground + 16);
  });
  pen.fillText(data.axis, width / 2, ground + 34);
}

function tell(all) {
  const { data, landed } = all;
  const shown = data.values.slice(0, landed);
  const mean = shown.reduce((sum, value) => sum + value, 0) / Math.max(1, landed);
  const fill = (text) =>
    text
      .replace("{n}", String(landed))
      .replace("{last}", landed ? data.texts[landed - 1] : "–")
      .replace("{mean}", landed ? mean.toLocaleString("en", { maximumFractionDigits: data.digits }) : "–");
  all.status.textContent = fill(data.words.status);
  all.canvas.setAttribute("aria-label", `${data.words.figure} ${all.status.textContent}`);
  all.one.disabled = all.hundred.disabled = all.asked >= data.piles.length;
}

function drop(all, many) {
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const until = Math.min(all.data.piles.length, all.asked + many);
  if (calm) {
    all.asked = all.landed = until;
    all.moving = [];
    paint(all);
    tell(all);
    return;
  }
  const begin = performance.now();
  for (let at = all.asked, turn = 0; at < until; at += 1, turn += 1)
    all.moving.push({ place: all.data.piles[at], start: begin + turn * SPACING, share: 0 });
  all.asked = until;
  tell(all);
  if (!all.running) requestAnimationFrame((now) => fall(all, now));
  all.running = true;
}

function fall(all, now) {
  for (const one of all.moving) one.share = Math.min(1, Math.max(0, (now - one.start) / FALL));
  const landed = all.moving.filter((one) => one.share >= 1).length;
  all.landed += landed;
  all.moving = all.moving.filter((one) => one.share < 1);
  paint(all);
  if (landed) tell(all);
  all.running = all.moving.length > 0;
  if (all.running) requestAnimationFrame((later) => fall(all, later));
}

function begin(all, first = 0) {
  Object.assign(all, { landed: 0, asked: 0, moving: [] });
  paint(all);
  tell(all);
  if (first) drop(all, first);
}

export default ({ data, parentElement }) => {
  const all = (parentElement.falling ??= build(parentElement));
  const same = all.draws === data.draws;
  Object.assign(all, { data, draws: data.draws });
  for (const name of ["one", "hundred", "again"]) all[name].textContent = data.words[name];
  all.one.onclick = () => drop(all, 1);
  all.hundred.onclick = () => drop(all, 100);
  all.again.onclick = () => begin(all);
  all.sight ??= new ResizeObserver(() => paint(all));
  all.sight.observe(all.canvas); // each time: a busy page unmounts and remounts
  if (!same) begin(all, data.first);
  else {
    paint(all);
    tell(all);
  }
  return () => all.sight.disconnect();
};
