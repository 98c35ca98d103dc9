// The guesses of this browser, kept in it: a server that has begun anew is told of them, until it has heard. Until then
// nothing here is written over.
const NAME = "discreet-course";
const NOTHING = "{}";
const PATIENCE = 3000; // milliseconds until a word that a busy server did not hear is said again

export default ({ data, parentElement, setTriggerValue }) => {
  clearTimeout(parentElement.again);
  let before = NOTHING;
  try {
    before = window.localStorage.getItem(NAME) ?? NOTHING;
  } catch {
    return; // this browser keeps nothing
  }
  if (before === data.book || before === NOTHING) parentElement.known = before;
  if (data.fresh && before !== parentElement.known) {
    const wait = () => (parentElement.again = setTimeout(tell, PATIENCE));
    const tell = () => {
      parentElement.told = true;
      setTriggerValue("before", before);
      wait();
    };
    if (parentElement.told) wait();
    else tell();
    return () => clearTimeout(parentElement.again);
  }
  if (data.book !== before)
    try {
      window.localStorage.setItem(NAME, data.book);
      parentElement.known = data.book;
    } catch {
      // it is full
    }
};
