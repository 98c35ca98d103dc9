// The guesses of this browser, kept in it: a server that has begun anew is told of them once. Until it has heard of them
// nothing here is written over.
const NAME = "discreet-course";

export default ({ data, parentElement, setTriggerValue }) => {
  let before = null;
  try {
    before = window.localStorage.getItem(NAME);
  } catch {
    return; // this browser keeps nothing
  }
  if (data.fresh && before) {
    if (parentElement.told) return;
    parentElement.told = true;
    setTriggerValue("before", before);
  } else if (data.book !== before) {
    try {
      window.localStorage.setItem(NAME, data.book);
    } catch {
      // it is full
    }
  }
};
