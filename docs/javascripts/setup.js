// The board on which a reader sets up a position (docs/reference/board.md); the page to try the library judges it.

const place = document.getElementById("setup");
const setup = document.createElement("gammon-setup");
const link = Object.assign(document.createElement("a"), { textContent: "What the library says to it" });

function follow() {
  link.href = new URL(`../try/?${new URLSearchParams({ position: setup.xgid })}`, import.meta.url);
}

function dress() {
  setup.setAttribute("theme", document.body.dataset.mdColorScheme === "slate" ? "dark" : "light");
}

await import(new URL("../try/assets/setup.js", import.meta.url));
setup.addEventListener("gammon-setup", follow);
new MutationObserver(dress).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
place.replaceChildren(setup, link);
dress();
follow();
