var VIEWS=(()=>{var M=Object.defineProperty;var dt=Object.getOwnPropertyDescriptor;var mt=Object.getOwnPropertyNames;var gt=Object.prototype.hasOwnProperty;var pt=(t,e)=>{for(var o in e)M(t,o,{get:e[o],enumerable:!0})},ut=(t,e,o,a)=>{if(e&&typeof e=="object"||typeof e=="function")for(let r of mt(e))!gt.call(t,r)&&r!==o&&M(t,r,{get:()=>e[r],enumerable:!(a=dt(e,r))||a.enumerable});return t};var ht=t=>ut(M({},"__esModule",{value:!0}),t);var Ct={};pt(Ct,{Board:()=>N,BoardGrid:()=>Q,Viewer:()=>Y});var ft="The kernel is busy: it answers when the cell that runs is done.",bt="This board's kernel is gone: run the cell again.",G={font:"inherit",padding:"0.4em 1em",margin:"0.2em",border:"1px solid",borderRadius:"0.3em"},i=(t,...e)=>{let o=document.createElement(t);return o.append(...e),o};function $(){let[t,e,o]=[i("code"),i("button","Copy XGID"),i("span")],a=i("p",t," ",e," ",o),r=async()=>{try{await globalThis.navigator.clipboard.writeText(t.textContent),o.textContent="Copied"}catch{globalThis.getSelection().selectAllChildren(t),o.textContent=document.execCommand("copy")?"Copied":"Selected, to copy"}},l=d=>{d!==t.textContent&&(t.textContent=d,o.textContent="",a.hidden=!d)},c=d=>{d.key!=="c"||a.hidden||d.altKey||d.ctrlKey||d.metaKey||(d.preventDefault(),r())};return Object.assign(e,{type:"button",title:"Copy XGID (c)",onclick:r}),Object.assign(e.style,G),t.style.overflowWrap="anywhere",o.role="status",a.className="xgid",a.hidden=!0,{line:a,write:l,press:c}}var L=t=>{let e=i("canvas").getContext("2d");e.fillStyle=globalThis.getComputedStyle(t).color,e.fillRect(0,0,1,1);let[o,a,r]=e.getImageData(0,0,1,1).data;return o+a+r>384?"dark":"light"};function yt(t){let e=globalThis.matchMedia("(prefers-color-scheme: dark)"),o=new MutationObserver(t);for(let a of[document.documentElement,document.body])o.observe(a,{attributes:!0});return e.addEventListener("change",t),()=>{o.disconnect(),e.removeEventListener("change",t)}}function S({model:t,el:e},o,...a){let r=0,l=!1,c=i("p"),d=m=>{c.textContent=m,c.hidden=!m},u=()=>{globalThis.clearTimeout(r),l=!0,d(bt)},h=m=>{if(!l)try{t.send(m)}catch{u()}},b=t.get("state_json")===void 0?"xgid":"state_json",x=()=>{l||(t.set("_seen",t.get(b)),t.save_changes())},w=yt(()=>{for(let m of e.querySelectorAll("gammon-board"))m.theme=L(e)}),g=[`[data-gammonrules="${t.get("_mark")}"]`],C=i("style",`${g}, .jp-OutputArea-child:has(${g}) { display: none }`),_=m=>{globalThis.clearTimeout(r),l=!1,d(""),document.head.append(C),o(m)},j=()=>{globalThis.clearTimeout(r),w(),t.off("msg:custom",_),t.off("comm_live_update",u),t.off(`change:${b}`,x),e.removeEventListener("keydown",f),globalThis.removeEventListener("keydown",s,!0),C.remove(),e.replaceChildren()},E=m=>{globalThis.clearTimeout(r),l||(r=setTimeout(d,1e3,ft)),h(m)},y=m=>!m.ctrlKey&&!m.metaKey,s=m=>e.toggleAttribute("data-lm-suppress-shortcuts",y(m)),f=m=>{y(m)&&m.stopPropagation()};return d(""),e.append(...a,c),e.addEventListener("keydown",f),globalThis.addEventListener("keydown",s,!0),t.on("msg:custom",_),t.on("comm_live_update",u),t.on(`change:${b}`,x),{tell:E,send:h,leave:j}}var wt=["play","roll","double","take","resign"],vt=["a single game","a gammon","a backgammon"],xt={opening_roll:"Opening roll",drop:"Drop",beaver:"Beaver",accept:"Accept",decline:"Decline",next_game:"Next game",undo:"Take back",hint:"Hint"};function N(t){let e=i("gammon-board"),[o,a,r,l]=[i("p"),i("pre"),i("p"),i("details")],{line:c,write:d,press:u}=$(),h=i("div",e,o,r,l,c,a),b=0,x={},k="",w=s=>j({...s,number:b}),g=(s,f,m)=>{let v=i("button",s);return Object.assign(v.style,G),v.onclick=()=>w({do:f,argument:m}),v},C=({view:s,more:f,resignations:m})=>{let v=s.actions.filter(O=>!wt.includes(O));r.replaceChildren(...[...v,...f].map(O=>g(xt[O],O))),l.replaceChildren(i("summary","Resign"),...m.map(O=>g(vt[O-1],"resign",O))),l.hidden=!m.length},_=s=>{if(s.why&&s.id===x.id&&x.explain(s.why),!s.view)return;({number:b}=s),e.theme=L(t.el),e.view=s.view,o.textContent=s.said,a.textContent=s.hint;let f=JSON.stringify([s.view.actions,s.more,s.resignations]);f!==k&&C(s),k=f},{tell:j,leave:E}=S(t,_,h),y=()=>d(t.model.get("xgid"));return Object.assign(h,{tabIndex:-1,onkeydown:u}),Object.assign(h.style,{maxWidth:"40rem",outline:"none"}),o.style.whiteSpace="pre-wrap",o.role="status",a.style.overflow="auto",e.addEventListener("gammon-play",({detail:s})=>w({do:"play",argument:s.moves})),e.addEventListener("gammon-action",({detail:s})=>w({do:s.action})),e.addEventListener("gammon-refuse",({detail:s})=>{let f=String(Math.random());x={id:f,explain:s.explain},w({why:[s.from,s.to,s.moves],id:f})}),t.model.on("change:xgid",y),y(),j({ask:"view"}),()=>{t.model.off("change:xgid",y),E()}}var P=`/* Of a match to click through, and of a grid of boards. */

.gammon {
  container-type: inline-size;
  font-variant-numeric: tabular-nums;
}

.gammon > div {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.5rem 1.2rem;
  align-items: start;
}

.gammon button {
  min-width: 2.2rem;
  min-height: 2rem;
  font: inherit;
  cursor: pointer;
}

.gammon :is(td, li) > button {
  min-height: 0;
  padding: 0;
  border: 0;
  background: none;
  color: inherit;
  text-align: start;
}

.gammon :is(table, ol, p) {
  margin: 0.4rem 0;
  padding: 0;
  border-collapse: collapse;
  overflow-wrap: break-word;
  white-space: pre-wrap;
}

.gammon :is(th, td) {
  padding: 0 0.6rem 0 0;
  font-weight: normal;
  text-align: start;
}

.gammon th {
  opacity: 0.7;
}

.gammon ol {
  max-height: 12rem;
  overflow: auto;
  list-style: none;
}

.gammon :is(.done, [aria-current="true"]) {
  background: #8884;
}

.gammon .still::part(controls),
.gammon .trying > :is(.still, .xgid),
.gammon .match:has(.trying) > :not(.trying) {
  display: none;
}

.gammon .grid {
  grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
  cursor: pointer;
}

.gammon .grid > .trying {
  grid-column: 1 / -1;
}

@container (max-width: 24rem) {
  .gammon table {
    font-size: 0.75em;
  }

  .gammon :is(th, td) {
    padding-inline-end: 0.3rem;
    overflow-wrap: anywhere;
  }
}

@container (min-width: 46rem) {
  .gammon .match {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
  }
}
`;var Ot={bar:25,off:0},B=(t,e)=>Object.assign(e,{className:t}),R=(t,...e)=>Object.assign(i("button",...e),{type:"button",onclick:t}),V=()=>B("still",i("gammon-board")),W=t=>[...t.matchAll(/(\w+)((?:\*?\/\w+)+)\*?(?:\((\d)\))?/g)].flatMap(([,e,o,a=1])=>{let r=`${e}${o}`.replaceAll("*","").split("/").map(l=>Ot[l]??Number(l));return Array(Number(a)).fill(r.slice(1).map((l,c)=>[r[c],l])).flat()});function q(t,e,o=""){let[a,r]=[e,o].map(l=>W(l).filter(c=>Math.max(...c)<26).slice(0,100));t.made=r.length?a:[],t.arrows=r.length?r:a}async function J({el:t},e,o,a,r,...l){let c=Object.assign(i("gammon-board"),{checkers:a||null,position:o||null});await null,Object.assign(e,{theme:L(t),arrows:[],made:[],hidden:!o}),o&&e.show({svg:c.view.svg,still:!r}),q(e,...l)}function U(t,e,...o){let a=`${Math.random()}`,r=()=>{},l=B("gammon",i("div",i("style",P),...o,i("p",t.model.get("_data").remark))),c=()=>l.focus({preventScroll:!0}),d=S(t,async({again:b,at:x})=>{let k=b&&e(x);if(!k)return;r();let w=i("div");k.prepend(w),k.classList.add("trying"),c();let g=N({model:await t.model.widget_manager.get_model(b),el:w});r=()=>{r=()=>{},k.classList.remove("trying"),g(),w.remove(),c()}},l);d.send({});let u=()=>{r(),d.leave()};l.tabIndex=0;let h=b=>d.tell({at:b,page:a,again:!0});return{root:l,name:a,focus:c,end:()=>r(),leave:u,send:d.send,again:h}}function Y(t){let{model:e}=t,{title:o,words:a,decisions:r,mistakes:l}=e.get("_data"),[c,d,u,h]=[V(),i("p"),i("div"),i("ol")],{line:b,write:x,press:k}=$(),w=l.toSorted((n,p)=>n-p),g=-1,C=n=>Array.isArray(n)?n.map(C):a[n],_=n=>W(n)[0]?R(()=>q(c,n),n):n,j=(n,p)=>i("tr",...n.split("	").map(T=>i(p?"td":"th",_(T))));function E(n){if(n===g||!r[n])return;let[p,T,K,it,at,D,st,X,ct,lt]=C(r[n]),z=i("table",...X.map(j));for(let A of ct)z.children[A+1].className="done";d.replaceChildren(`${n+1} of ${r.length} \xB7 ${K}, turn ${it} \xB7 `,i("bdi",at),": ",i("b",D)),u.replaceChildren(i("b",st),z,i("p",lt));for(let A of h.children)A.firstChild.ariaCurrent=A.value===n;x(p),H(),J(t,c,p,T,Math.abs(n-g)===1,D,D.includes(" (")?X[1]?.split("	")[0]:""),g=n}let y=n=>{E(n),nt({at:g,page:F})},s=n=>r[n]?.[2],f={Home:["|\u25C0","First",()=>y(0)],ArrowLeft:["\u25C0","Back",()=>y(g-1)],ArrowRight:["\u25B6","Next",()=>y(g+1)],End:["\u25B6|","Last",()=>y(r.length-1)],g:["\u25B6\u25B6","Next game",()=>y(r.findIndex((n,p)=>p>g&&s(p)!==s(g)))],p:["\u25C0!","Mistake before",()=>y(w.findLast(n=>n<g))],n:["!\u25B6","Next mistake",()=>y(w.find(n=>n>g))],f:["\u21C5","Flip",()=>{c.flip=!c.flip}],t:["Try it","Try it again",()=>v.matches(".trying")?H():ot(g)]},m=Object.entries(f).map(([n,[p,T,K]])=>Object.assign(R(K,p),{title:`${T} (${n})`,ariaLabel:T})),v=i("div",c,d,i("p",...m),b);h.append(...l.map(n=>{let[,,,,p,T]=C(r[n]);return Object.assign(i("li",R(()=>y(n),i("bdi",p),`: ${T}`)),{value:n})}));let O=B("match",i("div",v,i("div",u,h))),{root:Z,name:F,focus:tt,end:H,leave:et,send:nt,again:ot}=U(t,n=>n===g&&v,i("b",o),O),rt=n=>{let{key:p}=n;p==="c"&&!v.matches(".trying")&&k(n),!(!f[p]||n.altKey||n.ctrlKey||n.metaKey||v.matches(".trying")&&p!=="t")&&(n.preventDefault(),f[p][2]())},I=()=>{let[n,p]=e.get("_at");p!==F&&E(n)};return c.onclick=tt,Z.onkeydown=rt,e.on("change:_at",I),I(),()=>{e.off("change:_at",I),et()}}function Q(t){let{cells:e}=t.model.get("_data"),o=e.map(c=>Object.assign(i("div",V(),i("p",c[4])),{tabIndex:0})),a=B("grid",i("div",...o)),{leave:r,again:l}=U(t,c=>o[c],a);return a.onclick=a.onkeydown=({target:c,key:d="Enter"})=>{let u=o.findIndex(h=>h.contains(c));d==="Enter"&&o[u]&&!o[u].matches(".trying")&&l(u)},e.forEach(([c,d,u,h],b)=>J(t,o[b].firstChild,c,d,!1,u,h)),r}return ht(Ct);})();
export { VIEWS };
