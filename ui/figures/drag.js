// Handles on a figure: each is at a position of an axis, and moves between public values,
// by mouse, touch or keyboard. The figure is Plotly's, whose axes give the positions of values.
// A handle without a value yet (at = -1) waits in the middle; one with `press` moves to where the figure is clicked.
const PAUSE = 120; // milliseconds between two moves that are sent during a drag
const FAST = 10; // values that the page keys move by, at most a tenth of all
const STILL = 10; // pixels within which a touch is a press and not a scroll
const AWAY = 1000; // milliseconds after which handles are removed with their figure
const RADIUS = 16; // pixels of a handle: on the edge of a figure it would cover the numbers of the axis
const PATIENCE = 5000; // milliseconds that a move may be pending before the value of the app counts

const pixels = (axis, place) => axis._offset + (axis.type === "category" ? axis.c2p(place) : axis.d2p(place));

function nearest(handle, axis, pixel) {
  const away = handle.places.map((place) => Math.abs(pixels(axis, place) - pixel));
  return away.indexOf(Math.min(...away));
}

const middle = (handle) => (handle.places.length - 1) >> 1;

// the index of the value nearest to the pointer, or null outside the figure
function pointed(stage, handle, event, within) {
  const { xaxis, yaxis } = stage.graph._fullLayout;
  const box = stage.graph.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  const inside = (axis, pixel) => pixel >= axis._offset && pixel <= axis._offset + axis._length;
  if (within && !(inside(xaxis, x) && inside(yaxis, y))) return null;
  return handle.axis === "x" ? nearest(handle, xaxis, x) : nearest(handle, yaxis, y);
}

// a mouse drags the point immediately; a touch moves it when it ends where it began
function press(stage, event) {
  const own = [...stage.handles.values()].find(({ handle }) => handle.press);
  if (!own || event.target.closest(".discreet-handle, .modebar, button") || !arrange(stage)) return;
  const at = pointed(stage, own.handle, event, true);
  if (at === null) return;
  if (event.pointerType === "mouse") {
    own.move(at);
    own.hold(event);
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  const lifted = (end) => {
    if (Math.hypot(end.clientX - event.clientX, end.clientY - event.clientY) < STILL) own.move(at);
  };
  window.addEventListener("pointerup", lifted, { once: true });
  window.addEventListener("pointercancel", () => window.removeEventListener("pointerup", lifted), { once: true });
}

function knob(stage, handle) {
  const node = document.createElement("div");
  node.setAttribute("role", "slider");
  node.tabIndex = 0;
  node.className = "discreet-handle";
  const words = document.createElement("span");
  node.append(words);
  stage.layer.append(node);
  const own = { node, words, handle, at: handle.at, sent: 0, timer: null, moved: 0 };

  const tell = () => {
    clearTimeout(own.timer);
    const wait = Math.max(0, own.sent + PAUSE - Date.now());
    own.timer = setTimeout(() => {
      own.sent = Date.now();
      stage.send("moved", { control: own.handle.control, at: own.at });
    }, wait);
  };
  const move = (at) => {
    const last = own.handle.places.length - 1;
    const next = Math.min(last, Math.max(0, at));
    if (next === own.at) return;
    own.at = next;
    own.moved = Date.now();
    put(stage, own);
    tell();
  };
  own.move = move;
  own.hold = (event) => {
    node.setPointerCapture(event.pointerId);
    node.classList.add("held");
    node.focus({ preventScroll: true });
  };
  node.addEventListener("pointerdown", (event) => {
    own.hold(event);
    event.preventDefault();
  });
  node.addEventListener("pointermove", (event) => {
    if (node.classList.contains("held") && arrange(stage)) move(pointed(stage, own.handle, event, false));
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
    node.addEventListener(end, () => node.classList.remove("held"));
  node.addEventListener("keydown", (event) => {
    const { places } = own.handle;
    const page = Math.max(1, Math.min(FAST, Math.round(places.length / 10)));
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: page, PageDown: -page };
    const way = places[places.length - 1] >= places[0] ? 1 : -1; // to the right, whether values grow or fall there
    const from = own.at < 0 ? middle(own.handle) : own.at;
    if (event.key in steps) move(from + way * steps[event.key]);
    else if (event.key === "Home") move(way > 0 ? 0 : places.length - 1);
    else if (event.key === "End") move(way > 0 ? places.length - 1 : 0);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return own;
}

// A response to an earlier move does not move the handle back if it was moved since: the last move would be lost,
// or sent with the wrong value. It has settled when the app reports its value.
function settle(own) {
  if (own.node.classList.contains("held")) return;
  if (own.at !== own.handle.at && Date.now() - own.moved < PATIENCE) return;
  [own.at, own.moved] = [own.handle.at, 0];
}

function put(stage, own) {
  settle(own);
  const { xaxis, yaxis } = stage.graph._fullLayout;
  const { handle, node, words } = own;
  const at = own.at < 0 ? middle(handle) : own.at;
  const text = own.at < 0 ? handle.nowhere : handle.texts[at];
  const across = handle.axis === "x";
  const here = pixels(across ? xaxis : yaxis, handle.places[at]);
  const there = across
    ? handle.beside === null ? yaxis._offset + yaxis._length - RADIUS : pixels(yaxis, handle.beside)
    : handle.beside === null ? xaxis._offset + xaxis._length : pixels(xaxis, handle.beside) + handle.shift * xaxis._length;
  node.style.left = `${across ? here : there}px`;
  node.style.top = `${across ? there : here}px`;
  node.style.cursor = across ? "ew-resize" : "ns-resize";
  node.dataset.axis = handle.axis;
  words.textContent = text;
  node.classList.toggle("waiting", own.at < 0);
  node.setAttribute("aria-label", handle.name);
  node.setAttribute("aria-orientation", across ? "horizontal" : "vertical");
  node.setAttribute("aria-valuemin", "0");
  node.setAttribute("aria-valuemax", String(handle.places.length - 1));
  node.setAttribute("aria-valuenow", String(at));
  node.setAttribute("aria-valuetext", text);
}

function arrange(stage) {
  const graph = stage.host()?.querySelector(".js-plotly-plot");
  if (!graph?._fullLayout?.xaxis || !graph.getBoundingClientRect().width) return false; // it is being redrawn
  if (graph !== stage.graph) {
    stage.graph = graph;
    graph.on("plotly_afterplot", () => arrange(stage));
  }
  const host = stage.host(); // the figure in it is redrawn during a drag: the handles must outlive it
  if (stage.layer.parentNode !== host) {
    host.style.position = "relative";
    host.append(stage.layer);
    host.addEventListener("pointerdown", stage.press, true); // adding the same listener again has no effect
  }
  const [inner, outer] = [graph.getBoundingClientRect(), host.getBoundingClientRect()];
  stage.layer.style.translate = `${inner.left - outer.left}px ${inner.top - outer.top}px`;
  for (const own of stage.handles.values()) put(stage, own);
  return true;
}

export default ({ data, parentElement, setTriggerValue }) => {
  const stage = (parentElement.discreet ??= { handles: new Map(), layer: document.createElement("div"), graph: null });
  stage.send = setTriggerValue;
  stage.press ??= (event) => press(stage, event);
  stage.host = () => document.querySelector(`.st-key-${data.within}`);
  stage.layer.className = "discreet-handles";
  for (const handle of data.handles) {
    const own = stage.handles.get(handle.control) ?? knob(stage, handle);
    own.handle = handle;
    stage.handles.set(handle.control, own);
  }
  for (const [control, own] of stage.handles)
    if (!data.handles.some((handle) => handle.control === control)) {
      own.node.remove();
      stage.handles.delete(control);
    }
  clearTimeout(stage.farewell);
  clearInterval(stage.watch); // Plotly may draw later, and redraw
  stage.watch = setInterval(() => arrange(stage), 250);
  arrange(stage);
  return () => {
    clearInterval(stage.watch);
    // a busy page unmounts and remounts immediately: handles keep focus and pointer only if they are not removed
    stage.farewell = setTimeout(() => stage.layer.remove(), AWAY);
  };
};
