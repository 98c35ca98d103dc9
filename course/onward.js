// Scroll to the top of a step that was opened from the link below the previous one: its question is there.
const ABOVE = 64; // pixels for the bar at the top

export default ({ data, parentElement }) => {
  const before = parentElement.step;
  parentElement.step = data.step;
  if (!before || before === data.step) return;
  const main = document.querySelector("[data-testid=stMain]");
  const step = main?.querySelector("[data-testid=stHorizontalBlock]:has(.st-key-lesson-figure)");
  const above = (step?.getBoundingClientRect().top ?? ABOVE) - ABOVE;
  if (above < 0) main.scrollBy(0, above);
};
