// Letters of a formula: each shows its meaning, and highlights its marks on the figure and its controls
// while it is hovered, focused or pressed.
const [LIT, DIM] = ["discreet-lit", "discreet-dim"];
const AGAIN = 300; // milliseconds after which a redrawn figure is highlighted again

// a name with wildcards for its values: "k = {k}" matches "k = 238"
const pattern = (name) => {
  const parts = name.split(/\{[^}]*\}/u).map((part) => part.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`, "u");
};

const plain = (text) => {
  const box = document.createElement("textarea");
  box.innerHTML = text ?? "";
  return box.value.trim();
};

// all named elements of a figure with their names: lines and bars, marks, axes, handles, numbers above it
function named(card) {
  const graph = card.querySelector(".js-plotly-plot");
  const parts = [...card.querySelectorAll("[data-testid=stMetric]")].map((node) => [
    node,
    node.querySelector("[data-testid=stMetricLabel]")?.textContent,
  ]);
  for (const node of card.querySelectorAll(".discreet-handle")) parts.push([node, node.getAttribute("aria-label")]);
  if (!graph?._fullLayout) return parts;
  for (const node of graph.querySelectorAll(".cartesianlayer .trace"))
    parts.push([node, [node.__data__].flat()[0]?.trace?.name]);
  const { shapes = [], annotations = [] } = graph._fullLayout;
  for (const [at, shape] of shapes.entries())
    parts.push([graph.querySelector(`.shapelayer [data-index="${at}"]`), shape.name]);
  for (const [at, note] of annotations.entries())
    parts.push([graph.querySelector(`.annotation[data-index="${at}"]`), note.text]);
  for (const node of graph.querySelectorAll(".xtitle, .ytitle, .y2title, .xtick text, .ytick text"))
    parts.push([node, node.textContent]);
  return parts.filter(([node, name]) => node && name);
}

function controls(data, sign) {
  const keys = data.letters[sign].controls.map((name) => `st-key-${data.prefix}-${name}`);
  return keys.flatMap((key) => [...document.querySelectorAll(`[class*="${key}"]`)]);
}

function clear() {
  for (const node of document.querySelectorAll(`.${LIT}, .${DIM}`)) node.classList.remove(LIT, DIM);
}

// words with raised powers
const write = (node, text) =>
  node.replaceChildren(
    ...text.split(/<\/?sup>/u).map((part, at) => (at % 2 ? Object.assign(document.createElement("sup"), { textContent: part }) : part)),
  );

function light(own) {
  const { data, sign } = own;
  clear();
  write(own.words, sign ? data.letters[sign].words : data.hint);
  for (const [each, button] of Object.entries(own.buttons))
    button.setAttribute("aria-pressed", String(each === own.pinned));
  if (!sign) return;
  own.buttons[sign].classList.add(LIT);
  for (const leaf of leaves(own)) if (leaf.textContent === sign) leaf.classList.add(LIT);
  for (const node of controls(data, sign)) node.classList.add(LIT);
  const card = document.querySelector(".st-key-lesson-figure");
  const names = data.letters[sign].marks.map(pattern);
  const parts = card ? named(card) : [];
  const mine = parts.filter(([, name]) => names.some((one) => one.test(plain(name))));
  for (const [node] of mine) node.classList.add(LIT);
  if (mine.length) for (const [node] of parts) if (node.closest(".trace")) node.classList.toggle(DIM, !node.classList.contains(LIT));
}

const leaves = ({ panel }) =>
  [...panel().querySelectorAll(".katex-html .mord, .katex-html .mop")].filter((node) => node.childElementCount === 0);

// mouse and touch events of a letter, in the formula or in the list
function listen(own, node, sign) {
  node.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && show(own, sign));
  node.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && show(own, own.pinned));
  node.addEventListener("click", () => {
    own.pinned = own.pinned === sign ? null : sign;
    show(own, own.pinned);
  });
}

function show(own, sign) {
  own.sign = sign;
  light(own);
}

function letter(own, sign) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = sign;
  button.addEventListener("focus", () => button.matches(":focus-visible") && show(own, sign));
  button.addEventListener("blur", () => show(own, own.pinned));
  button.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    own.pinned = null;
    show(own, null);
  });
  listen(own, button, sign);
  return button;
}

function begin(own, parent) {
  const row = document.createElement("div");
  row.className = "discreet-letters";
  for (const sign of Object.keys(own.data.letters)) {
    own.buttons[sign] = letter(own, sign);
    row.append(own.buttons[sign]);
  }
  own.words.setAttribute("role", "status");
  own.words.className = "discreet-meaning";
  parent.replaceChildren(row, own.words);
}

export default ({ data, parentElement }) => {
  const root = parentElement.querySelector?.(".discreet-root") ?? document.createElement("div");
  root.className = "discreet-root";
  if (!root.parentNode) parentElement.append(root);
  const before = root.discreet;
  const own = (root.discreet = before ?? { pinned: null, sign: null, words: document.createElement("p") });
  own.data = data;
  own.panel = () => root.closest(`.st-key-${data.prefix}-formulas`) ?? root;
  if (own.drawn !== JSON.stringify(data)) {
    Object.assign(own, { buttons: {}, pinned: null, sign: null, drawn: JSON.stringify(data) });
    begin(own, root);
    light(own);
  }
  const tend = () => {
    for (const leaf of leaves(own)) {
      if (leaf.dataset.letter || !data.letters[leaf.textContent]) continue;
      leaf.dataset.letter = leaf.textContent;
      listen(own, leaf, leaf.textContent);
    }
    if (own.sign) light(own);
  };
  clearInterval(own.tending); // formulas and figures may be drawn later, and redrawn
  own.tending = setInterval(tend, AGAIN);
  tend();
  return () => {
    clearInterval(own.tending);
    clear();
  };
};
