// A button that saves the figure above it as a PNG: its elements with their styles, drawn by the browser alone.
const SCALE = 2;
const EDGE = 16; // pixels around the figure
const LINE = 22; // height of a line of the title
const FAMILY = "Source Sans"; // Streamlit's
const TEXT = /SourceSans[^/]*\.woff2/i;

// the last figure before the button: that of its card
function above(button) {
  const figures = [...document.querySelectorAll("figure.fig")];
  return figures.filter((each) => each.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING).pop();
}

// a copy that looks the same without the page's styles
function copied(element) {
  const copy = element.cloneNode(true);
  const parts = [element, ...element.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((each, at) => {
    const style = getComputedStyle(parts[at]);
    each.setAttribute("style", [...style].map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
    each.removeAttribute("class");
  });
  copy.style.margin = "0";
  return copy;
}

function lines(words, most, pen) {
  const found = [""];
  for (const word of words.split(/(?<=\s)/)) {
    if (found.at(-1) && pen.measureText(found.at(-1) + word).width > most) found.push("");
    found[found.length - 1] += word;
  }
  return found;
}

// the page's own font, as an image has no access to it; without it the system's
async function fonts() {
  const loaded = performance.getEntriesByType("resource").map((each) => each.name);
  const file = loaded.find((each) => TEXT.test(each) && !/italic/i.test(each));
  if (!file) return "";
  const whole = await (await fetch(file)).blob();
  const address = await new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(whole);
  });
  return `<style>@font-face{font-family:"${FAMILY}";font-weight:200 900;src:url(${address})}</style>`;
}

async function save(figure, { title, name }) {
  const page = document.querySelector("[data-testid=stApp]");
  const font = `600 16px ${getComputedStyle(page).fontFamily}`;
  const { width, height } = figure.getBoundingClientRect();
  const whole = new XMLSerializer().serializeToString(copied(figure));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${await fonts().catch(() => "")}<foreignObject width="100%" height="100%">${whole}</foreignObject></svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  pen.font = font;
  const titled = lines(title, width, pen);
  const top = EDGE + titled.length * LINE;
  canvas.width = SCALE * (width + 2 * EDGE);
  canvas.height = SCALE * (top + height + EDGE);
  pen.scale(SCALE, SCALE);
  pen.fillStyle = getComputedStyle(page).backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.font = font;
  pen.textBaseline = "top";
  pen.fillStyle = getComputedStyle(page).color;
  titled.forEach((line, at) => pen.fillText(line, EDGE, EDGE + at * LINE));
  pen.drawImage(image, EDGE, top, width, height);
  const link = document.createElement("a");
  link.download = name;
  link.href = canvas.toDataURL("image/png");
  link.click();
}

export default ({ data, parentElement }) => {
  const button = parentElement.querySelector("button");
  button.lastElementChild.textContent = data.label;
  button.onclick = () => {
    const figure = above(button);
    if (figure) save(figure, data);
  };
};
