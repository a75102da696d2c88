/** Elements that can only mark up text. Everything else is dropped; the text inside unknown ones is kept. */
const ALLOWED = new Set(
  (
    'A ABBR B BLOCKQUOTE BR CODE DD DEL DIV DL DT EM FIGCAPTION FIGURE H1 H2 H3 H4 H5 H6 HR I IMG INS KBD LI MARK OL P ' +
    'PRE Q S SAMP SECTION SMALL SPAN STRONG SUB SUP TABLE TBODY TD TFOOT TH THEAD TR U UL'
  ).split(' '),
);
/** Elements whose content is not text for readers. */
const DROPPED_WHOLE = new Set(
  'SCRIPT STYLE TEMPLATE NOSCRIPT IFRAME OBJECT EMBED SVG MATH TITLE HEAD'.split(' '),
);
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  A: ['href', 'title'],
  IMG: ['src', 'alt', 'title', 'width', 'height'],
  TD: ['colspan', 'rowspan'],
  TH: ['colspan', 'rowspan', 'scope'],
};
const SAFE_ADDRESS = /^(https?:\/\/|mailto:|\/(?!\/)|#)/i;

/**
 * HTML reduced to an allow-list of elements and attributes, addresses to http, https, mailto and local ones.
 * Parsed by the browser's own parser in a document without scripts, so that what is checked is what is shown.
 */
export function cleanHtml(html: string): string {
  const source = new DOMParser().parseFromString(html, 'text/html');
  const target = document.implementation.createHTMLDocument('');
  copyChildren(source.body, target.body, target);
  return target.body.innerHTML;
}

function copyChildren(from: Node, to: Node, target: Document): void {
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) to.appendChild(target.createTextNode(child.textContent ?? ''));
    else if (child instanceof Element || child.nodeType === Node.ELEMENT_NODE)
      copyElement(child as Element, to, target);
  }
}

function copyElement(element: Element, to: Node, target: Document): void {
  const name = element.tagName.toUpperCase();
  if (DROPPED_WHOLE.has(name)) return;
  if (!ALLOWED.has(name)) return copyChildren(element, to, target);
  const copy = target.createElement(name);
  for (const attribute of ATTRIBUTES[name] ?? []) {
    const value = element.getAttribute(attribute);
    if (value === null) continue;
    const isAddress = attribute === 'href' || attribute === 'src';
    if (!isAddress || SAFE_ADDRESS.test(value.trim())) copy.setAttribute(attribute, value);
  }
  if (name === 'A') {
    copy.setAttribute('rel', 'noopener noreferrer nofollow');
    if (/^https?:/i.test(copy.getAttribute('href') ?? '')) copy.setAttribute('target', '_blank');
  }
  copyChildren(element, copy, target);
  to.appendChild(copy);
}
