// The guesses of this browser, in local storage: they are sent to a restarted server until it has received them.
// Until then nothing here is overwritten.
const NAME = "discreet-course";
const NOTHING = "{}";
const PATIENCE = 3000; // milliseconds until a message that a busy server missed is sent again

export default ({ data, parentElement, setTriggerValue }) => {
  clearTimeout(parentElement.again);
  let before = NOTHING;
  try {
    before = window.localStorage.getItem(NAME) ?? NOTHING;
  } catch {
    return; // this browser has no storage
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
      // the storage is full
    }
};
