package document

// sheet is the style of the HTML form: light, dark, and on paper.
const sheet = `:root{--ink:#1a1a1a;--soft:#595959;--line:#d9d9d9;--faint:#f5f6f7;--page:#fff;--accent:#0072b2;--edge:#0004}
@media (prefers-color-scheme:dark){:root{--ink:#ececec;--soft:#a8adb5;--line:#3a3f47;--faint:#1d2025;--page:#16181c;--accent:#5fb0ea;--edge:#fff6}}
*{box-sizing:border-box}
body{margin:0 auto;padding:2rem 1.25rem 4rem;max-width:58rem;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Helvetica,Arial,"Liberation Sans",sans-serif}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.3rem;line-height:1.25;margin:2.75rem 0 .75rem;padding-top:.75rem;border-top:1px solid var(--line)}
h3{font-size:1.05rem;line-height:1.3;margin:2rem 0 .5rem}
.subtitle{margin:0;color:var(--soft)}
p,ul{margin:.75rem 0;max-width:44rem}
ul{padding-left:1.25rem}
li{margin:.2rem 0}
a{color:var(--accent)}
code,pre{font-family:ui-monospace,"Liberation Mono",Menlo,Consolas,monospace;font-size:.86em}
code{overflow-wrap:anywhere}
pre{margin:.25rem 0 1rem;padding:.75rem;background:var(--faint);border:1px solid var(--line);border-radius:4px;white-space:pre-wrap;overflow-wrap:anywhere;max-height:40rem;overflow:auto;unicode-bidi:plaintext}
nav{margin:1.5rem 0;padding:.75rem 1.25rem;background:var(--faint);border-radius:6px}
nav h2{margin:0;padding:0;border:0;font-size:1rem}
nav ol{margin:.5rem 0 0;padding-left:1.6rem;columns:16rem 3;column-gap:2.5rem}
nav li{break-inside:avoid;margin:0;padding:.1rem 0}
main{counter-reset:section}
main>section{counter-increment:section;counter-reset:part}
section>section{counter-increment:part}
h2::before{content:counter(section) ". "}
nav h2::before{content:none}
h3::before{content:counter(section) "." counter(part) " "}
figure{margin:1.5rem 0}
figure.tab{margin:1.5rem 0}
figcaption{font-size:.92rem;margin-bottom:.4rem;max-width:44rem}
svg+figcaption{margin:.4rem 0 0}
figure svg{display:block;max-width:100%;height:auto;overflow:visible}
.scroll{overflow-x:auto;background:linear-gradient(to right,var(--page) 30%,transparent) 0 0/2rem 100%,linear-gradient(to left,var(--page) 30%,transparent) 100% 0/2rem 100%,linear-gradient(to right,var(--edge),transparent) 0 0/.7rem 100%,linear-gradient(to left,var(--edge),transparent) 100% 0/.7rem 100%;background-repeat:no-repeat;background-attachment:local,local,scroll,scroll}
table{border-collapse:collapse;font-size:.88rem;line-height:1.35;font-variant-numeric:tabular-nums;border-top:2px solid var(--ink);border-bottom:2px solid var(--ink)}
th,td{padding:.3rem .7rem .3rem 0;text-align:left;vertical-align:top}
th:last-child,td:last-child{padding-right:0}
thead td{border-bottom:1px solid var(--ink)}
thead th{font-weight:600;vertical-align:bottom;border-bottom:1px solid var(--ink)}
tbody th{font-weight:400;overflow-wrap:break-word;max-width:24rem}
tbody tr+tr{border-top:1px solid var(--line)}
.r{text-align:right}
.n[data-long]{overflow-wrap:anywhere}
td.r{white-space:nowrap}
.note{font-size:.85rem;color:var(--soft);margin:.4rem 0}
.warning{padding:.5rem .75rem;border:1px solid var(--line);border-left:.3rem solid var(--ink);background:var(--faint)}
.label{margin:.75rem 0 0;font-size:.85rem;color:var(--soft)}
.bar{display:inline-block;width:6rem;height:.65rem;background:var(--faint);border:1px solid var(--line)}
.bar>span{display:block;height:100%;background:var(--accent);-webkit-print-color-adjust:exact;print-color-adjust:exact}
details{margin:.5rem 0;border:1px solid var(--line);border-radius:4px;padding:.4rem .75rem}
details[open]{padding-bottom:.75rem}
summary{cursor:pointer;overflow-wrap:anywhere}
.sort{all:unset;cursor:pointer}
.sort:hover,.sort:focus-visible,.go:focus-visible{text-decoration:underline}
[aria-sort]::after{content:" ▲";font-size:.7em}
[aria-sort=descending]::after{content:" ▼"}
.rendered{margin:.25rem 0 1rem;padding:.25rem .75rem;border-left:3px solid var(--line);overflow-wrap:anywhere}.rendered ol{list-style:none;padding-left:1rem}.numbered>p{display:inline}
.go{all:unset;cursor:pointer;color:var(--accent)}
.goes{cursor:pointer}
tr.hit{background:var(--faint)}
svg .hit{stroke:var(--ink);stroke-width:2px}
details.hit{border-color:var(--accent)}
.controls{margin:.75rem 0 .5rem}
.controls input{font:inherit;font-size:.88rem;padding:.25rem .5rem;width:16rem;max-width:100%;border:1px solid var(--line);border-radius:4px;background:var(--page);color:var(--ink)}
.found{margin-left:.75rem;font-size:.88rem;color:var(--soft)}
@media screen and (min-width:62rem){.scroll{width:fit-content;max-width:calc(50vw + 50% - 2.5rem)}}
.af.narrow{display:none}
@media screen and (max-width:42rem){.af.wide{display:none}.af.narrow{display:block}}
@media screen and (max-width:48rem){tbody th,thead .k{position:sticky;left:0;background:var(--page)}tbody th{max-width:40vw}tr.hit th{background:var(--faint)}}
@media (max-width:48rem){thead th{white-space:nowrap}th:has(>[data-long]),td:has(>[data-long]){min-width:9rem}}
@page{margin:16mm 15mm;@top-left{font:8pt sans-serif;color:#444}@bottom-right{content:counter(page) " of " counter(pages);font:8pt sans-serif;color:#444}}
@page:first{@top-left{content:none}}
@media print{
:root{--ink:#000;--soft:#444;--line:#bbb;--faint:#f5f5f5;--page:#fff;--accent:#0072b2}
html{font-size:9.5pt}
body{max-width:none;padding:0;font-size:1rem;line-height:1.42}
p,ul,figcaption{max-width:none}
a{color:inherit;text-decoration:none}
h2,h3{break-after:avoid}
h2{margin:1.1rem 0 .5rem;padding-top:.5rem}
h3{margin:1.1rem 0 .4rem}
p,ul{margin:.5rem 0}
li{margin:.1rem 0}
nav,.aside>:not(h2),.controls,.go{display:none}
.aside>h2{margin:.2rem 0;padding:0;border:0;font-size:1em;font-weight:400;color:var(--soft);break-after:auto}
.aside>h2::after{content:" (on screen only)"}
[hidden]{display:revert}
[aria-sort]::after{content:none}
figure,tr,li,details>summary{break-inside:avoid}
figure.tab{break-inside:auto}
figure.tab.short:not(:has(tbody tr:nth-child(9))){break-inside:avoid}
tbody tr:nth-child(-n+3){break-after:avoid}
tbody tr:nth-last-child(-n+3),figure .note{break-before:avoid}
h2+p,h3+p{break-inside:avoid}
.tab>figcaption,h2+p:has(+figure),h3+p:has(+figure){break-after:avoid}
figure{margin:.75rem 0}
figure svg{width:137mm;max-height:254mm}
thead th,td.r{white-space:normal}
tbody th{min-width:6.5rem}
thead{display:table-header-group}
table{font-size:8.5pt}
th,td{padding:.15rem .6rem .15rem 0}
.scroll{overflow:visible;background:none}
pre{max-height:none;overflow:visible;font-size:8pt}
.bar{width:2.5rem}
details{break-inside:avoid;padding:.2rem .6rem}
details:not([open])>summary::after{content:" (on screen only)";color:var(--soft)}
details p,details ul{margin:.2rem 0}
summary,.label{break-after:avoid}
p{orphans:3;widows:3}
}
`
