// On a phone, a long page of the reference is a list of headings, and of names with a sentence each, which open what
// stands under them. Links and the browser's search open what they lead to.

const IS_LONG = 15; // screens

function fold(heading) {
  const under = [];
  for (let next = heading.nextElementSibling; next && !next.matches("h2, .doc-object"); next = next.nextElementSibling) {
    under.push(next);
  }
  if (!under.length) return;
  const sentence = heading.parentElement.querySelector(":scope > .doc-contents > p:not([class])");
  const body = document.createElement("div");
  const button = Object.assign(document.createElement("button"), { type: "button", className: "fold" });
  const open = (isOpen) => {
    body.hidden = isOpen ? false : "until-found";
    button.setAttribute("aria-expanded", isOpen);
  };
  const words = document.createElement("span");
  words.append(...[...heading.childNodes].filter((node) => !node.matches?.(".headerlink")));
  button.append(words);
  button.addEventListener("click", () => open(Boolean(body.hidden)));
  body.addEventListener("beforematch", () => open(true));
  heading.prepend(button);
  heading.after(...(heading.matches(".doc-heading") && sentence ? [sentence] : []), body);
  body.append(...under);
  heading.unfold = body.unfold = () => open(true);
  open(false);
}

function openTo(hash) {
  const target = document.getElementById(decodeURIComponent(hash.slice(1)));
  for (let part = target; part; part = part.parentElement) part.unfold?.();
  target?.scrollIntoView();
}

const isPhone = matchMedia("(max-width: 44.99em)").matches;
if (isPhone && location.pathname.includes("/reference/") && document.body.scrollHeight > IS_LONG * innerHeight) {
  const headings = document.querySelectorAll("article h2, article .doc-heading");
  const all = Object.assign(document.createElement("button"), { className: "fold-all", textContent: "Open everything" });
  headings[0].before(all);
  all.addEventListener("click", () => {
    all.remove();
    for (const heading of headings) heading.unfold?.();
  });
  headings.forEach(fold);
  addEventListener("hashchange", () => openTo(location.hash));
  addEventListener("DOMContentLoaded", () => openTo(location.hash));
}
