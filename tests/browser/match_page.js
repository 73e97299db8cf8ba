/** Checkers, dice and cube, and all that is around them. */
const table = root => {
  const around = /class=(.* )?(paper|sign|player|name|score|doing|faint|plate|standing)\b|r=8/;
  const { viewBox } = root.querySelector("svg").attributes;
  return [seen(root), viewBox.value, ...whole(root).filter(text => around.test(text))];
};
const events = [], thrown = [];
let isRefused = false;
addEventListener("gammon-event", event => {
  events.push(event.detail);
  if (isRefused) event.preventDefault();
});
/** What has the focus: a button, a part of the board, or nothing of either. */
const focus = () => {
  const inside = board.shadowRoot.activeElement, part = document.activeElement;
  return inside ? inside.id : part.dataset.action ?? part.dataset.point ?? part.localName;
};
const heardOf = async () => { // a tap may be a click some time later
  for (let tries = 0; tries < 100 && !events.length; tries++) await new Promise(go => setTimeout(go, 20));
  return events.splice(0);
};
const isThere = async id => {
  for (let tries = 0; tries < 100 && !board.shadowRoot.getElementById(id); tries++) await new Promise(go => setTimeout(go, 20));
};
const part = name => {
  const one = board.shadowRoot.getElementById(name) ?? board.querySelector(name).querySelector("rect[class]");
  one.scrollIntoView({ block: "nearest" });
  return middle(one);
};
const buttons = () => [...board.shadowRoot.querySelectorAll("button")].filter(one => one.checkVisibility({ visibilityProperty: true })).map(one => one.id);
const status = () => board.shadowRoot.getElementById("status").textContent;
