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

export default ({ data }) => {
  if (!data?.mark || data.mark === window.discreetBrought) return;
  window.discreetBrought = data.mark;
  requestAnimationFrame(() => bring(data));
};
