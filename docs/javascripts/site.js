// What the pages do beyond what their generator gives them. It works with every generator that the site is built by.

// The theme gives the dialog of the search no name.
document.querySelector(".md-search[role=dialog]")?.setAttribute("aria-label", "Search")

// The button copies what a reader would type: without prompts, and without what is printed.
for (const code of document.querySelectorAll("pre code")) {
  const lines = code.textContent.split("\n")
  const prompts = lines[0].startsWith(">>> ") ? /^(>>>|\.\.\.)( |$)/ : lines[0].startsWith("$ ") ? /^\$ / : null
  if (prompts) {
    const typed = lines.filter(line => prompts.test(line)).map(line => line.replace(prompts, ""))
    code.parentElement.setAttribute("data-copy", typed.join("\n"))
  }
  // boards and tables of a terminal
  code.toggleAttribute("data-columns", lines.some(line => !line.startsWith("$ ") && /\S {4,}\S/.test(line)))
}

// A table or chart that is wider than the screen scrolls by itself, also with the keys, as code does; what scrolls fades
// where there is more of it.
const WIDE = ".md-typeset__scrollwrap, .md-typeset p:has(> img:is([src$='-chart.svg'], [src$='.png'])), pre > code"

function reach(part) {
  fade(part)
  if (part.matches("code")) return
  const wide = part.scrollWidth > part.clientWidth
  const label = part.querySelector(":scope > img") ? "Chart" : "Table"
  for (const [name, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", label]]) {
    if (wide) part.setAttribute(name, value)
    else part.removeAttribute(name)
  }
}

const fade = part => part.toggleAttribute("data-more", part.scrollWidth - part.clientWidth - part.scrollLeft > 2)

addEventListener("scroll", ({ target }) => target.matches?.(WIDE) && fade(target), { capture: true, passive: true })
addEventListener("DOMContentLoaded", () => {
  const sizes = new ResizeObserver(entries => entries.forEach(entry => reach(entry.target)))
  requestAnimationFrame(() => {
    for (const part of document.querySelectorAll(WIDE)) sizes.observe(part)
  })
})

// A page with a board brings its colors and its program. An address in the text of a page means different things to
// generators. The page to try it has two programs: a question in its address is answered, without one a match is played.
const { src } = document.currentScript
for (const name of ["play", "try", "turn", "setup", "boards"]) {
  const isOther = name === (location.search ? "play" : "try")
  if (!document.getElementById(name) || isOther) continue
  const href = new URL("../try/assets/board.css", src)
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }))
  import(new URL(`${name}.js`, src))
}
