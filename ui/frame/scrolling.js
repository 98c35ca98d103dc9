// Each page starts at its top, and what was made just now is brought into view, once.
const main = () => document.querySelector("[data-testid=stMain]");

// Streamlit keeps the scroll position from one page to the next. The way back keeps it here, too.
if (!window.discreetTop) {
  window.discreetTop = true;
  const push = history.pushState;
  history.pushState = function (...to) {
    const before = location.pathname;
    push.apply(this, to);
    if (location.pathname !== before) main()?.scrollTo(0, 0);
  };
}

// What is above the view, or so low that it may be missed, is shown from its top, below what sticks there.
function bring({ to, upwards }) {
  const place = to ? main()?.querySelector(to) : main()?.firstElementChild;
  if (!place) return;
  const top = place.getBoundingClientRect().top;
  const first = parseFloat(getComputedStyle(main()).scrollPaddingTop) || 0;
  if (top < first || (!upwards && top > window.innerHeight / 2)) place.scrollIntoView({ block: "start" });
}

// The style needs to know how tall the column of a lesson's figure is: on a phone it decides how much of it stays.
const tall = new ResizeObserver((columns) => {
  for (const { target } of columns) target.style.setProperty("--tall", `${target.offsetHeight}px`);
});

function measure() {
  const column = document.querySelector("[data-testid=stColumn]:has(.st-key-lesson-figure)");
  if (column) tall.observe(column);
}

export default ({ data }) => {
  measure();
  if (!data?.mark || data.mark === window.discreetBrought) return;
  window.discreetBrought = data.mark;
  requestAnimationFrame(() => bring(data));
};
