// What the page can do where scripts run. Without it everything can be read as it stands.

const all = (selector, within = document) => [...within.querySelectorAll(selector)]
const make = (name, properties) => Object.assign(document.createElement(name), properties)

// Tables are sorted by a column when its heading is pressed: numbers by size, what is not
// defined last.
const key = cell => {
  const text = cell ? cell.textContent.trim() : ''
  const number = parseFloat(text.replace(/[,\u00a0 ](?=\d{3})/g, '').replace('−', '-').replace(/^[^\d.-]+/, ''))
  return { text, number: text === '–' || text === '' ? NaN : number }
}
const compare = (a, b, numbers) => {
  if (!numbers) return a.text.localeCompare(b.text, undefined, { numeric: true })
  if (isNaN(a.number) || isNaN(b.number)) return isNaN(a.number) - isNaN(b.number)
  return a.number - b.number
}
for (const table of all('table')) {
  const body = table.tBodies[0]
  const rows = [...body.rows]
  if (rows.length < 3) continue
  for (const heading of all('thead th', table)) {
    // Not a button: headings that a printed page repeats lose their buttons.
    const sort = make('span', { role: 'button', tabIndex: 0, className: 'sort', title: 'Sort by this column' })
    sort.append(...heading.childNodes)
    heading.append(sort)
    sort.addEventListener('keydown', event => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      sort.click()
    })
    sort.addEventListener('click', () => {
      const order = heading.getAttribute('aria-sort') === 'ascending' ? 'descending' : 'ascending'
      all('[aria-sort]', table).forEach(h => h.removeAttribute('aria-sort'))
      heading.setAttribute('aria-sort', order)
      const numbers = heading.classList.contains('r')
      const sign = order === 'ascending' ? 1 : -1
      const keyed = rows.map(row => ({ row, key: key(row.cells[heading.cellIndex]) }))
      const undefinedLast = k => numbers && isNaN(k.number)
      keyed.sort((a, b) => undefinedLast(a.key) - undefinedLast(b.key) || sign * compare(a.key, b.key, numbers))
      body.append(...keyed.map(k => k.row))
    })
  }
  if (rows.length > 12) search(table.closest('.scroll'), 'rows', rows)
}

// A line above many rows, or many passages that can be opened, leaves those that have all of
// its words.
function search (before, what, items) {
  const line = make('input', { type: 'search', placeholder: `Search ${items.length} ${what}` })
  line.setAttribute('aria-label', line.placeholder)
  const found = make('span', { className: 'found' })
  found.setAttribute('role', 'status')
  line.addEventListener('input', () => {
    const words = line.value.toLowerCase().split(/\s+/).filter(Boolean)
    for (const item of items) {
      const text = item.textContent.toLowerCase()
      item.hidden = !words.every(word => text.includes(word))
    }
    const left = items.filter(item => !item.hidden).length
    found.textContent = words.length ? `${left} of ${items.length}` : ''
  })
  const controls = make('p', { className: 'controls' })
  controls.append(line, found)
  before.before(controls)
}
for (const section of all('section')) {
  const folds = all(':scope > details', section)
  if (folds.length > 8) search(folds[0], 'entries', folds)
}

// An answer stands as it was written; its button, and the key m for all, show it rendered.
const views = all('.rendered').map(page => ({ page, source: page.previousElementSibling, turn: make('button', { type: 'button', className: 'go' }) }))
const show = (view, on) => {
  view.page.hidden = !on
  view.source.hidden = on
  view.turn.textContent = on ? 'as written' : 'rendered'
}
for (const view of views) {
  view.turn.title = 'The key m turns all'
  view.turn.addEventListener('click', () => show(view, view.page.hidden))
  view.source.previousElementSibling.append(' ', view.turn)
  show(view, false)
}
document.addEventListener('keydown', event => {
  if (event.key !== 'm' || event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === 'INPUT' || !views.length) return
  const on = views[0].page.hidden
  views.forEach(view => show(view, on))
})

// A row, the marks of drawings that are named alike, and the passage about it belong
// together: pointing at one shows the others, pressing it goes there.
const name = text => text.trim().replace(/\s+/g, ' ').toLowerCase()
const named = new Map()
const add = (text, part) => {
  const group = named.get(name(text)) || { rows: [], marks: [], folds: [] }
  group[part.kind].push(part.element)
  named.set(name(text), group)
}
for (const head of all('tbody th')) add(head.textContent, { kind: 'rows', element: head.parentElement })
for (const fold of all('#appendix details, #tasks details')) {
  const title = all('summary .n, summary bdi', fold)[0]
  const id = title && title.textContent.replace(/^\d+\. /, '').split(':')[0]
  if (id && named.has(name(id))) add(id, { kind: 'folds', element: fold })
}
for (const title of all('svg title')) {
  const mark = title.parentElement
  const words = title.textContent
  for (let end = words.length; end > 0; end = words.lastIndexOf(':', end - 1)) {
    if (!named.has(name(words.slice(0, end)))) continue
    if (mark.tagName !== 'svg') add(words.slice(0, end), { kind: 'marks', element: mark })
    break
  }
}
const goTo = element => {
  if (element.tagName === 'DETAILS') element.open = true
  element.scrollIntoView({ block: 'center' })
  element.classList.add('hit')
  setTimeout(() => element.classList.remove('hit'), 2000)
}
for (const { rows, marks, folds } of named.values()) {
  if (marks.length + folds.length === 0) continue
  const everything = [...rows, ...marks]
  const light = on => () => everything.forEach(element => element.classList.toggle('hit', on))
  for (const element of everything) {
    element.addEventListener('pointerenter', light(true))
    element.addEventListener('pointerleave', light(false))
  }
  for (const mark of marks) {
    mark.classList.add('goes')
    mark.addEventListener('click', () => goTo(rows[0]))
  }
  if (folds.length === 0) continue
  for (const row of rows) {
    const go = make('button', { type: 'button', className: 'go', textContent: '↓', title: 'Show its attempts' })
    go.addEventListener('click', () => goTo(folds[0]))
    row.querySelector('th').append(' ', go)
  }
}
