import createPurifier, { type Config } from 'dompurify';
import { cleanStyle } from './clean-style';

/** Elements that can only mark up text. Everything else is dropped; the text inside unknown ones is kept. */
const TAGS = (
  'a abbr article aside b blockquote br caption center code col colgroup dd del details div dl dt em figcaption figure ' +
  'footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small span strong sub ' +
  'summary sup table tbody td tfoot th thead tr u ul'
).split(' ');
/** Elements whose content is not text for readers. */
const DROPPED_WHOLE =
  'script style template noscript iframe object embed svg math title head textarea select noembed noframes xmp plaintext'.split(
    ' ',
  );
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title'],
  details: ['open'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
};
const ADDRESSES = ['href', 'src'];
const SAFE_ADDRESS = /^(?:https?:\/\/|mailto:|\/(?![/\\])|#)/i;
const ALL_ATTRIBUTES = [...new Set(Object.values(ATTRIBUTES).flat()), 'style'];

const CONFIG = {
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: ALL_ATTRIBUTES,
  FORBID_CONTENTS: DROPPED_WHOLE,
  ALLOWED_URI_REGEXP: SAFE_ADDRESS,
  ADD_URI_SAFE_ATTR: ALL_ATTRIBUTES.filter((name) => !ADDRESSES.includes(name)),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
  // Elements before the first text are judged like the rest.
  FORCE_BODY: true,
} satisfies Config;

/** Document in which the purifier parses the text. */
const OWN_FRAME = new Set(['REMOVE', 'HTML', 'HEAD', 'BODY']);

/** Count of removals by element, attribute or style property, the most frequent first. */
export type Removed = readonly (readonly [name: string, times: number])[];

interface Cleaned {
  readonly html: string;
  readonly removed: Removed;
}

/** An instance of its own, so that its hooks affect no other caller. */
function makePurifier(withStyles: boolean, count: (name: string) => void) {
  const purifier = createPurifier(window);
  purifier.addHook('uponSanitizeAttribute', (element, data) => {
    const { attrName: name, attrValue: value } = data;
    if (name === 'style' && withStyles) {
      const { kept, removed } = cleanStyle(value);
      removed.forEach(count);
      data.attrValue = kept;
      data.keepAttr = kept !== '';
      return;
    }
    const isKnown = ATTRIBUTES[element.tagName.toLowerCase()]?.includes(name) === true;
    const isSafe = !ADDRESSES.includes(name) || SAFE_ADDRESS.test(value.trim());
    if (isKnown && isSafe) return;
    data.keepAttr = false;
    count(name);
  });
  purifier.addHook('afterSanitizeAttributes', (element) => {
    if (element.tagName !== 'A') return;
    element.setAttribute('rel', 'noopener noreferrer nofollow');
    if (/^https?:/i.test(element.getAttribute('href')?.trim() ?? ''))
      element.setAttribute('target', '_blank');
  });
  return purifier;
}

/** HTML reduced to what marks text up, with a safe part of its styles, and a list of what was taken out. */
export function cleanHtml(html: string, { withStyles = true } = {}): Cleaned {
  const times = new Map<string, number>();
  const count = (name: string) => void times.set(name, (times.get(name) ?? 0) + 1);
  const purifier = makePurifier(withStyles, count);
  const clean = purifier.sanitize(html, CONFIG);
  for (const { element } of purifier.removed as { element?: Node }[]) {
    if (element instanceof Element && !OWN_FRAME.has(element.tagName))
      count(`<${element.tagName.toLowerCase()}>`);
  }
  return { html: clean, removed: [...times].toSorted((a, b) => b[1] - a[1]) };
}
