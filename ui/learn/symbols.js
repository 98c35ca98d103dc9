// A symbol of a formula says what it stands for, to the mouse and to whoever reads the screen aloud.
export default ({ data, parentElement }) => {
  const name = () => {
    const panel = parentElement.closest("[data-testid=stExpander]");
    for (const leaf of panel?.querySelectorAll(".katex-html .mord") ?? []) {
      const words = leaf.childElementCount === 0 ? data.symbols[leaf.textContent] : undefined;
      if (words && leaf.title !== words) {
        leaf.title = words;
        leaf.style.cursor = "help";
        leaf.style.borderBottom = "1px dotted currentColor";
      }
    }
  };
  clearInterval(parentElement.naming); // a panel that opens later writes its formulas then
  parentElement.naming = setInterval(name, 500);
  name();
  return () => clearInterval(parentElement.naming);
};
