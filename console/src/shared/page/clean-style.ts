/** Properties that colour, space, size and arrange what stands in the text; none that moves it out of its place. */
const PROPERTIES = new Set(
  (
    'align-content align-items align-self aspect-ratio background background-color border border-bottom border-collapse ' +
    'border-color border-left border-radius border-right border-spacing border-style border-top border-width box-shadow ' +
    'box-sizing color column-gap display flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap ' +
    'font-family font-size font-style font-weight gap grid-auto-flow grid-column grid-row grid-template-columns ' +
    'grid-template-rows height justify-content justify-items justify-self letter-spacing line-height list-style-type margin ' +
    'margin-bottom margin-left margin-right margin-top max-height max-width min-height min-width object-fit opacity order ' +
    'padding padding-bottom padding-left padding-right padding-top place-content place-items row-gap text-align ' +
    'text-decoration text-transform vertical-align white-space width word-break'
  ).split(' '),
);

/** Functions that fetch nothing and read nothing of the page. No `calc`: it makes negative lengths of positive ones. */
const FUNCTIONS = new Set(
  'rgb rgba hsl hsla min max clamp minmax repeat fit-content linear-gradient radial-gradient'.split(' '),
);

/** No quotes, escapes or comments: what they hide cannot be judged. */
const PLAIN = /^[\w\s.,#%()/-]+$/;
/** A sign or an operator; hyphens inside words are neither. Negative margins would lay the text over the console. */
const MINUS = /(?:^|[^a-z])-|-(?:[^a-z]|$)/i;

function isSafeValue(value: string): boolean {
  if (!PLAIN.test(value) || MINUS.test(value)) return false;
  return [...value.matchAll(/([\w-]*)\s*\(/g)].every(([, name = '']) => FUNCTIONS.has(name.toLowerCase()));
}

/** The declarations of a `style` attribute that may stay, and the names of the others. */
export function cleanStyle(style: string): { readonly kept: string; readonly removed: readonly string[] } {
  const kept: string[] = [];
  const removed: string[] = [];
  for (const declaration of style.split(';')) {
    if (declaration.trim() === '') continue;
    const colon = declaration.indexOf(':');
    const name = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const value = declaration
      .slice(colon + 1)
      .replace(/\s*!\s*important\s*$/i, '')
      .trim();
    if (PROPERTIES.has(name) && isSafeValue(value)) kept.push(`${name}: ${value}`);
    else removed.push(/^[a-z-]+$/.test(name) ? name : 'style');
  }
  return { kept: kept.join('; '), removed };
}
