var VIEWS=(()=>{var R=Object.defineProperty;var ue=Object.getOwnPropertyDescriptor;var pe=Object.getOwnPropertyNames;var ye=Object.prototype.hasOwnProperty;var fe=(e,t)=>{for(var a in t)R(e,a,{get:t[a],enumerable:!0})},he=(e,t,a,s)=>{if(t&&typeof t=="object"||typeof t=="function")for(let o of pe(t))!ye.call(e,o)&&o!==a&&R(e,o,{get:()=>t[o],enumerable:!(s=ue(t,o))||s.enumerable});return e};var be=e=>he(R({},"__esModule",{value:!0}),e);var Se={};fe(Se,{Board:()=>D,BoardGrid:()=>Z,Viewer:()=>Q});var ve="The kernel is busy: it answers when the cell that runs is done.",we="This board's kernel is gone: run the cell again.",$={font:"inherit",padding:"0.4em 1em",margin:"0.2em",border:"1px solid",borderRadius:"0.3em"},r=(e,...t)=>{let a=document.createElement(e);return a.append(...t),a};function C(){let[e,t,a]=[r("code"),r("button","Copy XGID"),r("span")],s=r("p",e," ",t," ",a),o=async()=>{try{await globalThis.navigator.clipboard.writeText(e.textContent),a.textContent="Copied"}catch{globalThis.getSelection()?.selectAllChildren(e),a.textContent=document.execCommand("copy")?"Copied":"Selected, to copy"}},d=l=>{l!==e.textContent&&(e.textContent=l,a.textContent="",s.hidden=!l)},m=l=>{l.key!=="c"||s.hidden||l.altKey||l.ctrlKey||l.metaKey||(l.preventDefault(),o())};return Object.assign(t,{type:"button",title:"Copy XGID (c)",onclick:o}),Object.assign(t.style,$),e.style.overflowWrap="anywhere",a.role="status",s.className="xgid",s.hidden=!0,{line:s,write:d,press:m}}var M=e=>{let t=r("canvas").getContext("2d");if(!t)return"light";t.fillStyle=globalThis.getComputedStyle(e).color,t.fillRect(0,0,1,1);let[a,s,o]=t.getImageData(0,0,1,1).data;return a+s+o>384?"dark":"light"};function xe(e){let t=globalThis.matchMedia("(prefers-color-scheme: dark)"),a=new MutationObserver(e);for(let s of[document.documentElement,document.body])a.observe(s,{attributes:!0});return t.addEventListener("change",e),()=>{a.disconnect(),t.removeEventListener("change",e)}}function N({model:e,el:t},a,...s){let o=0,d=!1,m=r("p"),l=c=>{m.textContent=c,m.hidden=!c},g=()=>{globalThis.clearTimeout(o),d=!0,l(we)},y=c=>{if(!d)try{e.send(c)}catch{g()}},f=e.get("state_json")===void 0?"xgid":"state_json",w=()=>{d||(e.set("_seen",e.get(f)),e.save_changes())},b=xe(()=>{for(let c of t.querySelectorAll("gammon-board"))c.theme=M(t)}),u=[`[data-gammonrules="${e.get("_mark")}"]`],E=r("style",`${u}, .jp-OutputArea-child:has(${u}) { display: none }`),j=c=>{globalThis.clearTimeout(o),d=!1,l(""),document.head.append(E),a(c)},O=()=>{globalThis.clearTimeout(o),b(),e.off("msg:custom",j),e.off("comm_live_update",g),e.off(`change:${f}`,w),t.removeEventListener("keydown",h),globalThis.removeEventListener("keydown",i,!0),E.remove(),t.replaceChildren()},L=c=>{globalThis.clearTimeout(o),d||(o=setTimeout(l,1e3,ve)),y(c)},k=c=>!c.ctrlKey&&!c.metaKey,i=c=>t.toggleAttribute("data-lm-suppress-shortcuts",k(c)),h=c=>{k(c)&&c.stopPropagation()};return l(""),t.append(...s,m),t.addEventListener("keydown",h),globalThis.addEventListener("keydown",i,!0),e.on("msg:custom",j),e.on("comm_live_update",g),e.on(`change:${f}`,w),{tell:L,send:y,leave:O}}var ke=["play","roll","double","take","resign"],Te=["a single game","a gammon","a backgammon"],Ee={opening_roll:"Opening roll",drop:"Drop",beaver:"Beaver",accept:"Accept",decline:"Decline",next_game:"Next game",undo:"Take back",hint:"Hint"},je=e=>!!e.view;function D(e){let t=r("gammon-board"),[a,s,o,d]=[r("p"),r("pre"),r("p"),r("details")],{line:m,write:l,press:g}=C(),y=r("div",t,a,o,d,m,s),f=0,w={},x="",b=i=>O({...i,number:f}),u=(i,h,c)=>{let _=r("button",i);return Object.assign(_.style,$),_.onclick=()=>b({do:h,argument:c}),_},E=({view:i,more:h,resignations:c})=>{let _=i.actions.filter(v=>!ke.includes(v));o.replaceChildren(...[..._,...h].map(v=>u(Ee[v],v))),d.replaceChildren(r("summary","Resign"),...c.map(v=>u(Te[v-1],"resign",v))),d.hidden=!c.length},j=i=>{if(i.why&&i.id===w.id&&w.explain?.(i.why),!je(i))return;({number:f}=i),t.theme=M(e.el),t.view=i.view,a.textContent=i.said,s.textContent=i.hint;let h=JSON.stringify([i.view.actions,i.more,i.resignations]);h!==x&&E(i),x=h},{tell:O,leave:L}=N(e,j,y),k=()=>l(e.model.get("xgid"));return Object.assign(y,{tabIndex:-1,onkeydown:g}),Object.assign(y.style,{maxWidth:"40rem",outline:"none"}),a.style.whiteSpace="pre-wrap",a.role="status",s.style.overflow="auto",t.addEventListener("gammon-play",({detail:i})=>b({do:"play",argument:i.moves})),t.addEventListener("gammon-action",({detail:i})=>b({do:i.action})),t.addEventListener("gammon-refuse",({detail:i})=>{let h=String(Math.random());w={id:h,explain:i.explain},b({why:[i.from,i.to,i.moves],id:h})}),e.model.on("change:xgid",k),k(),O({ask:"view"}),()=>{e.model.off("change:xgid",k),L()}}var X=`/* Of a match to click through, and of a grid of boards. */

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
`;var Oe={bar:25,off:0},A=(e,t)=>Object.assign(t,{className:e}),H=(e,...t)=>Object.assign(r("button",...t),{type:"button",onclick:e}),z=()=>A("still",r("gammon-board")),W=e=>[...e.matchAll(/(\w+)((?:\*?\/\w+)+)\*?(?:\((\d)\))?/g)].flatMap(([,t,a,s=1])=>{let o=`${t}${a}`.replaceAll("*","").split("/").map(d=>Oe[d]??Number(d));return Array(Number(s)).fill(o.slice(1).map((d,m)=>[o[m],d])).flat()});function q(e,t,a=""){let[s,o]=[t,a].map(d=>W(d).filter(m=>Math.max(...m)<26).slice(0,100));e.made=o.length?s:[],e.arrows=o.length?o:s}async function U({el:e},t,a,s,o,d,m){let l=Object.assign(r("gammon-board"),{checkers:s||null,position:a||null});await null,Object.assign(t,{theme:M(e),arrows:[],made:[],hidden:!a}),a&&l.view&&t.show({svg:l.view.svg,still:!o}),q(t,d,m)}function Y(e,t,...a){let s=`${Math.random()}`,o=()=>{},d=A("gammon",r("div",r("style",X),...a,r("p",e.model.get("_data").remark))),m=()=>d.focus({preventScroll:!0}),l=N(e,async({again:f,at:w})=>{let x=f&&t(w);if(!f||!x)return;o();let b=r("div");x.prepend(b),x.classList.add("trying"),m();let u=D({model:await e.model.widget_manager.get_model(f),el:b});o=()=>{o=()=>{},x.classList.remove("trying"),u(),b.remove(),m()}},d);l.send({});let g=()=>{o(),l.leave()};d.tabIndex=0;let y=f=>l.tell({at:f,page:s,again:!0});return{root:d,name:s,focus:m,end:()=>o(),leave:g,send:l.send,again:y}}function Q(e){let{model:t}=e,{title:a,words:s,decisions:o,mistakes:d}=t.get("_data"),[m,l,g,y]=[z(),r("p"),r("div"),r("ol")],{line:f,write:w,press:x}=C(),b=d.toSorted((n,p)=>n-p),u=-1,E=n=>Array.isArray(n)?n.map(E):s[n],j=n=>E(o[n]),O=n=>W(n)[0]?H(()=>q(m,n),n):n,L=(n,p)=>r("tr",...n.split("	").map(T=>r(p?"td":"th",O(T))));function k(n){if(n===void 0||n===u||!o[n])return;let[p,T,S,se,de,B,le,F,ce,me]=j(n),J=r("table",...F.map(L));for(let I of ce)J.children[I+1].className="done";l.replaceChildren(`${n+1} of ${o.length} \xB7 ${S}, turn ${se} \xB7 `,r("bdi",de),": ",r("b",B)),g.replaceChildren(r("b",le),J,r("p",me));for(let{item:I,press:ge}of P)ge.ariaCurrent=`${I.value===n}`;w(p),V(),U(e,m,p,T,Math.abs(n-u)===1,B,B.includes(" (")?F[1]?.split("	")[0]:""),u=n}let i=n=>{k(n),re({at:u,page:G})},h=n=>o[n]?.[2],c={Home:["|\u25C0","First",()=>i(0)],ArrowLeft:["\u25C0","Back",()=>i(u-1)],ArrowRight:["\u25B6","Next",()=>i(u+1)],End:["\u25B6|","Last",()=>i(o.length-1)],g:["\u25B6\u25B6","Next game",()=>i(o.findIndex((n,p)=>p>u&&h(p)!==h(u)))],p:["\u25C0!","Mistake before",()=>i(b.findLast(n=>n<u))],n:["!\u25B6","Next mistake",()=>i(b.find(n=>n>u))],f:["\u21C5","Flip",()=>{m.flip=!m.flip}],t:["Try it","Try it again",()=>v.matches(".trying")?V():ae(u)]},_=Object.entries(c).map(([n,[p,T,S]])=>Object.assign(H(S,p),{title:`${T} (${n})`,ariaLabel:T})),v=r("div",m,l,r("p",..._),f),P=d.map(n=>{let[,,,,p,T]=j(n),S=H(()=>i(n),r("bdi",p),`: ${T}`);return{press:S,item:Object.assign(r("li",S),{value:n})}});y.append(...P.map(({item:n})=>n));let ee=A("match",r("div",v,r("div",g,y))),{root:te,name:G,focus:ne,end:V,leave:oe,send:re,again:ae}=Y(e,n=>n===u&&v,r("b",a),ee),ie=n=>{let{key:p}=n;p==="c"&&!v.matches(".trying")&&x(n),!(!c[p]||n.altKey||n.ctrlKey||n.metaKey||v.matches(".trying")&&p!=="t")&&(n.preventDefault(),c[p][2]())},K=()=>{let[n,p]=t.get("_at");p!==G&&k(n)};return m.onclick=ne,te.onkeydown=ie,t.on("change:_at",K),K(),()=>{t.off("change:_at",K),oe()}}function Z(e){let{cells:t}=e.model.get("_data"),a=t.map(z),s=t.map((g,y)=>Object.assign(r("div",a[y],r("p",g[4])),{tabIndex:0})),o=A("grid",r("div",...s)),{leave:d,again:m}=Y(e,g=>s[g],o),l=({target:g})=>{let y=s.findIndex(f=>f.contains(g));s[y]&&!s[y].matches(".trying")&&m(y)};return o.onclick=l,o.onkeydown=g=>{g.key==="Enter"&&l(g)},t.forEach(([g,y,f,w],x)=>U(e,a[x],g,y,!1,f,w)),d}return be(Se);})();
export { VIEWS };
