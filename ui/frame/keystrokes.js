// The editor of a cell is drawn some time after the key that opens it, the first one after its script has loaded. The
// table takes each further key as the start of another text. Such keys are buffered, and typed once the editor exists.
const GRID = 'canvas[data-testid="data-grid-canvas"]'
const EDITOR = '#portal input, #portal textarea'
const PATIENCE = 10000 // milliseconds, after which no editor will open

let first = null // the key that opened an editor which does not exist yet
let held = []

const plain = (event) => event.isTrusted && !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing
const sign = (key) => key.length === 1

function type(editor, key) {
  if (sign(key)) document.execCommand('insertText', false, key)
  else editor.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}

function wait() {
  const editor = document.querySelector(EDITOR)
  const there = editor !== null && document.activeElement === editor
  if (there && held.length > 0) type(editor, held.shift()) // one per frame, so that each one is processed
  const open = there ? held.length > 0 : performance.now() - first.timeStamp < PATIENCE
  if (open) requestAnimationFrame(wait)
  else [first, held] = [null, []]
}

function pressed(event) {
  const target = plain(event) && event.target instanceof Element ? event.target : null
  const late = target !== null && first !== null && first.defaultPrevented
  if (late && (target.matches(GRID) || (held.length > 0 && target.matches(EDITOR)))) {
    if (!sign(event.key) && !['Tab', 'Enter', 'Backspace'].includes(event.key)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.key === 'Backspace') held.pop()
    else held.push(event.key)
  } else if (!late && target !== null && target.matches(GRID)) {
    if (sign(event.key) && first === null) requestAnimationFrame(wait)
    first = sign(event.key) ? event : first // a cell that cannot be edited ignores it
  }
}

function clicked(event) {
  // an element above the canvas receives the click, and the canvas gets the focus only later
  const table = event.target instanceof Element ? event.target.closest('[data-testid="stDataFrame"]') : null
  if (table !== null && document.querySelector(EDITOR) === null)
    table.querySelector(GRID)?.focus({ preventScroll: true })
}

export default function () {
  if (window.discreetKeystrokes) return
  window.discreetKeystrokes = true
  window.addEventListener('keydown', pressed, true)
  window.addEventListener('click', clicked)
}
